// Clang's builtins for AMD GPUs that kernels call by themselves, on the host target: what they mean for a wave of 32 lanes.
#ifndef KPERF_HIP_ON_CUDA_AMD_BUILTINS_H
#define KPERF_HIP_ON_CUDA_AMD_BUILTINS_H

#if defined(KPERF_HOST_TARGET)

#include "WarpFunctions.h"

__device__ inline void __builtin_amdgcn_s_barrier(kperf::host::Site site = kperf::host::Site::here()) { __syncthreads(site); }
__device__ inline void __builtin_amdgcn_wave_barrier(kperf::host::Site site = kperf::host::Site::here()) {
  __syncwarp(__activemask(site), site);
}
/// The lowest active lane's value.
__device__ inline int __builtin_amdgcn_readfirstlane(int value, kperf::host::Site site = kperf::host::Site::here()) {
  const unsigned int lanes = __activemask(site);
  return __shfl_sync(lanes, value, __builtin_ctz(lanes), 32, site);
}
__device__ inline unsigned int __builtin_amdgcn_workitem_id_x() { return threadIdx.x; }
__device__ inline unsigned int __builtin_amdgcn_workgroup_id_x() { return blockIdx.x; }
__device__ inline unsigned int __builtin_amdgcn_wavefrontsize() { return 32; }
__device__ inline unsigned long long __builtin_amdgcn_s_memtime() { return static_cast<unsigned long long>(clock64()); }
__device__ inline unsigned long long __builtin_amdgcn_s_memrealtime() { return static_cast<unsigned long long>(wall_clock64()); }
/// The scope and the order may be less than this gives.
__device__ inline void __builtin_amdgcn_fence(unsigned int, const char *) { __threadfence(); }
// Loads and stores are done when they return, in the order of the source.
__device__ inline void __builtin_amdgcn_s_waitcnt(int) {}
__device__ inline void __builtin_amdgcn_sched_barrier(int) {}
/// Some 64 cycles each.
__device__ inline void __builtin_amdgcn_s_sleep(int count) { __nanosleep(64u * static_cast<unsigned int>(count)); }

#endif
#endif
