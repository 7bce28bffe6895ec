// The CUDA runtime on the CPU: what <cuda_runtime.h> gives to kernels and to the code that launches them.
#ifndef KPERF_HOST_CUDA_RUNTIME_H
#define KPERF_HOST_CUDA_RUNTIME_H

// What CUDA's own cuda_runtime.h and the headers that it includes define: programs ask by them whether these have been included.
#define __BUILTIN_TYPES_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

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
