// Estimates the errors of access counters when 1 block, or 1 execution, in N was counted.
//
// Each block is counted with probability 1/N, independently of the others, so N times the count is an estimate without
// bias (Horvitz and Thompson's; C.-E. Särndal, B. Swensson, J. Wretman, Model Assisted Survey Sampling, section 3.5). Its
// variance is N·(N − 1)·Σy² over the counted blocks. Blocks come to one of G groups by a hash, whatever they do; of the
// groups' counts s, Σ(s − mean)²·G/(G − 1) estimates Σy² without bias (K. M. Wolter, Introduction to Variance Estimation,
// chapter 2: random groups). Groups by multiprocessor would not do: one that is held up by blocks that do much is given
// fewer of the others, so that such groups differ less than chance has it. Of the same groups of several traces the
// counts add up, for the same blocks may be chosen there.
//
// Of executions it is the same, each of which is counted with probability 1/N and comes to any group. Where blocks are sampled and in
// them executions, the groups are of blocks, and N is the product: of the blocks' part, Nb·(Nb − 1)·Σy² of what they did, that makes too
// much (Nb·N − 1 in place of N·(Nb − 1)), never too little. N may have grown while the kernel ran, by what had been counted by then: each
// execution's chance stands before it comes, so that estimates stay without bias, and what they miss in one stretch and in another is
// not correlated.
//
// As in decoder/totals/SampledBlocks.h an interval is given only where the blocks are a base for one: (1) they are worth
// 60 blocks that do equally much, (Σy)²/Σy² of them; (2) they are not all alike: then all counts are a multiple of what one
// block does, and of blocks that are counted by chance s/that has a variance as great as its mean; (3) the skewness of the
// estimate and (4) the length of the groups' upper tail leave it near enough to normal. Executions may be all alike, for what one of them
// may do has an end: of an instruction of 32 lanes, 32 sectors. There (1) asks for 200 of all N together, and the interval is
// wider by what executions of a kind can come to of which none was counted (test/decoder/memory/SampledExecutionsTest.cpp).
#ifndef KPERF_DECODER_SAMPLED_ACCESSES_H
#define KPERF_DECODER_SAMPLED_ACCESSES_H

#include <kperf/format.h>

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace kperf::decoder {

/// One counter of some sites together, group by group.
class SampledAccesses {
public:
  /// `weight`: what one access counts for, without the blocks that were not counted. Rows of all blocks change nothing.
  void add(const format::SiteCounterRecord &row, format::SiteCounter counter, std::uint64_t weight);
  void add(const SampledAccesses &other);

  /// Half the width of an interval that holds what the estimate is of in 95 of 100 cases or more; 0 where all blocks were
  /// counted, nothing where it can't be known.
  std::optional<double> error() const;
  /// The same of the quotient of the estimate by that of `base`, of the same blocks, where both their errors are known: `ratio`, whose
  /// divisor is `whole` (linearisation: W. G. Cochran, Sampling Techniques, section 6.4).
  double errorOfRatio(const SampledAccesses &base, double ratio, double whole) const;
  /// The same for blocks that are all alike as far as they were counted, if all others are like them: how many are chosen is chance.
  /// Nothing where they differ.
  std::optional<double> errorIfAlike() const;
  /// Whether some counts come from traces that do not say how blocks differ.
  bool isOfUnknownGroups() const { return hasWhole; }

private:
  /// What was sampled in one way.
  struct Key {
    std::uint32_t oneIn, groups;
    bool isOfExecutions; ///< each group is of any executions, in all blocks
    auto operator<=>(const Key &) const = default;
  };
  using Counts = std::vector<std::uint64_t>; ///< by group
  static bool isUniform(const Counts &counts);

  std::map<Key, Counts> countsOf;
  double maxOfExecution = 0; ///< that one execution can add
  bool hasWhole = false;
};

/// All counters of some sites together.
class SampledCounters {
public:
  void add(const format::SiteCounterRecord &row, std::uint64_t weight);
  void add(const SampledCounters &other);
  const SampledAccesses &operator[](format::SiteCounter counter) const { return counters[counter]; }

private:
  std::array<SampledAccesses, format::kSiteCounters> counters;
};

} // namespace kperf::decoder

#endif
