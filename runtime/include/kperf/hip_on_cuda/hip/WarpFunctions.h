// HIP's warp functions, which take no mask: the lanes that come together take part. Warps have 32 lanes here; votes are 64 bits
// wide as on every AMD GPU, wave32 ones included.
#ifndef KPERF_HIP_ON_CUDA_WARP_FUNCTIONS_H
#define KPERF_HIP_ON_CUDA_WARP_FUNCTIONS_H

#include <cuda_runtime.h>

#if defined(KPERF_HOST_TARGET)
/// Reports of kernels that hang name the place of the call.
#define KPERF_PLACE kperf::host::Site place = kperf::host::Site::here()
#define KPERF_AND_PLACE , KPERF_PLACE
#define KPERF_WITH_PLACE , place
#define KPERF_AT_PLACE place
#else
#define KPERF_PLACE
#define KPERF_AND_PLACE
#define KPERF_WITH_PLACE
#define KPERF_AT_PLACE
// CUDA declares functions of these names, for GPUs that it no longer supports.
#define __shfl kperf_shfl
#define __shfl_up kperf_shfl_up
#define __shfl_down kperf_shfl_down
#define __shfl_xor kperf_shfl_xor
#define __ballot kperf_ballot
#define __any kperf_any
#define __all kperf_all
#endif

template <typename T> __device__ __forceinline__ T __shfl(T value, int source, int width = 32 KPERF_AND_PLACE) {
  return __shfl_sync(__activemask(KPERF_AT_PLACE), value, source, width KPERF_WITH_PLACE);
}
template <typename T> __device__ __forceinline__ T __shfl_up(T value, unsigned int delta, int width = 32 KPERF_AND_PLACE) {
  return __shfl_up_sync(__activemask(KPERF_AT_PLACE), value, delta, width KPERF_WITH_PLACE);
}
template <typename T> __device__ __forceinline__ T __shfl_down(T value, unsigned int delta, int width = 32 KPERF_AND_PLACE) {
  return __shfl_down_sync(__activemask(KPERF_AT_PLACE), value, delta, width KPERF_WITH_PLACE);
}
template <typename T> __device__ __forceinline__ T __shfl_xor(T value, int laneMask, int width = 32 KPERF_AND_PLACE) {
  return __shfl_xor_sync(__activemask(KPERF_AT_PLACE), value, laneMask, width KPERF_WITH_PLACE);
}

__device__ __forceinline__ unsigned long long __ballot(int predicate KPERF_AND_PLACE) {
  return __ballot_sync(__activemask(KPERF_AT_PLACE), predicate KPERF_WITH_PLACE);
}
__device__ __forceinline__ int __any(int predicate KPERF_AND_PLACE) {
  return __any_sync(__activemask(KPERF_AT_PLACE), predicate KPERF_WITH_PLACE);
}
__device__ __forceinline__ int __all(int predicate KPERF_AND_PLACE) {
  return __all_sync(__activemask(KPERF_AT_PLACE), predicate KPERF_WITH_PLACE);
}

__device__ __forceinline__ unsigned int __lane_id() {
#if defined(KPERF_HOST_TARGET)
  return kperf::host::laneOf("__lane_id");
#else
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
#endif
}
__device__ __forceinline__ unsigned long long __lanemask_lt() { return (1ull << __lane_id()) - 1; }
__device__ __forceinline__ unsigned long long __lanemask_eq() { return 1ull << __lane_id(); }

/// HIP's choice between an instruction that some memory ignores and a loop; both are CUDA's here.
template <typename T> __device__ __forceinline__ T unsafeAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <typename T> __device__ __forceinline__ T safeAtomicAdd(T *address, T value) { return atomicAdd(address, value); }

/// HIP's constant-rate clock: nanoseconds here.
__device__ __forceinline__ long long wall_clock64() {
#if defined(KPERF_HOST_TARGET)
  return static_cast<long long>(kperf::host::globaltimer());
#else
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return static_cast<long long>(ns);
#endif
}

#undef KPERF_PLACE
#undef KPERF_AND_PLACE
#undef KPERF_WITH_PLACE
#undef KPERF_AT_PLACE

#endif
