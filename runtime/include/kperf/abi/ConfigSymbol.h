// The module-level symbol through which device code finds its buffer.
#ifndef KPERF_CONFIG_SYMBOL_H
#define KPERF_CONFIG_SYMBOL_H

#include <kperf/abi/Target.h>
#include <kperf/abi/module.h>

/// Written by the runtime before the first launch; all zero (nothing recorded) until then.
#ifdef KPERF_DEVICE_TABLES // there is no host code that could write it: whoever loads the module finds it by its name
extern "C" {
__constant__ kperf_device_config kperf_config;
}
#else
static __constant__ kperf_device_config kperf_config;
#endif

/// A kernel of the runtime's own.
#ifdef KPERF_DEVICE_TABLES
#define KPERF_OWN_KERNEL(name) extern "C" __global__ void kperf_##name
#else
#define KPERF_OWN_KERNEL(name) __attribute__((unused)) static __global__ void name
#endif

#endif
