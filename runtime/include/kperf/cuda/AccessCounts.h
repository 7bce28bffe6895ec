// What one memory instruction of a warp costs, computed by that warp; kperf/host/AccessCounts.h states the same rules
// plainly.
//
// No inline PTX: a test runs this file on the host target against that statement.
#ifndef KPERF_CUDA_ACCESS_COUNTS_H
#define KPERF_CUDA_ACCESS_COUNTS_H

#include <kperf/format.h>

#if defined(__CUDA_ARCH__) || defined(KPERF_HOST_TARGET) // nvcc's host pass has no votes

namespace kperf {
namespace detail {

/// The lanes that make an access together, and where the calling one stands among them.
struct AccessingLanes {
  uint32_t mask;
  uint32_t count;
  uint32_t lane;
  uint32_t rank; ///< active lanes below this one

  __device__ __forceinline__ AccessingLanes(uint32_t mask, uint32_t lane)
      : mask(mask), count(static_cast<uint32_t>(__popc(mask))), lane(lane),
        rank(static_cast<uint32_t>(__popc(mask & ((1u << lane) - 1)))) {}

  __device__ __forceinline__ uint32_t most(uint32_t value, uint32_t among) const {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    return __reduce_max_sync(among, value);
#else
    uint32_t result = 0;
    for (uint32_t rest = among; rest; rest &= rest - 1)
      result = max(result, __shfl_sync(among, value, __ffs(static_cast<int>(rest)) - 1));
    return result;
#endif
  }

  /// How many different values the lanes bring, and how many lanes bring the same as this one.
  __device__ __forceinline__ uint32_t distinct(uint64_t value, uint32_t &same) const {
    same = __match_any_sync(mask, static_cast<unsigned long long>(value));
    return static_cast<uint32_t>(__popc(__ballot_sync(mask, isFirstOf(same))));
  }
  __device__ __forceinline__ bool isFirstOf(uint32_t same) const { return (same & ((1u << lane) - 1)) == 0; }
};

/// Whether the lanes' addresses are evenly spaced, and how.
struct Spacing {
  uint64_t first; ///< the lowest active lane's address
  int64_t stride; ///< from lane to lane, 0 for a single one
  bool isConstant;

  __device__ __forceinline__ Spacing(const AccessingLanes &lanes, uint64_t address) {
    const int lowest = __ffs(static_cast<int>(lanes.mask)) - 1;
    const uint32_t others = lanes.mask & (lanes.mask - 1);
    const int second = others ? __ffs(static_cast<int>(others)) - 1 : lowest;
    first = __shfl_sync(lanes.mask, static_cast<unsigned long long>(address), lowest);
    stride = static_cast<int64_t>(__shfl_sync(lanes.mask, static_cast<unsigned long long>(address), second) - first);
    isConstant = __all_sync(lanes.mask, address == first + static_cast<uint64_t>(stride) * lanes.rank) != 0;
  }

  /// Aligned units of `size` bytes (at least the element's) that evenly spaced lanes touch.
  __device__ __forceinline__ uint32_t units(uint32_t count, uint32_t size) const {
    const uint64_t step = static_cast<uint64_t>(stride < 0 ? -stride : stride);
    if (step >= size)
      return count;
    const uint64_t last = first + static_cast<uint64_t>(stride) * (count - 1);
    return static_cast<uint32_t>((stride < 0 ? first / size - last / size : last / size - first / size) + 1);
  }
};

/// The counters of an access to global memory; the same in all lanes.
struct GlobalCounts {
  uint32_t lanes, bytes, distinctBytes, sectors, lines, serialLanes, strideBytes;
  uint32_t shape; ///< kBroadcast, kUnit, kStrided or kIrregular
  bool isMisaligned;

  __device__ __forceinline__ GlobalCounts(const AccessingLanes &who, uint64_t address, uint32_t size) {
    const Spacing spacing(who, address);
    lanes = who.count;
    bytes = who.count * size;
    strideBytes = 0;
    if (spacing.isConstant) {
      const uint64_t step = static_cast<uint64_t>(spacing.stride < 0 ? -spacing.stride : spacing.stride);
      distinctBytes = step ? bytes : size;
      sectors = spacing.units(who.count, 32);
      lines = spacing.units(who.count, 128);
      serialLanes = step ? 1 : who.count;
      shape = who.count == 1 || spacing.stride == static_cast<int64_t>(size) ? format::kUnit
              : step == 0                                                    ? format::kBroadcast
                                                                             : format::kStrided;
      if (shape == format::kStrided)
        strideBytes = static_cast<uint32_t>(step < 0xffffffffu ? step : 0xffffffffu);
    } else {
      uint32_t same, ignored;
      distinctBytes = who.distinct(address, same) * size;
      serialLanes = who.most(static_cast<uint32_t>(__popc(same)), who.mask);
      sectors = who.distinct(address / 32, ignored);
      lines = who.distinct(address / 128, ignored);
      shape = format::kIrregular;
    }
    isMisaligned = shape == format::kUnit && spacing.first % 32 != 0 && sectors > (distinctBytes + 31) / 32;
  }

