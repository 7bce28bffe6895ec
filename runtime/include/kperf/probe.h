// Force-included into every instrumented translation unit: the probes of its target and the registration of its regions.
#ifndef KPERF_PROBE_H
#define KPERF_PROBE_H

#include <kperf/abi/Target.h>
#include <kperf/abi/registration.h>

#if defined(KPERF_FOR_HOST)
#include <kperf/host/probe/GpuApi.h>
#include <kperf/host/probe/probe_host.h>
#else
#include <kperf/gpu/launch/VendorApi.h>
#include <kperf/gpu/record/SampledKernel.h>
#include <kperf/gpu/record/WaitProbe.h>
#if !defined(KPERF_NO_MEMORY_PROBES) // kperf-cc's, of a build that asks for none: 7 % of nvcc's time for HeCBench's chemv
#include <kperf/gpu/memory/MemoryProbe.h>
#if defined(KPERF_FOR_AMD)
#include <kperf/hip/memory/CountAtOnce.h>
#else
#include <kperf/cuda/memory/CountSteps.h>
#endif
#endif
#if defined(KPERF_FOR_AMD)
#include <kperf/hip/launch/LaunchHooks.h>
#else
#include <kperf/cuda/launch/LaunchHooks.h>
#include <kperf/cuda/record/CalledKernel.h>
#include <kperf/cuda/record/EventRow.h>
#include <kperf/cuda/record/Frame.h>
#include <kperf/cuda/record/FunctionStream.h>
#include <kperf/cuda/record/KernelStream.h>
#endif
#endif

#endif
