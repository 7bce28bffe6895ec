// Tests whether two samples differ, and by how much, without assuming how they are distributed.
#ifndef KPERF_DECODER_RANK_TEST_H
#define KPERF_DECODER_RANK_TEST_H

#include <optional>
#include <span>
#include <utility>

namespace kperf::decoder {

/// What one sample says about another, in the unit of the samples.
struct Shift {
  double estimate = 0; ///< Hodges-Lehmann: the median of all differences b - a
  /// Where the shift lies with 95 % confidence; nothing when there are too few values (at least 4 on both sides).
  std::optional<std::pair<double, double>> interval;
  double p = 1; ///< two-sided p value of the Wilcoxon-Mann-Whitney test
};

/// Compares two independent samples, neither empty. The test is exact, ties included, up to 40 values in all; beyond
/// that it is the normal approximation with corrections for ties and continuity. (Hollander, Wolfe, Chicken:
/// Nonparametric Statistical Methods, 3rd ed., chapter 4.)
Shift shiftBetween(std::span<const double> a, std::span<const double> b);

double median(std::span<const double> values);

} // namespace kperf::decoder

#endif
