// CUDA's header of this name.
#ifndef KPERF_HOST_CUDA_AWBARRIER_PRIMITIVES_H
#define KPERF_HOST_CUDA_AWBARRIER_PRIMITIVES_H

#include <kperf/host/toolkit/cuda_runtime.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#include <kperf/host/language/BarrierPrimitives.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif

#endif
