// Force-included into every instrumented translation unit: the probes of its target and the registration of its regions.
#ifndef KPERF_PROBE_H
#define KPERF_PROBE_H

#if defined(KPERF_HOST_TARGET) || !(defined(__CUDACC__) || defined(__HIP__))
#include <kperf/abi/registration.h>
#include <kperf/host/probe/GpuApi.h>
#include <kperf/host/probe/probe_host.h>
#elif defined(__HIP__)
#include <kperf/abi/registration.h>
#include <kperf/gpu/launch/HipLaunchHooks.h>
#include <kperf/gpu/launch/VendorApi.h>
#include <kperf/gpu/memory/MemoryProbe.h>
#include <kperf/gpu/record/SampledKernel.h>
#include <kperf/gpu/record/WaitProbe.h>
#else
#include <kperf/abi/registration.h>
#include <kperf/gpu/launch/CudaLaunchHooks.h>
#include <kperf/gpu/launch/VendorApi.h>
#include <kperf/gpu/memory/MemoryProbe.h>
#include <kperf/gpu/record/CalledKernel.h>
#include <kperf/gpu/record/EventRow.h>
#include <kperf/gpu/record/Frame.h>
#include <kperf/gpu/record/FunctionStream.h>
#include <kperf/gpu/record/KernelStream.h>
#include <kperf/gpu/record/SampledKernel.h>
#include <kperf/gpu/record/WaitProbe.h>
#endif

#endif
