// Extends the low 32 bits of a clock to 64 by what is known about when it was read.
#ifndef KPERF_DECODER_CLOCK_UNWRAP_H
#define KPERF_DECODER_CLOCK_UNWRAP_H

#include <cstdint>

namespace kperf::decoder {

/// The one time at or after `earliest`, less than 2^32 cycles later, whose low 32 bits are `clock`.
inline std::uint64_t unwrapFrom(std::uint64_t earliest, std::uint32_t clock) {
  return earliest + static_cast<std::uint32_t>(clock - static_cast<std::uint32_t>(earliest));
}

/// The one time at or before `latest`, less than 2^32 cycles earlier.
inline std::uint64_t unwrapUntil(std::uint64_t latest, std::uint32_t clock) {
  return latest - static_cast<std::uint32_t>(static_cast<std::uint32_t>(latest) - clock);
}

/// How far a record's clock may lie before its predecessor's in a warp that lives for longer than a wrap; the rest of
/// the 32 bits is for the time between two records. Reserved records stand in order but for lanes that diverged; the
/// others are written by one lane, one after the other.
inline constexpr std::uint64_t kReservedDisorder = std::uint64_t{1} << 28;
inline constexpr std::uint64_t kOrderedDisorder = 64;

/// How far a clock may lie outside the life of its warp: the compiler may move a clock read past the one at the
/// kernel's entry or exit.
inline constexpr std::uint64_t kEdgeCycles = 1024;

} // namespace kperf::decoder

#endif
