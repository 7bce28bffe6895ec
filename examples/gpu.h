// One source for CUDA and HIP: the examples use CUDA's names, and for a HIP compiler this says which of HIP's they are.
#ifndef KPERF_EXAMPLES_GPU_H
#define KPERF_EXAMPLES_GPU_H

#if defined(__HIPCC__)

#include <hip/hip_runtime.h>

#include <hip/hip_fp16.h>

#define cudaError_t hipError_t
#define cudaSuccess hipSuccess
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaMemcpy hipMemcpy
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemset hipMemset
#define cudaDeviceGetAttribute hipDeviceGetAttribute
#define cudaDevAttrWarpSize hipDeviceAttributeWarpSize
#define cudaEvent_t hipEvent_t
#define cudaEventCreate hipEventCreate
#define cudaEventDestroy hipEventDestroy
#define cudaEventRecord hipEventRecord
#define cudaEventSynchronize hipEventSynchronize
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize
#define cudaFuncSetAttribute(kernel, attribute, value)                                                                 \
  hipFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value)

#if defined(__HIP_PLATFORM_AMD__)
// Lanes of a wave need no mask, and a wave of 64 exchanges values in halves of 32, as a warp does.
#define __shfl_xor_sync(mask, value, distance) __shfl_xor(value, distance, 32)
#endif
#ifndef __align__
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef __grid_constant__
#define __grid_constant__
#endif

#else
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#endif

/// How many lanes a warp has, for device code: 32 or 64 on AMD's GPUs, whose compiler knows which; NVIDIA's would not
/// fold warpSize.
#if defined(__HIP_PLATFORM_AMD__) && !defined(KPERF_HOST_TARGET)
#define WARP_LANES warpSize
#else
#define WARP_LANES 32
#endif

#endif
