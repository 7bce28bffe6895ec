// Votes and exchanges, for AccessCounts.h, among the lanes that make an access together: on AMD GPUs, with waves of 32 and of 64 lanes.
// Only lanes that take part in the call are read.
#ifndef KPERF_HIP_LANE_VOTES_H
#define KPERF_HIP_LANE_VOTES_H

#include <kperf/hip/Clock.h>

#if defined(__HIP_DEVICE_COMPILE__)

namespace kperf {
namespace detail {
namespace votes {

using Lanes = LaneMask;
constexpr uint32_t kMaxLanes = 64;
constexpr bool kMergesWideLoads = false; // measured on NVIDIA GPUs only

__device__ __forceinline__ uint32_t countOf(Lanes lanes) { return countLanes(lanes); }
__device__ __forceinline__ uint32_t lowestOf(Lanes lanes) { return static_cast<uint32_t>(__builtin_ctzll(lanes)); }

__device__ __forceinline__ Lanes ballot(Lanes among, bool vote) { return __ballot(vote) & among; }

/// Of one lane for all callers: what v_readlane reads, and a wave of 64 on RDNA permutes halves only.
__device__ __forceinline__ uint32_t valueOf(Lanes, uint32_t value, uint32_t lane) {
  return static_cast<uint32_t>(__builtin_amdgcn_readlane(static_cast<int>(value), static_cast<int>(lane)));
}
__device__ __forceinline__ uint64_t valueOf(Lanes among, uint64_t value, uint32_t lane) {
  return valueOf(among, static_cast<uint32_t>(value), lane) | uint64_t{valueOf(among, static_cast<uint32_t>(value >> 32), lane)} << 32;
}

/// A turn for each value that there is: the lowest lane left says one, and all that bring it are done.
template <typename T> __device__ __forceinline__ Lanes matching(Lanes among, T value) {
  Lanes result = 0;
#pragma unroll 1
  for (Lanes rest = among; rest;) {
    const T turn = valueOf(among, value, lowestOf(rest));
    const Lanes equal = ballot(among, value == turn);
    if (value == turn)
      result = equal;
    rest &= ~equal;
  }
  return result;
}

/// The largest value of `of`, which may be others for other lanes of `among`.
__device__ __forceinline__ uint32_t largest(Lanes among, Lanes of, uint32_t value) {
  uint32_t result = 0;
#pragma unroll 1
  for (Lanes rest = among; rest; rest &= rest - 1) {
    const uint32_t lane = lowestOf(rest), other = valueOf(among, value, lane);
    if ((of >> lane & 1) && other > result)
      result = other;
  }
  return result;
}

} // namespace votes
} // namespace detail
} // namespace kperf

#endif
#endif
