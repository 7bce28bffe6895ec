// Names what this translation unit is compiled for and in which of the compiler's passes; only this file tests the compilers' own macros.
#ifndef KPERF_TARGET_H
#define KPERF_TARGET_H

/// One of KPERF_FOR_HOST, KPERF_FOR_AMD and KPERF_FOR_NVIDIA is defined. HIP sources built for NVIDIA GPUs are CUDA here.
#if defined(KPERF_HOST_TARGET) || !(defined(__CUDACC__) || defined(__HIP__))
#define KPERF_FOR_HOST 1
#elif defined(__HIP__)
#define KPERF_FOR_AMD 1
#include <hip/hip_runtime.h>
#else
#define KPERF_FOR_NVIDIA 1
#ifndef __CUDACC_RTC__ // NVRTC has what it needs of this built in
#include <cuda_runtime.h>
#endif
#endif

/// Defined while code for a GPU is made: the pass in which probes have bodies.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define KPERF_DEVICE_CODE 1
#endif

#endif
