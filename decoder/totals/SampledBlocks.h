// What the recorded blocks of a kernel say about all of its blocks when one in so many was recorded: totals with their
// errors.
//
// Each block of a launch is in the sample with probability 1/N, independently of the others. Given how many blocks are
// in it, it is then a simple random sample of all blocks, and of n recorded blocks among B with values y the total is
// estimated without bias by T = B·mean(y), with the variance B²·(1 − n/B)·s²/n, where s² is the variance between blocks
// (W. G. Cochran, Sampling Techniques, 3rd ed., theorems 2.1, 2.2 and 2.4). B is known of launches that have a recorded
// block; a launch so small that it may have none is no part of that. Of those, T = N·sum(y) with the variance N·(N −
// 1)·sum(y²) (Horvitz and Thompson's estimator of a Poisson sample: C.-E. Särndal, B. Swensson, J. Wretman, Model
// Assisted Survey Sampling, section 3.5).
//
// s² and sum(y²) are not summed up block by block: a block falls into one of 64 groups by a hash, and the sums of the
// groups give both without bias (K. M. Wolter, Introduction to Variance Estimation, chapter 2: random groups).
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
inline constexpr std::size_t kBlockGroups = 64;
using BySampleGroup = std::array<double, kBlockGroups>;

std::size_t sampleGroupOf(const format::WarpHeader &warp);

/// Blocks of one kernel that were chosen with the same probability.
struct SampleStratum {
  std::uint32_t oneIn;
  bool isCertain;         ///< each of its launches is certain to have a recorded block, as good as
  double launched = 0;    ///< blocks of its launches, where isCertain
  BySampleGroup blocks{}; ///< recorded

  /// Blocks that one recorded block stands for.
  double weight() const;
};

/// Whether the warp's launch is certain to have a recorded block, as good as: of at least 14·N blocks the chance that
/// none was chosen is (1 − 1/N)^(14·N) < e⁻¹⁴. Never of a kernel without probes, whose blocks are recorded if a
/// function with some is called.
bool isCertainToBeSeen(const format::WarpHeader &warp);

struct Estimate {
  double value;
  std::optional<double>
      error; ///< half the width of the 95 % confidence interval; nothing where one block says nothing about it
};

/// Of the sum over all blocks, from sums by stratum and group.
Estimate estimateTotal(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums);

/// Of a quotient of two such sums, by linearisation.
Estimate estimateRatio(std::span<const SampleStratum> strata, std::span<const BySampleGroup> sums,
                       std::span<const BySampleGroup> counts);

/// The factor of a 95 % confidence interval: Student's distribution at 0.975.
double studentFactor(double degreesOfFreedom);

} // namespace kperf::decoder

#endif
