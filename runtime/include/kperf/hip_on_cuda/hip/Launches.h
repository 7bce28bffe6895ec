// HIP's ways to launch a kernel, and its macro for dynamic shared memory.
#ifndef KPERF_HIP_ON_CUDA_LAUNCHES_H
#define KPERF_HIP_ON_CUDA_LAUNCHES_H

#include <cuda_runtime.h>

#define HIP_KERNEL_NAME(...) __VA_ARGS__

#if defined(KPERF_HOST_TARGET) && !defined(__CUDA__)
// A plain C++ compiler knows no <<<…>>>. The lambda leaves a template's arguments to deduction.
#define hipLaunchKernelGGL(kernel, grid, block, sharedBytes, stream, ...)                                                                  \
  ::kperf::host::launch([&](auto &&...kperf_a) { kernel(static_cast<decltype(kperf_a)>(kperf_a)...); }, dim3(grid), dim3(block),           \
                        sharedBytes, stream)(__VA_ARGS__)
#else
#define hipLaunchKernelGGL(kernel, grid, block, sharedBytes, stream, ...)                                                                  \
  kernel<<<dim3(grid), dim3(block), sharedBytes, stream>>>(__VA_ARGS__)
#endif

#define hipLaunchKernel cudaLaunchKernel
#define hipLaunchCooperativeKernel cudaLaunchCooperativeKernel

#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// Indices by dimension, as older HIP sources spell them.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

#endif
