// What one memory instruction of a warp costs, computed by that warp; kperf/rules/AccessCounts.h states the same rules
// plainly.
//
// No inline PTX: a test runs this file on the host target against that statement. AMD GPUs' waves of 64 lanes go by the
// same rules: sectors of 32 bytes, lines of 128, 32 banks of four bytes that serve 128 bytes at a time.
#ifndef KPERF_GPU_ACCESS_COUNTS_H
#define KPERF_GPU_ACCESS_COUNTS_H

#include <kperf/format.h>
#include <kperf/gpu/vendor/Vendor.h>
#include <kperf/rules/AccessKind.h>

#if defined(KPERF_DEVICE_CODE) || defined(KPERF_FOR_HOST) // nvcc's host pass has no votes

namespace kperf {
namespace detail {

/// The lanes that make an access together, and where the calling one stands among them.
struct AccessingLanes {
  votes::Lanes mask;
  uint32_t count;
  uint32_t lane;
  uint32_t rank; ///< active lanes below this one

  __device__ __forceinline__ AccessingLanes(votes::Lanes mask, uint32_t lane)
      : mask(mask), count(votes::countOf(mask)), lane(lane), rank(votes::countOf(mask & (own() - 1))) {}

  __device__ __forceinline__ votes::Lanes own() const { return votes::Lanes{1} << lane; }
  __device__ __forceinline__ uint32_t most(uint32_t value, votes::Lanes of) const { return votes::largest(mask, of, value); }

  /// How many different values the lanes bring, and how many lanes bring the same as this one.
  __device__ __forceinline__ uint32_t distinct(uint64_t value, votes::Lanes &same) const {
    same = votes::matching(mask, value);
    return votes::countOf(votes::ballot(mask, isFirstOf(same)));
  }
  __device__ __forceinline__ bool isFirstOf(votes::Lanes same) const { return (same & (own() - 1)) == 0; }
};

/// Whether the lanes' addresses are evenly spaced, and how.
struct Spacing {
  uint64_t first; ///< the lowest active lane's address
  int64_t stride; ///< from lane to lane, 0 for a single one
  bool isConstant;

