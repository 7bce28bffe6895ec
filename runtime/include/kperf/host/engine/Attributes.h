// CUDA's declaration keywords: real attributes when Clang parses CUDA, ordinary C++ when a host compiler builds.
#ifndef KPERF_HOST_ATTRIBUTES_H
#define KPERF_HOST_ATTRIBUTES_H

/// Defined where kernels run on the CPU, so that a source can offer another way around inline PTX.
#define KPERF_HOST_TARGET 1

// Sources guard kernels by __CUDACC__; both passes over them must agree. __CUDA_ARCH__ stays undefined as in nvcc's
// host pass.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#if defined(__CUDA__)

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wignored-attributes" // `host` on the variables that __device__ declares
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device)) __attribute__((host))
#define __global__ __attribute__((global))
// Clang refuses `shared` in functions that are the host's as well, as __device__ makes them here; kperf puts it back by the annotation.
#define __shared__ __attribute__((shared)) __attribute__((annotate("kperf::shared")))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))

#else

#define __host__
#define __device__
#define __global__
/// A block runs on one operating system thread from its first thread's start to its last thread's end.
#define __shared__ thread_local
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#ifndef __noinline__
#define __noinline__ // empty: libstdc++ writes __attribute__((__noinline__))
#endif
#if !defined(__clang__)
#define __builtin_assume(condition) static_cast<void>(0)
#endif

#endif

#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#endif
