// Turns the cycles of one warp into ns from the start of the trace.
#ifndef KPERF_DECODER_WARP_CLOCK_H
#define KPERF_DECODER_WARP_CLOCK_H

#include "decoder/span/ClockFit.h"

#include <algorithm>
#include <cstdint>

namespace kperf::decoder {

struct WarpClock {
  ClockOrigin origin;
  double nsPerCycle;
  std::uint64_t base; ///< ns of the trace's start

  std::uint64_t operator()(std::uint64_t cycles) const {
    const auto signedDifference = [](std::uint64_t a, std::uint64_t b) { return static_cast<double>(static_cast<std::int64_t>(a - b)); };
    const double ns = signedDifference(origin.ns, base) + origin.fraction + signedDifference(cycles, origin.cycles) * nsPerCycle;
    const double clamped = std::clamp(ns, 0.0, 9e18);
    const auto whole = static_cast<std::uint64_t>(clamped); // std::round, which is a call
    return whole + (clamped - static_cast<double>(whole) >= 0.5);
  }
};

} // namespace kperf::decoder

#endif
