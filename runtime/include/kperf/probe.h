// Force-included into every instrumented translation unit: the probes of its target and the registration of its regions.
#ifndef KPERF_PROBE_H
#define KPERF_PROBE_H

#if defined(__CUDACC__) && !defined(KPERF_HOST_TARGET)
#include <kperf/cuda/Probe.h>
#include <kperf/cuda/MemoryProbe.h>
#include <kperf/registration.h>
#include <kperf/cuda/GpuApi.h>
#include <kperf/cuda/LaunchHooks.h>
#else
#include <kperf/registration.h>
#include <kperf/probe_host.h>
#include <kperf/host/GpuApi.h>
#endif

#endif
