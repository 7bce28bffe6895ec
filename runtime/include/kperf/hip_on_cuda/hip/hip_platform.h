// Which of HIP's platforms this is.
#ifndef KPERF_HIP_ON_CUDA_HIP_PLATFORM_H
#define KPERF_HIP_ON_CUDA_HIP_PLATFORM_H

#include <cuda_runtime.h>

#if defined(KPERF_HOST_TARGET)
// The host target stands for an AMD GPU of 32 lanes a wave; the macros of a GPU's architecture stay undefined.
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#else
#ifndef __HIP_PLATFORM_NVIDIA__
#define __HIP_PLATFORM_NVIDIA__ 1
#endif
#if defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
#define __HIP_DEVICE_COMPILE__ 1
#endif
#endif

#endif
