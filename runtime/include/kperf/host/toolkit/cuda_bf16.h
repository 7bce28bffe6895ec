// CUDA's header of this name.
#ifndef KPERF_HOST_CUDA_BF16_H
#define KPERF_HOST_CUDA_BF16_H

#include <kperf/host/toolkit/cuda_runtime.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#include <kperf/host/language/Bfloat16.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif

#endif
