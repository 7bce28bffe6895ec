// The module-level symbol through which device code finds its buffer.
#ifndef KPERF_CONFIG_SYMBOL_H
#define KPERF_CONFIG_SYMBOL_H

#include <kperf/abi/module.h>

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

/// Written by the runtime before the first launch; all zero (nothing recorded) until then.
static __constant__ kperf_device_config kperf_config;

#if defined(__HIP__)
/// A static symbol that Clang sees no host code refer to, in the device's pass too, is a constant of zeros to it.
__attribute__((unused)) static const void *kperf_config_address() { return &kperf_config; }
#endif

#endif
