// Estimates from one block in N against the truth, over blocks that kperf's own hash chooses.
#include "decoder/totals/SampledBlocks.h"

#include <kperf/rules/BlockSample.h>

#include <cmath>
#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

/// What a block takes; some take ten times as much as others.
double cyclesOf(std::uint64_t block) {
  return 100.0 + static_cast<double>(block % 17) * 40 + (block % 29 == 0 ? 1000 : 0);
}
double entriesOf(std::uint64_t block) { return 1.0 + static_cast<double>(block % 5); }

struct Sample {
  std::vector<SampleStratum> strata;
  std::vector<BySampleGroup> cycles, entries;
};

/// Adds one launch.
void addLaunch(Sample &sample, std::uint64_t launch, std::uint32_t blocks, std::uint32_t oneIn) {
  format::WarpHeader warp{};
  warp.gridId = launch;
  warp.gridX = blocks;
  warp.gridY = warp.gridZ = 1;
  warp.sampled = oneIn;
  if (sample.strata.empty()) {
    sample.strata.push_back({oneIn, isCertainToBeSeen(warp)});
    sample.cycles.emplace_back();
    sample.entries.emplace_back();
  }
  sample.strata[0].launched += blocks;
  for (warp.block = 0; warp.block < blocks; ++warp.block) {
    if (!detail::isSampledBlock(launch, warp.block, oneIn))
      continue;
    const std::size_t group = sampleGroupOf(warp);
    sample.strata[0].blocks[group] += 1;
    sample.cycles[0][group] += cyclesOf(warp.block);
    sample.entries[0][group] += entriesOf(warp.block);
  }
}

struct Coverage {
  unsigned total = 0, ratio = 0;
  double meanOfTotals = 0;
};

/// How often the intervals hold the truth, over `runs` runs of `launches` launches each.
Coverage coverageOf(unsigned runs, unsigned launches, std::uint32_t blocks, std::uint32_t oneIn) {
  double cycles = 0, entries = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    cycles += launches * cyclesOf(block);
    entries += launches * entriesOf(block);
  }
  Coverage out;
  for (unsigned run = 0; run < runs; ++run) {
    Sample sample;
    for (unsigned launch = 0; launch < launches; ++launch)
      addLaunch(sample, std::uint64_t{run} * launches + launch + 1, blocks, oneIn);
    const Estimate total = estimateTotal(sample.strata, sample.cycles);
    const Estimate ratio = estimateRatio(sample.strata, sample.cycles, sample.entries);
    out.total += total.error && std::abs(total.value - cycles) <= *total.error;
    out.ratio += ratio.error && std::abs(ratio.value - cycles / entries) <= *ratio.error;
    out.meanOfTotals += total.value / cycles / runs;
  }
  return out;
}

// Of 1000 runs, a binomial count with p = 0.95 has a standard deviation of 7; the intervals are themselves estimates,
// from few blocks of a skewed distribution, so four points are allowed below and all above.
TEST(SampledBlocks, IntervalsHoldTheTruth) {
  const Coverage large = coverageOf(1000, 1, 2000, 16);
  EXPECT_GE(large.total, 925u);
  EXPECT_LE(large.total, 985u);
  EXPECT_GE(large.ratio, 925u);
  EXPECT_LE(large.ratio, 985u);
  EXPECT_NEAR(large.meanOfTotals, 1, 0.005);
  const Coverage few = coverageOf(1000, 1, 500, 32);
  EXPECT_GE(few.total, 890u); // from 16 blocks
  EXPECT_NEAR(few.meanOfTotals, 1, 0.02);
}

/// Most of these launches have no recorded block, and nobody knows of those.
TEST(SampledBlocks, SmallLaunchesAreNotLost) {
  const Coverage small = coverageOf(1000, 100, 4, 8);
  EXPECT_NEAR(small.meanOfTotals, 1, 0.02);
  EXPECT_GE(small.total, 920u);
  EXPECT_LE(small.total, 985u);
}

TEST(SampledBlocks, AllBlocksHaveNoError) {
  Sample sample;
  addLaunch(sample, 1, 300, 1);
  sample.strata[0].isCertain = true;
  const Estimate total = estimateTotal(sample.strata, sample.cycles);
  double truth = 0;
  for (unsigned block = 0; block < 300; ++block)
    truth += cyclesOf(block);
  EXPECT_DOUBLE_EQ(total.value, truth);
  EXPECT_EQ(total.error, 0.0);
}

TEST(SampledBlocks, OneBlockTellsNothingOfTheError) {
  SampleStratum stratum{16, true, 1000, {}};
  BySampleGroup sums{};
  stratum.blocks[3] = 1;
  sums[3] = 7;
  const Estimate total = estimateTotal({&stratum, 1}, {&sums, 1});
  EXPECT_DOUBLE_EQ(total.value, 7000);
  EXPECT_FALSE(total.error);
}

// Two blocks of 1000, values 4 and 8, each in a group of its own: mean 6, s² = 8, which the groups give times 64/63; T
// = 6000, and its variance 1000² · (1 − 2/1000) · 8 / 2.
TEST(SampledBlocks, VarianceIsThatOfASimpleRandomSample) {
  SampleStratum stratum{500, true, 1000, {}};
  BySampleGroup sums{};
  stratum.blocks[0] = stratum.blocks[1] = 1;
  sums[0] = 4;
  sums[1] = 8;
  const Estimate total = estimateTotal({&stratum, 1}, {&sums, 1});
  EXPECT_DOUBLE_EQ(total.value, 6000);
  ASSERT_TRUE(total.error);
  EXPECT_NEAR(*total.error, 12.7062 * std::sqrt(1e6 * 0.998 * 4 * 64 / 63), 0.1);
}

TEST(SampledBlocks, StudentFactorIsThatOfTables) {
  EXPECT_NEAR(studentFactor(1), 12.706, 0.001);
  EXPECT_NEAR(studentFactor(2), 4.303, 0.001);
  EXPECT_NEAR(studentFactor(3), 3.182, 0.005);
  EXPECT_NEAR(studentFactor(10), 2.228, 0.001);
  EXPECT_NEAR(studentFactor(63), 1.998, 0.001);
}

/// One block in N, in every launch another one.
TEST(SampledBlocks, TheHashChoosesEvenlyAndAnew) {
  for (const std::uint32_t oneIn : {2u, 7u, 32u, 1000u}) {
    std::uint64_t chosen = 0, both = 0;
    constexpr std::uint64_t kBlocks = 1 << 18;
    for (std::uint64_t block = 0; block < kBlocks; ++block) {
      const bool first = detail::isSampledBlock(5, block, oneIn), next = detail::isSampledBlock(6, block, oneIn);
      chosen += first;
      both += first && next;
    }
    const double expected = static_cast<double>(kBlocks) / oneIn;
    EXPECT_NEAR(static_cast<double>(chosen), expected, 5 * std::sqrt(expected)) << oneIn;
    EXPECT_NEAR(static_cast<double>(both), expected / oneIn, 5 * std::sqrt(expected / oneIn) + 1) << oneIn;
  }
}

} // namespace
} // namespace kperf::decoder
