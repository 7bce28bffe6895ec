// Packs what a GPU's probe has to know of the instructions that make a site's accesses into the 13 bits above its row's number.
#ifndef KPERF_MACHINE_CODE_H
#define KPERF_MACHINE_CODE_H

#include <kperf/format.h>
#include <kperf/rules/HostDevice.h>

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

namespace kperf {
namespace detail {

/// 0: each access of the source is counted as it stands there. Bits 0 and 1: Wide, Narrow or Skipped; 2 to 4: the logarithm of an
/// instruction's bytes; 5 to 12: MachineAccessRecord::pieces.
struct MachineCode {
  enum Kind : uint32_t { AsSource = 0, Wide = 1, Narrow = 2, Skipped = 3 };
  uint32_t bits;

  /// Of what has no such code (other sizes, more pieces) the source is counted.
  KPERF_HOST_DEVICE static constexpr MachineCode of(format::MachineState state, uint32_t bytes, uint32_t pieces) {
    uint32_t log2 = 0;
    while (1u << log2 < bytes)
      ++log2;
    const bool isKnownSize = bytes <= 16 && 1u << log2 == bytes;
    if (state == format::MachineState::Merged || state == format::MachineState::Removed)
      return {Skipped};
    if (state == format::MachineState::Wide && isKnownSize)
      return {Wide | log2 << 2 | (pieces <= bytes ? pieces : 0) << 5};
    if (state == format::MachineState::Narrow && isKnownSize && pieces != 0 && pieces < 256)
      return {Narrow | log2 << 2 | pieces << 5};
    return {AsSource};
  }

  KPERF_HOST_DEVICE constexpr uint32_t kind() const { return bits & 3; }
  KPERF_HOST_DEVICE constexpr uint32_t bytes() const { return 1u << (bits >> 2 & 7); }
  /// Whether of a wide instruction the access to that part of its memory is the one that stands for it.
  KPERF_HOST_DEVICE constexpr bool counts(uint32_t part) const { return bits >> 5 == 0 || bits >> 5 == part + 1; }
  /// Where the k-th instruction for a narrowed element begins, in bytes from the element's begin; `hasMore`: another one follows.
  KPERF_HOST_DEVICE constexpr uint32_t offsetOf(uint32_t k, bool &hasMore) const {
    uint32_t left = bits >> 5 & 255, index = 0;
    for (uint32_t i = 0; i < 8; ++i) // without branches
      left = i < k ? left & (left - 1) : left;
    const uint32_t lowest = left & (0u - left);
    for (uint32_t i = 1; i < 8; ++i)
      index += lowest >> i != 0;
    hasMore = (left & (left - 1)) != 0;
    return index * bytes();
  }
};

} // namespace detail
} // namespace kperf

#endif
