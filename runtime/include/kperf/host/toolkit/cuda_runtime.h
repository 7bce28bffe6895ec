// The CUDA runtime on the CPU: what <cuda_runtime.h> gives to kernels and to the code that launches them.
#ifndef KPERF_HOST_CUDA_RUNTIME_H
#define KPERF_HOST_CUDA_RUNTIME_H

#include <kperf/host/toolkit/StandardLibrary.h>

// In Clang's CUDA mode kernels may call everything below.
#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device begin
#endif

#include <kperf/host/toolkit/CudaRuntime.h>

#if defined(__CUDA__) && defined(__clang__)
#pragma clang force_cuda_host_device end
#endif

#endif
