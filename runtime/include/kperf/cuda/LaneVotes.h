// Votes and exchanges, for AccessCounts.h, among the lanes that make an access together: on NVIDIA GPUs, and on the host target, where a
// test compares that file with a plain statement of its rules.
#ifndef KPERF_CUDA_LANE_VOTES_H
#define KPERF_CUDA_LANE_VOTES_H

#include <kperf/abi/Target.h>

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

#if defined(__CUDA_ARCH__) || defined(KPERF_FOR_HOST) // nvcc's host pass has no votes

namespace kperf {
namespace detail {
namespace votes {

using Lanes = uint32_t;
constexpr uint32_t kMaxLanes = 32;
/// Whether a load of wide elements serves lanes with equal addresses together (SharedCounts::served).
constexpr bool kMergesWideLoads = true;

__device__ __forceinline__ uint32_t countOf(Lanes lanes) { return static_cast<uint32_t>(__popc(lanes)); }
__device__ __forceinline__ uint32_t lowestOf(Lanes lanes) { return static_cast<uint32_t>(__ffs(static_cast<int>(lanes)) - 1); }

/// Of `among`, which are the lanes that call together.
/// Lanes that execute it at the same time with another mask may be in what the hardware answers.
__device__ __forceinline__ Lanes ballot(Lanes among, bool vote) { return __ballot_sync(among, vote) & among; }
__device__ __forceinline__ uint32_t valueOf(Lanes among, uint32_t value, uint32_t lane) {
  return __shfl_sync(among, value, static_cast<int>(lane));
}
__device__ __forceinline__ uint64_t valueOf(Lanes among, uint64_t value, uint32_t lane) {
  return __shfl_sync(among, static_cast<unsigned long long>(value), static_cast<int>(lane));
}
/// Those that bring the same as the calling one.
__device__ __forceinline__ Lanes matching(Lanes among, uint32_t value) { return __match_any_sync(among, value) & among; }
__device__ __forceinline__ Lanes matching(Lanes among, uint64_t value) {
  return __match_any_sync(among, static_cast<unsigned long long>(value)) & among;
}
/// The largest value of `of`, which may be others for other lanes of `among`.
__device__ __forceinline__ uint32_t largest(Lanes, Lanes of, uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_max_sync(of, value);
#else
  uint32_t result = 0;
  for (uint32_t rest = of; rest; rest &= rest - 1)
    result = max(result, __shfl_sync(of, value, __ffs(static_cast<int>(rest)) - 1));
  return result;
#endif
}

} // namespace votes
} // namespace detail
} // namespace kperf

#endif
#endif
