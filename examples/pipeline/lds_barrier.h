// What the pipeline takes from CUDA's headers, for AMD's GPUs: barriers that are a word in the local data share, at
// which waves poll. The names are CUDA's, by which kperf knows what waits and what signals
// (rewriters/construct/SyncConstructs.def).
#ifndef KPERF_EXAMPLES_PIPELINE_LDS_BARRIER_H
#define KPERF_EXAMPLES_PIPELINE_LDS_BARRIER_H

#include "../gpu.h"

namespace lds {

struct Barrier {
  unsigned int phases; ///< that are over: each ends with one arrival
};

__device__ inline void __mbarrier_init(Barrier *barrier, unsigned int) { barrier->phases = 0; }

/// What the lane did before is seen by who finds the phase over.
__device__ inline void __mbarrier_arrive(Barrier *barrier) {
  __hip_atomic_fetch_add(&barrier->phases, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
}

/// Whether phase `parity` (of those that alternate) is over; if not, the wave gives way for 64 cycles before it says
/// so.
__device__ inline bool __mbarrier_try_wait_parity(Barrier *barrier, bool parity, unsigned int) {
  if ((__hip_atomic_load(&barrier->phases, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) & 1) != parity)
    return true;
  __builtin_amdgcn_s_sleep(1);
  return false;
}

} // namespace lds

using Barrier = lds::Barrier;

#if !defined(KPERF_HOST_TARGET) && HIP_VERSION < 70000000
/// Lanes of a wave run together; what is left is to keep the compiler from moving accesses across.
__device__ inline void __syncwarp() {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __builtin_amdgcn_wave_barrier();
}
#endif

#endif
