// A kernel that clears the parts of the arena that were read back, so that later warps can take them again.
#ifndef KPERF_GPU_ARENA_RECLAIM_H
#define KPERF_GPU_ARENA_RECLAIM_H

#include <kperf/abi/ConfigSymbol.h>
#include <kperf/gpu/vendor/Vendor.h>

namespace kperf {
namespace detail {

/// A block for each part. `seen`: bytes of it that warps had taken when all of them had ended and were read, or 0: it stays as it is.
/// Where no warp has come since, becomes ~0 and the part is empty; a warp that comes meanwhile keeps it as it is.
KPERF_OWN_KERNEL(reclaimKernel)(uint64_t arena, uint64_t partBytes, kperf_arena_part *parts, unsigned long long *seen) {
  const unsigned long long used = seen[blockIdx.x];
  if (used == 0)
    return;
  uint64_t *words = reinterpret_cast<uint64_t *>(arena + blockIdx.x * partBytes);
  for (uint64_t word = threadIdx.x; word < (used < partBytes ? used : partBytes) / sizeof(uint64_t); word += KPERF_RECLAIM_THREADS)
    words[word] = 0;
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0 || atomicCAS(reinterpret_cast<unsigned long long *>(&parts[blockIdx.x].used_bytes), used, 0ull) != used)
    return;
  *const_cast<volatile uint64_t *>(&parts->is_arena_full) = 0;
  seen[blockIdx.x] = ~0ull;
}

} // namespace detail
} // namespace kperf

#endif
