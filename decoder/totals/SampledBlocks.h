// Estimates totals over all blocks of a kernel, with their errors, from the recorded ones when one block in N was recorded.
//
// Each block of a launch is in the sample with probability 1/N, independently of the others. Given how many blocks are
// in it, it is then a simple random sample of all blocks, and of n recorded blocks among B with values y the total is
// estimated without bias by T = B·mean(y), with the variance B²·(1 − n/B)·s²/n, where s² is the variance between blocks
// (W. G. Cochran, Sampling Techniques, 3rd ed., theorems 2.1, 2.2 and 2.4). B is known of launches that have a recorded
// block; a launch so small that it may have none is no part of that. Of those, T = N·sum(y) with the variance N·(N −
// 1)·sum(y²) (Horvitz and Thompson's estimator of a Poisson sample: C.-E. Särndal, B. Swensson, J. Wretman, Model
// Assisted Survey Sampling, section 3.5).
//
// Where launches were chosen, one of each N in a row, a launch is what a block is above: n of B launches are recorded, and y is what one
// adds up to. That one of each N is chosen, and not n of all, makes the error smaller where launches that follow each other are alike.
// Where blocks of the launches were sampled too, y is itself an estimate, which s² has the variance of; then 1 − n/B is left out (Särndal,
// Swensson, Wretman, section 4.6). Of a single launch the variance is that of the Poisson sample.
//
// s² and sum(y²) are not summed up block by block: a block falls into one of 128 groups by a hash, and the sums of the
// groups give both without bias (K. M. Wolter, Introduction to Variance Estimation, chapter 2: random groups).
//
// An interval is given only where the blocks are a base for one. (1) At least 60 were recorded: of what fewer than 5 %
// of all blocks do, 60 may show nothing ("rule of three": J. A. Hanley, A. Lippman-Hand, If nothing goes wrong, is
// everything all right?, JAMA 249, 1983). (2) They are not all alike. (3) n ≥ 25·G², G the skewness of what the groups
// add to the error, by which the total is near enough to normal (Cochran, section 2.15). (4) The same with the skewness
// of the lognormal distribution whose upper tail is as long as that of the values: of a heavy tail the few recorded
// blocks show too little in G. The tail's length is B. M. Hill's estimator over the 2·√n greatest values (A simple
// general approach to inference about the tail of a distribution, Annals of Statistics 3, 1975).
#ifndef KPERF_DECODER_SAMPLED_BLOCKS_H
#define KPERF_DECODER_SAMPLED_BLOCKS_H

#include <kperf/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kperf::decoder {

/// By group of blocks.
inline constexpr std::size_t kBlockGroups = 128;
using BySampleGroup = std::array<double, kBlockGroups>;

std::size_t sampleGroupOf(const format::WarpHeader &warp);

/// Blocks of one kernel that were chosen with the same probability.
struct SampleStratum {
  std::uint32_t oneIn;
  bool isCertain;         ///< each of its launches is certain to have a recorded block, as good as
  double launched = 0;    ///< blocks of its launches, where isCertain
  BySampleGroup blocks{}; ///< recorded
  /// 0; or launches were chosen, all "blocks" above are launches, and this is how many blocks of them a recorded one stands for.
  std::uint32_t within = 0;

  /// Blocks that one recorded block stands for.
  double weight() const;
};

/// Whether the warp's launch is certain to have a recorded block, as good as: of at least 14·N blocks the chance that
/// none was chosen is (1 − 1/N)^(14·N) < e⁻¹⁴. Never of a kernel without probes, whose blocks are recorded if a
/// function with some is called.
bool isCertainToBeSeen(const format::WarpHeader &warp);

struct Estimate {
  double value;
  /// Half the width of an interval that holds the truth in 95 of 100 cases or more; 0 only where all blocks were
  /// recorded. Nothing where what was recorded can't tell.
  std::optional<double> error;
};

/// Of the sum over all blocks, from sums by stratum and group.
Estimate estimateTotal(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums);

/// Of a sum of which each block, recorded or not, is known to have the same, as its warps: chance is only in how many blocks were chosen.
Estimate estimateKnown(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums);

/// The error of sum − ratio · count where `ratio` is the quotient of two estimates: over the estimate of the count it is that of the ratio.
std::optional<double> errorOfRest(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums,
                                  std::span<const BySampleGroup> counts, double ratio);

/// Of a quotient of two such sums, by linearisation (Cochran, section 6.4); its error is known only where that of the
/// first sum is: what no recorded block did is missing from both.
Estimate estimateRatio(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums, std::span<const BySampleGroup> counts);

/// How many blocks with as many entries in each say as much of the lengths of entries as these with their `counts`, whatever entries of one
/// block have in common (L. Kish, Survey Sampling, section 5.4, and Journal of Official Statistics 8, 1992: n over 1 + the square of the
/// coefficient of variation). Nothing of fewer than kMinBlocks.
std::optional<double> blocksOfAsManyEntries(const SampleStratum &stratum, const BySampleGroup &counts);

/// Fewer recorded blocks than these say nothing of how far off an estimate is.
inline constexpr double kMinBlocks = 60;

/// How many times the squared skewness of its blocks there must be, for a sum to be near enough to normal.
inline constexpr double kBlocksPerSkewness = 25;

/// Intervals are wider by this than those of a normal distribution: what skewness the rules let pass, and that a variance
/// from few blocks is skewed too, makes them hold the truth in up to 2 of 100 cases less than they say (measured:
/// test/decoder/totals/SampledBlocksTest.cpp).
inline constexpr double kSkewnessGuard = 1.15;

/// The skewness of the lognormal distribution whose upper tail is as long as that of `values`, of which each is the mean of
/// `perGroup` blocks; in units of the mean.
double skewnessOfTail(std::vector<double> values, double perGroup);

/// Blocks that were recorded.
double recordedBlocks(std::span<const SampleStratum> strata);

} // namespace kperf::decoder

#endif
