// The power-of-two ranges by which the device counts the lengths of summed regions (format.h).
#ifndef KPERF_DECODER_LENGTH_POWERS_H
#define KPERF_DECODER_LENGTH_POWERS_H

#include <kperf/format.h>

#include <bit>
#include <cstdint>

namespace kperf::decoder {

/// Both ends belong to it.
struct LengthRange {
  std::uint64_t min, max;
};

/// 0 for the length 0, else one more than the place of its highest bit: up to 64, of which the device knows those below
/// format::kLengthPowers.
constexpr unsigned powerOf(std::uint64_t length) { return static_cast<unsigned>(std::bit_width(length)); }

constexpr LengthRange lengthsOfPower(unsigned power) {
  const std::uint64_t min = power == 0 ? 0 : std::uint64_t{1} << (power - 1);
  return {min, power == 0 ? 0 : min + (min - 1)};
}

} // namespace kperf::decoder

#endif
