// Fits nanoseconds per cycle to pairs of SM clock and device timer.
#ifndef KPERF_DECODER_CLOCK_FIT_H
#define KPERF_DECODER_CLOCK_FIT_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kperf::decoder {

/// The two clock pairs of one finished warp.
struct ClockPair {
  std::uint64_t startCycles, startNs, endCycles, endNs;
  std::uint16_t sm;
};

struct ClockRate {
  enum class Source { None, Fit, Nominal, Unit };
  double nsPerCycle = 0;
  Source source = Source::None;
  double relativeError = 0; ///< standard error of the rate
  double residualNs = 0;    ///< root mean square distance of the timer's values from the line

  bool isKnown() const { return source != Source::None; }
};

/// Sums of squares about the means of groups of (cycles, ns); sums of several launches add up to their common rate.
struct RateSums {
  double cyclesCycles = 0, cyclesNs = 0, nsNs = 0;
  std::uint64_t points = 0, groups = 0;

  RateSums &operator+=(const RateSums &other);
  /// The rate, or nothing when the baselines are too short for the timer's granularity: a standard error above 0.5 %,
  /// which is about 100 ticks between two points.
  std::optional<ClockRate> rate(std::uint32_t timerTickNs) const;
};

/// Where the cycles of one SM lie on the device's timeline during one launch.
struct ClockOrigin {
  std::uint16_t sm;
  std::uint64_t cycles; ///< a point on the line
  std::uint64_t ns;     ///< whole part of its time
  double fraction;      ///< the rest, 0 to 1
};

struct ClockFit {
  RateSums sums;
  std::vector<ClockOrigin> origins; ///< by SM, ascending
};

/// Fits one launch: one rate, one offset for each SM (the SM clocks of a device share a frequency, not a zero), by
/// least squares about the median slope after points further from the line than the timer's granularity explains are
/// left out. Sorts `pairs` by SM.
ClockFit fitClocks(std::vector<ClockPair> &pairs, std::uint32_t timerTickNs);

} // namespace kperf::decoder

#endif