  __device__ __forceinline__ uint32_t operator[](uint32_t counter) const {
    switch (counter) {
    case format::kAccesses:
      return 1;
    case format::kLanes:
      return lanes;
    case format::kBytes:
      return bytes;
    case format::kDistinctBytes:
      return distinctBytes;
    case format::kSectors:
      return sectors;
    case format::kLeastSectors:
      return (distinctBytes + 31) / 32;
    case format::kLines:
      return lines;
    case format::kLeastLines:
      return (distinctBytes + 127) / 128;
    case format::kStrideBytes:
      return strideBytes;
    case format::kMisaligned:
      return isMisaligned;
    case format::kSerialLanes:
      return serialLanes;
    default:
      return counter == shape;
    }
  }
};

/// The counters of an access to shared memory; the same in all lanes.
struct SharedCounts {
  uint32_t lanes, bytes, wavefronts, leastWavefronts, strideBytes, serialLanes;

  __device__ __forceinline__ SharedCounts(const AccessingLanes &who, uint64_t address, uint32_t size, bool isLoad) {
    const Spacing spacing(who, address);
    const uint64_t step = static_cast<uint64_t>(spacing.stride < 0 ? -spacing.stride : spacing.stride);
    lanes = who.count;
    bytes = who.count * size;
    strideBytes = 0;
    if (spacing.isConstant && step != 0 && spacing.stride != static_cast<int64_t>(size))
      strideBytes = static_cast<uint32_t>(step < 0xffffffffu ? step : 0xffffffffu);
    serialLanes = who.most(
        static_cast<uint32_t>(__popc(__match_any_sync(who.mask, static_cast<unsigned long long>(address)))), who.mask);
    pass(who, address, size < 4 ? 4 : size, isLoad);
  }

  /// The lanes that are served together with this one: as many as ask for at most 128 bytes, and in a load of wide elements
  /// twice as many where each of them wants what its neighbour does, or what the one after that does. (Not in PTX's manual;
  /// measured on an H200, and the rule that NVIDIA's forum gives for earlier GPUs.)
  __device__ __forceinline__ static uint32_t served(const AccessingLanes &who, uint64_t address, uint32_t unit, bool isLoad) {
    const uint32_t together = 128 / unit;
    if (together == 32)
      return who.mask;
    const uint32_t groupMask = who.mask & ((1u << together) - 1) << who.lane / together * together;
    if (!isLoad)
      return groupMask;
    const uint32_t doubled = 2 * together;
    const uint32_t doubledMask =
        who.mask & (doubled == 32 ? ~0u : ((1u << doubled) - 1) << who.lane / doubled * doubled);
    const uint32_t likeNext = __ballot_sync(who.mask, isLike(who, address, 1));
    const uint32_t likeSecond = __ballot_sync(who.mask, isLike(who, address, 2));
    const bool isMerged = (likeNext & doubledMask) == doubledMask || (likeSecond & doubledMask) == doubledMask;
    return isMerged ? doubledMask : groupMask;
  }

  /// Whether the lane whose number differs in that bit is absent or has the same address.
  __device__ __forceinline__ static bool isLike(const AccessingLanes &who, uint64_t address, uint32_t bit) {
    const uint32_t other = who.lane ^ bit;
    const uint32_t from = who.mask >> other & 1 ? other : who.lane;
    return __shfl_sync(who.mask, static_cast<unsigned long long>(address), static_cast<int>(from)) == address;
  }

  /// A group takes as many passes as its busiest set of neighbouring banks has distinct words to give.
  __device__ __forceinline__ void pass(const AccessingLanes &who, uint64_t address, uint32_t unit, bool isLoad) {
    const uint32_t groupMask = served(who, address, unit, isLoad), bankSets = 128 / unit;
    const auto leader = static_cast<uint32_t>(__ffs(static_cast<int>(groupMask)) - 1);
    const uint64_t word = address / unit;
    const uint32_t sameWord = __match_any_sync(who.mask, static_cast<unsigned long long>(word)) & groupMask;
    const bool isFirst = who.isFirstOf(sameWord);
    const uint32_t key = isFirst ? leader * 32 + static_cast<uint32_t>(word % bankSets) : 1024 + who.lane;
    const uint32_t onBank = static_cast<uint32_t>(__popc(__match_any_sync(who.mask, key)));
    const uint32_t busiest = who.most(isFirst ? onBank : 1, groupMask);
    wavefronts = leastWavefronts = 0;
    for (uint32_t leaders = __ballot_sync(who.mask, who.lane == leader); leaders; leaders &= leaders - 1) {
      wavefronts += __shfl_sync(who.mask, busiest, __ffs(static_cast<int>(leaders)) - 1);
      ++leastWavefronts;
    }
  }

  __device__ __forceinline__ uint32_t operator[](uint32_t counter) const {
    switch (counter) {
    case format::kSharedAccesses:
      return 1;
    case format::kSharedLanes:
      return lanes;
    case format::kSharedBytes:
      return bytes;
    case format::kWavefronts:
      return wavefronts;
    case format::kLeastWavefronts:
      return leastWavefronts;
    case format::kSharedStrided:
      return strideBytes != 0;
    case format::kSharedStrideBytes:
      return strideBytes;
    case format::kSharedSerialLanes:
      return serialLanes;
    default:
      return 0;
    }
  }
};

} // namespace detail
} // namespace kperf

#endif
#endif
