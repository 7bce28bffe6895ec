// The pattern of an access whose lanes are evenly spaced, in one row or in several: all that its counters depend on, in 64 bits.
//
// Most accesses of a site have one of a few patterns. So a GPU counts how often each came, and the runtime works out
// the counters when it reads them back (kperf/rules/AccessCounts.h).
#ifndef KPERF_ACCESS_PATTERN_H
#define KPERF_ACCESS_PATTERN_H

#include <kperf/rules/AccessKind.h>
#include <kperf/rules/HostDevice.h>

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

namespace kperf {
namespace detail {

/// Lane i of the first `lanes` ones accesses `bytes` bytes (a power of two, at most 16) at an address that is `stride`
/// * i bytes behind that of lane 0, which is `offset` bytes behind a multiple of 128. What counts of global memory is
/// the order of the active lanes alone, so that i may be a lane's rank among them.
/// In a tile, as blocks of two dimensions and threads of a matrix product access it, all 32 lanes stand in rows of `width`: lane i is
/// `stride` * (i % width) + `rowStride` * (i / width) bytes behind lane 0.
struct AccessPattern {
  int32_t stride; ///< 0 where there is a single lane
  uint32_t offset, lanes, bytes;
  bool isShared;
  AccessKind kind;
  uint32_t widthLog2 = 0; ///< of a tile: 1 to 4; 0: one row
  int32_t rowStride = 0;

  /// Whether a tile's stride has a place in the key: as many elements.
  KPERF_HOST_DEVICE static constexpr bool isTileStride(int64_t stride, uint32_t bytes) {
    return stride >= -256 * static_cast<int32_t>(bytes) && stride < 256 * static_cast<int32_t>(bytes) &&
           (static_cast<uint32_t>(stride) & (bytes - 1)) == 0;
  }

  /// From lane 0's address to that of lane i, in bytes.
  KPERF_HOST_DEVICE constexpr int64_t distanceOf(uint32_t i) const {
    return widthLog2 == 0 ? int64_t{stride} * i : int64_t{stride} * (i & ((1u << widthLog2) - 1)) + int64_t{rowStride} * (i >> widthLog2);
  }

  /// Of an access by one lane alone, in kperf_site_row::lone.
  KPERF_HOST_DEVICE static constexpr uint32_t loneIndex(uint32_t bytes, bool isShared) {
    return (isShared ? 8 : 0) + (bytes >= 4 ? 2 + bytes / 8 : bytes / 2); // of 1, 2, 4, 8 and 16 bytes: 0, 1, 2, 3 and 4
  }

  /// Never 0. The upper half of a tile has 0 for the number of lanes, and above the rest its width and stride; the lower half is the
  /// distance that needs more bits.
  KPERF_HOST_DEVICE constexpr uint64_t key() const {
    const uint32_t shape = bytes << 6 | offset << 11 | uint32_t{isShared} << 18 | static_cast<uint32_t>(kind) << 19;
    if (widthLog2 == 0)
      return uint64_t{shape | lanes} << 32 | static_cast<uint32_t>(stride);
    const uint32_t elements = static_cast<uint32_t>(stride / static_cast<int32_t>(bytes)) & 511;
    return uint64_t{shape | (widthLog2 - 1) << 21 | elements << 23} << 32 | static_cast<uint32_t>(rowStride);
  }
  KPERF_HOST_DEVICE static constexpr AccessPattern of(uint64_t key) {
    const auto rest = static_cast<uint32_t>(key >> 32);
    const auto low = static_cast<int32_t>(static_cast<uint32_t>(key));
    const uint32_t lanes = rest & 63, bytes = rest >> 6 & 31, offset = rest >> 11 & 127;
    const bool isShared = (rest >> 18 & 1) != 0;
    const auto kind = static_cast<AccessKind>(rest >> 19 & 3);
    if (lanes != 0)
      return {low, offset, lanes, bytes, isShared, kind};
    const int32_t stride = (static_cast<int32_t>(rest) >> 23) * static_cast<int32_t>(bytes); // its sign is the word's
    return {stride, offset, 32, bytes, isShared, kind, (rest >> 21 & 3) + 1, low};
  }
  /// Whether that can be the key of an access: by 1 to 32 lanes, of 1, 2, 4, 8 or 16 bytes.
  KPERF_HOST_DEVICE static constexpr bool isKey(uint64_t key) {
    const AccessPattern pattern = of(key);
    const bool isShape = pattern.widthLog2 != 0 || key >> 53 == 0;
    return isShape && (key >> 51 & 3) != 3 && pattern.lanes - 1 < 32 && pattern.bytes - 1 < 16 &&
           (pattern.bytes & (pattern.bytes - 1)) == 0;
  }
  /// Of a lane 0 that accesses memory at `offset`, one at which all counters are the same: so a site has few patterns.
  KPERF_HOST_DEVICE static constexpr uint32_t representative(int32_t stride, uint32_t offset, uint32_t lanes, uint32_t bytes,
                                                             bool isShared) {
    if (isShared) // all words move on by as many banks
      return bytes >= 4 ? 0 : offset & 3;
    if (stride % 128 == 0) // sectors and lines that the lanes have to themselves, or one that they share
      return 0;
    if (stride == static_cast<int32_t>(bytes) && bytes >= 4 && lanes == 32) // several whole lines, of which one more is touched
      return offset == 0 ? 0 : offset % 32 == 0 ? 32 : bytes;
    return offset;
  }
  /// The same of a tile.
  KPERF_HOST_DEVICE static constexpr uint32_t representativeOfTile(uint32_t offset, uint32_t bytes, bool isShared) {
    return !isShared ? offset : bytes >= 4 ? 0 : offset & 3;
  }
  /// The place in kperf_site_row that the pattern is kept at, if it is.
  KPERF_HOST_DEVICE static constexpr uint32_t placeOf(uint64_t key) {
    return (static_cast<uint32_t>(key >> 32) * 0x9e3779b1u + static_cast<uint32_t>(key) * 0x85ebca6bu) >> 27;
  }
};

} // namespace detail
} // namespace kperf

#endif
