// Computes how much slower or faster runs became by a change: a run is one sample, and launches are nested in runs.
//
// What differs from run to run (addresses, clocks, temperature, neighbours) is the same for all launches of a run, so launches
// say nothing of it (T. Kalibera, R. Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013). Each run is one value: the
// mean of its launches without the lowest and the highest fifth (J. W. Tukey, D. H. McLaughlin, Sankhyā A 25, 1963), so that a
// slow first launch is no change. Two means of runs are compared by B. L. Welch's test (Biometrika 34, 1947) and by Student's
// with equal variances, and the wider interval counts: with two or three runs that happen to agree, Welch's alone is certain
// too often.
//
// Of one run a side only its launches can be compared. They follow each other: the variance of their trimmed mean is
// that of the means of 8 batches of winsorised values (J. W. Tukey, D. H. McLaughlin; R. Ibragimov, U. K. Müller,
// t-Statistic Based Correlation and Heterogeneity Robust Inference, Journal of Business & Economic Statistics 28, 2010),
// about their straight line; what the line rises by counts as uncertainty of where the run is.
//
// Which blocks are recorded, where not all are, is a hash of the launch's number and theirs: runs of one program choose the same, and what
// differs between runs says nothing of that choice. So its error (SampledBlocks.h) is added to that of several runs; launches of one run
// choose each their own.
//
// The ratio of two means is near to lognormal where the means are near to normal (delta method), so an interval is
// symmetric about the logarithm of the ratio and never reaches -100 %.
#ifndef KPERF_DECODER_RUN_CHANGE_H
#define KPERF_DECODER_RUN_CHANGE_H

#include "decoder/totals/SampledBlocks.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kperf::decoder {

struct RunValues {
  std::vector<double> launches;    ///< one value each, in order; not negative
  std::uint64_t createdUnixNs = 0; ///< when the run began; 0: unknown
  bool isSampled = false;          ///< not all blocks of the launches were recorded
  Estimate all = {0, 0.0};         ///< of all launches together; where isSampled, how far the choice of blocks may put it off
};

struct RunChange {
  double before = 0, after = 0; ///< what a launch takes, in the unit of the values
  double percent = 0;           ///< infinity where it was 0
  /// Where the change lies with 95 % confidence, in percent; nothing when there are too few launches (4 of the only run
  /// of each side) or runs (2 of one side).
  std::optional<std::pair<double, double>> interval;
  double p = 1; ///< the chance of a change at least this great between equals
  /// A side has one run: what differs from run to run is not in the interval, or is taken from the other side.
  bool isOfOneRun = false;
  /// Runs became slower or faster in their order, and the change goes on with that: the interval holds both.
  bool isDrifting = false;
  /// All runs of one side began behind those of the other: what became otherwise between them is in the change, and in the interval only
  /// where isDrifting.
  bool isInOrder = false;
  bool isExact = false;   ///< exactChange()
  bool isSampled = false; ///< sampledChange()
};

/// `before` and `after`: the runs of each side, none without launches, at least one each.
RunChange changeBetween(std::span<const RunValues> before, std::span<const RunValues> after);

/// The same of a clock that gives equal work equal times, so that no chance is in the values: the means of all launches, and an interval
/// that is the change itself. Nothing where the values say otherwise: runs of a side differ, or launches do and the sides have not equally
/// many.
std::optional<RunChange> exactChange(std::span<const RunValues> before, std::span<const RunValues> after);

/// The same where not all blocks were recorded: the interval is of which were chosen. Runs of a side that do the same choose the same
/// blocks: several tell no more of it than one. No interval where it is not known how far off a run is.
RunChange sampledChange(std::span<const RunValues> before, std::span<const RunValues> after);

/// The mean without the fifth of the values that is least and the fifth that is most; of at least one value.
double trimmedMean(std::span<const double> values);

} // namespace kperf::decoder

#endif
