// CUDA's header of this name.
#ifndef KPERF_HOST_CUDA_PIPELINE_PRIMITIVES_H
#define KPERF_HOST_CUDA_PIPELINE_PRIMITIVES_H

#include <kperf/host/toolkit/cuda_runtime.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#include <kperf/host/language/PipelinePrimitives.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif

#endif