  __device__ __forceinline__ Spacing(const AccessingLanes &lanes, uint64_t address) {
    const uint32_t lowest = votes::lowestOf(lanes.mask);
    const votes::Lanes others = lanes.mask & (lanes.mask - 1);
    const uint32_t second = others ? votes::lowestOf(others) : lowest;
    first = votes::valueOf(lanes.mask, address, lowest);
    stride = static_cast<int64_t>(votes::valueOf(lanes.mask, address, second) - first);
    isConstant = votes::ballot(lanes.mask, address == first + static_cast<uint64_t>(stride) * lanes.rank) == lanes.mask;
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
  uint32_t lanes, bytes, distinctBytes, sectors, minSectors, lines, serialLanes, strideBytes;
  uint32_t shape; ///< kBroadcast, kUnit, kStrided or kIrregular
  bool isMisaligned;

  __device__ __forceinline__ GlobalCounts(const AccessingLanes &who, uint64_t address, uint32_t size, AccessKind kind) {
    const bool isAtomic = kind == AccessKind::Atomic;
    const Spacing spacing(who, address);
    lanes = who.count;
    bytes = who.count * size;
    strideBytes = 0;
    if (spacing.isConstant) {
      const uint64_t step = static_cast<uint64_t>(spacing.stride < 0 ? -spacing.stride : spacing.stride);
      distinctBytes = step ? bytes : size;
      sectors = step || !isAtomic ? spacing.units(who.count, 32) : who.count;
      lines = spacing.units(who.count, 128);
      serialLanes = step ? 1 : who.count;
      shape = who.count == 1 || spacing.stride == static_cast<int64_t>(size) ? format::kUnit
              : step == 0                                                    ? format::kBroadcast
                                                                             : format::kStrided;
      if (shape == format::kStrided)
        strideBytes = static_cast<uint32_t>(step < 0xffffffffu ? step : 0xffffffffu);
    } else {
      votes::Lanes same, ignored;
      distinctBytes = who.distinct(address, same) * size;
      serialLanes = who.most(votes::countOf(same), who.mask);
      // Of atomics each sector counts as often as one address in it has lanes: lanes that are the n-th at theirs share it.
      const uint32_t turn = isAtomic ? votes::countOf(same & (who.own() - 1)) : 0;
      sectors = who.distinct(address / 32 * votes::kMaxLanes + turn, ignored);
      lines = who.distinct(address / 128, ignored);
      shape = format::kIrregular;
    }
    minSectors = (distinctBytes + 31) / 32;
    if (isAtomic)
      minSectors = (bytes + 31) / 32 < serialLanes ? serialLanes : (bytes + 31) / 32;
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
    case format::kMinSectors:
      return minSectors;
    case format::kLines:
      return lines;
    case format::kMinLines:
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

/// The counters of a bulk copy by one lane, of a range in global memory: it counts as that lane's access.
struct BulkCounts {
  uint64_t first;
  uint32_t bytes;

  /// Aligned units of `size` bytes that the range touches.
  __device__ __forceinline__ uint32_t units(uint32_t size) const {
    return bytes ? static_cast<uint32_t>((first + bytes - 1) / size - first / size + 1) : 0;
  }

  __device__ __forceinline__ uint32_t operator[](uint32_t counter) const {
    switch (counter) {
    case format::kBytes:
    case format::kDistinctBytes:
      return bytes;
    case format::kSectors:
      return units(32);
    case format::kMinSectors:
      return (bytes + 31) / 32;
    case format::kLines:
      return units(128);
    case format::kMinLines:
      return (bytes + 127) / 128;
    case format::kMisaligned:
      return first % 32 != 0 && units(32) > (bytes + 31) / 32;
    default:
      return counter == format::kAccesses || counter == format::kLanes || counter == format::kUnit || counter == format::kSerialLanes;
    }
  }
};

/// The counters of an access to shared memory; the same in all lanes.
struct SharedCounts {
  uint32_t lanes, bytes, wavefronts, minWavefronts, strideBytes, serialLanes;

  __device__ __forceinline__ SharedCounts(const AccessingLanes &who, uint64_t address, uint32_t size, AccessKind kind) {
    const Spacing spacing(who, address);
    const uint64_t step = static_cast<uint64_t>(spacing.stride < 0 ? -spacing.stride : spacing.stride);
    lanes = who.count;
    bytes = who.count * size;
    strideBytes = 0;
    if (spacing.isConstant && step != 0 && spacing.stride != static_cast<int64_t>(size))
      strideBytes = static_cast<uint32_t>(step < 0xffffffffu ? step : 0xffffffffu);
    serialLanes = who.most(votes::countOf(votes::matching(who.mask, address)), who.mask);
    pass(who, address, size < 4 ? 4 : size, kind);
  }

  /// The lanes that are served together with this one: as many as ask for at most 128 bytes, and in a load of wide
  /// elements twice as many where each of them wants what its neighbour does, or what the one after that does. (Not in
  /// PTX's manual; measured on an H200, and the rule that NVIDIA's forum gives for earlier GPUs.)
  __device__ __forceinline__ static votes::Lanes served(const AccessingLanes &who, uint64_t address, uint32_t unit, AccessKind kind) {
    // No branch on the unit, of which ptxas does not know that it is the same in all lanes: behind it the warp would have diverged.
    const uint32_t together = 128 >> logOf(unit), doubled = together * 2 < votes::kMaxLanes ? together * 2 : votes::kMaxLanes;
    const votes::Lanes groupMask = who.mask & neighbours(who.lane, together);
    if (kind != AccessKind::Load || !votes::kMergesWideLoads)
      return groupMask;
    const votes::Lanes doubledMask = who.mask & neighbours(who.lane, doubled);
    const votes::Lanes likeNext = votes::ballot(who.mask, isLike(who, address, 1));
    const votes::Lanes likeSecond = votes::ballot(who.mask, isLike(who, address, 2));
    const bool isMerged = (likeNext & doubledMask) == doubledMask || (likeSecond & doubledMask) == doubledMask;
    return isMerged ? doubledMask : groupMask;
  }

  /// Of 4, 8 and 16; the compiler does not know that they are powers of two, and divisions are long.
  __device__ __forceinline__ static uint32_t logOf(uint32_t unit) { return unit >= 16 ? 4 : unit >= 8 ? 3 : 2; }

  /// The aligned group of `count` lanes, a power of two, that holds the lane.
  __device__ __forceinline__ static votes::Lanes neighbours(uint32_t lane, uint32_t count) {
    return count == votes::kMaxLanes ? ~votes::Lanes{0} : ((votes::Lanes{1} << count) - 1) << (lane & ~(count - 1));
  }

  /// Whether the lane whose number differs in that bit is absent or has the same address.
  __device__ __forceinline__ static bool isLike(const AccessingLanes &who, uint64_t address, uint32_t bit) {
    const uint32_t other = who.lane ^ bit;
    const uint32_t from = who.mask >> other & 1 ? other : who.lane;
    return votes::valueOf(who.mask, address, from) == address;
  }

  /// A group takes as many passes as its busiest set of neighbouring banks has distinct words to give; of atomics, lanes to serve, and
  /// without conflicts as many as its busiest word.
  __device__ __forceinline__ void pass(const AccessingLanes &who, uint64_t address, uint32_t unit, AccessKind kind) {
    const bool isAtomic = kind == AccessKind::Atomic;
    constexpr uint32_t kNone = votes::kMaxLanes * 32; // above every leader's banks
    const votes::Lanes groupMask = served(who, address, unit, kind);
    const uint32_t bankSets = 128 >> logOf(unit), leader = votes::lowestOf(groupMask);
    const uint64_t word = address >> logOf(unit);
    const votes::Lanes sameWord = votes::matching(who.mask, word) & groupMask;
    const bool isFirst = isAtomic || who.isFirstOf(sameWord);
    const uint32_t key = isFirst ? leader * 32 + (static_cast<uint32_t>(word) & (bankSets - 1)) : kNone + who.lane;
    const uint32_t onBank = votes::countOf(votes::matching(who.mask, key));
    const uint32_t busiest = who.most(isFirst ? onBank : 1, groupMask);
    const uint32_t least = isAtomic ? who.most(votes::countOf(sameWord), groupMask) : 1;
    wavefronts = minWavefronts = 0;
    for (votes::Lanes leaders = votes::ballot(who.mask, who.lane == leader); leaders; leaders &= leaders - 1) {
      wavefronts += votes::valueOf(who.mask, busiest, votes::lowestOf(leaders));
      minWavefronts += isAtomic ? votes::valueOf(who.mask, least, votes::lowestOf(leaders)) : 1;
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
    case format::kMinWavefronts:
      return minWavefronts;
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
