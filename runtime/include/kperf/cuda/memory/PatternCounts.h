// Counts accesses of evenly spaced lanes, in one row or several, by their pattern (kperf/rules/AccessPattern.h): one counter in place of a
// dozen.
//
// patternOf has no inline PTX: a test runs it on the host target, where what a pattern stands for is held against a
// plain statement of the rules.
#ifndef KPERF_CUDA_PATTERN_COUNTS_H
#define KPERF_CUDA_PATTERN_COUNTS_H

#include <kperf/abi/module.h>
#include <kperf/gpu/memory/AccessCounts.h>
#include <kperf/rules/AccessPattern.h>

#if defined(KPERF_DEVICE_CODE) || defined(KPERF_FOR_HOST)

namespace kperf {
namespace detail {

/// The key of the tile that a whole warp accesses, or 0. `distance`: from lane 0's address, which is `offset` bytes behind a multiple of
/// 128; `stride`: of lane 1; `even`: the lanes, not all, that are as many strides behind lane 0 as
/// their number says.
__device__ __forceinline__ uint64_t tileOf(const AccessingLanes &who, uint64_t distance, int32_t stride, votes::Lanes even, uint32_t offset,
                                           bool isGlobal, bool isShared, uint32_t size, AccessKind kind) {
  const uint32_t width = votes::lowestOf(~even); // where the first row ends
  const auto rowStride = static_cast<int32_t>(votes::valueOf(who.mask, static_cast<uint32_t>(distance), width));
  const AccessPattern tile = {stride, 0, 32, size, isShared, kind, votes::lowestOf(width), rowStride};
  const bool isInTile = (width & (width - 1)) == 0 && AccessPattern::isTileStride(stride, size) &&
                        distance == static_cast<uint64_t>(tile.distanceOf(who.lane));
  const bool isAllGlobal = votes::ballot(who.mask, isInTile && isGlobal) == who.mask;
  if (!isAllGlobal && votes::ballot(who.mask, isInTile && isShared) != who.mask)
    return 0;
  AccessPattern pattern = tile;
  pattern.isShared = !isAllGlobal;
  pattern.offset = AccessPattern::representativeOfTile(offset, size, !isAllGlobal);
  return pattern.key();
}

/// The key of the pattern in which the lanes access memory of one kind, or 0. `address` is the lane's, in global or in
/// shared memory or in neither.
__device__ __forceinline__ uint64_t patternOf(const AccessingLanes &who, uint64_t address, bool isGlobal, bool isShared, uint32_t size,
                                              AccessKind kind) {
  const votes::Lanes others = who.mask & (who.mask - 1);
  const uint32_t lowest = votes::lowestOf(who.mask), second = others ? votes::lowestOf(others) : lowest;
  const uint64_t first = votes::valueOf(who.mask, address, lowest), distance = address - first;
  const auto stride = static_cast<int32_t>(votes::valueOf(who.mask, static_cast<uint32_t>(distance), second));
  const bool isEven = static_cast<uint64_t>(int64_t{stride} * static_cast<int32_t>(who.rank)) == distance;
  const bool isAllGlobal = votes::ballot(who.mask, isEven && isGlobal) == who.mask;
  // Which lanes are served together depends on their numbers, so that of shared memory the first ones must be active.
  if (!isAllGlobal && ((who.mask & (who.mask + 1)) != 0 || votes::ballot(who.mask, isEven && isShared) != who.mask)) {
    const votes::Lanes even = votes::ballot(who.mask, isEven);
    if (who.mask != ~votes::Lanes{0} || even == who.mask)
      return 0;
    return tileOf(who, distance, stride, even, static_cast<uint32_t>(first) & 127, isGlobal, isShared, size, kind);
  }
  const uint32_t offset = AccessPattern::representative(stride, static_cast<uint32_t>(first) & 127, who.count, size, !isAllGlobal);
  return AccessPattern{stride, offset, who.count, size, !isAllGlobal, kind}.key();
}

} // namespace detail
} // namespace kperf

#endif

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// Counts an access of which the pattern has its place; false where it has not. `isFree`: nor has another.
__device__ __forceinline__ bool addToPattern(uint64_t row, uint64_t key, const AccessingLanes &who, bool &isFree) {
  const uint64_t place = row + AccessPattern::placeOf(key) * sizeof(uint64_t);
  const uint64_t kept = loadWord(place + offsetof(kperf_site_row, patterns));
  addTo(place + offsetof(kperf_site_row, times), 1, kept == key && who.rank == 0);
  isFree = kept == 0;
  return kept == key;
}

/// Counts an access by a lane that comes alone, of which nothing counts but where it goes and how wide it is.
__device__ __forceinline__ void addLone(uint64_t row, uint32_t size, bool isShared) {
  addTo(row + offsetof(kperf_site_row, lone) + AccessPattern::loneIndex(size, isShared) * sizeof(uint64_t), 1, true);
}

/// Gives the pattern its place, for the accesses to come, if nobody was faster. Each lane asks for it; one, which gets
/// it, writes what is not 0.
__device__ __forceinline__ void takePlace(uint64_t row, uint64_t key) {
  const uint64_t place = row + AccessPattern::placeOf(key) * sizeof(uint64_t);
  const uint64_t before = fetchAndMark(place + offsetof(kperf_site_row, times));
  raiseTo(place + offsetof(kperf_site_row, patterns), before & KPERF_TAKEN ? 0 : key);
}

} // namespace detail
} // namespace kperf

#endif
#endif
