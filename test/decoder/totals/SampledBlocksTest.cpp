// Estimates from one block in N against the truth, over blocks that kperf's own hash chooses.
#include "decoder/totals/SampledBlocks.h"
#include "test/decoder/Random.h"

#include <kperf/rules/BlockSample.h>

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace kperf::decoder {
namespace {

/// What a block takes; some take ten times as much as others.
double cyclesOf(std::uint64_t block) { return 100.0 + static_cast<double>(block % 17) * 40 + (block % 29 == 0 ? 1000 : 0); }
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

using Lengths = std::function<double(std::mt19937_64 &, std::uint64_t)>;

struct Outcome {
  unsigned kernels = 0, stated = 0, wrong = 0, wrongRatio = 0, statedRatio = 0;
  double meanOfTotals = 0;
};

/// What is stated of `runs` kernels of one launch, whose blocks take `lengthOf` them, each in its own seed.
Outcome outcomeOf(const Lengths &lengthOf, std::uint32_t blocks, std::uint32_t oneIn, unsigned runs = 400) {
  Outcome out{.kernels = runs};
  for (unsigned run = 0; run < runs; ++run) {
    std::mt19937_64 random(run * 1000003u + blocks);
    format::WarpHeader warp{};
    warp.gridId = run + 1;
    warp.gridX = blocks;
    warp.gridY = warp.gridZ = 1;
    warp.sampled = oneIn;
    SampleStratum stratum{oneIn, isCertainToBeSeen(warp), double(blocks), {}};
    BySampleGroup cycles{}, entries{};
    double truth = 0, truthOfEntries = 0;
    for (warp.block = 0; warp.block < blocks; ++warp.block) {
      const double length = lengthOf(random, warp.block), count = entriesOf(warp.block);
      truth += length;
      truthOfEntries += count;
      if (!detail::isSampledBlock(warp.gridId, warp.block, oneIn))
        continue;
      const std::size_t group = sampleGroupOf(warp);
      stratum.blocks[group] += 1;
      cycles[group] += length;
      entries[group] += count;
    }
    const Estimate total = estimateTotal({&stratum, 1}, {&cycles, 1});
    const Estimate ratio = estimateRatio({&stratum, 1}, {&cycles, 1}, {&entries, 1});
    out.stated += total.error.has_value();
    out.wrong += total.error && std::abs(total.value - truth) > *total.error;
    out.statedRatio += ratio.error.has_value();
    out.wrongRatio += ratio.error && std::abs(ratio.value - truth / truthOfEntries) > *ratio.error;
    out.meanOfTotals += total.value / truth / runs;
    EXPECT_TRUE(!total.error || *total.error > 0);
  }
  return out;
}

double uniform(std::mt19937_64 &random) { return drawUniform(random, 1e-9, 1); }
double normal(std::mt19937_64 &random) { return drawNormal(random); }

const std::vector<std::pair<const char *, Lengths>> kMild = {
    {"noise", [](auto &random, auto) { return 1000 + 20 * normal(random); }},
    {"spread", [](auto &random, auto) { return 1000 + 200 * normal(random); }},
    {"even", [](auto &random, auto) { return 1000 * uniform(random); }},
    {"periodic", [](auto &, std::uint64_t block) { return 20.0 + double(block % 16) * 20; }},
    {"two periods", [](auto &, std::uint64_t block) { return cyclesOf(block); }},
    {"triangle", [](auto &, std::uint64_t block) { return 100.0 + double(block); }},
    {"half", [](auto &, std::uint64_t block) { return block % 2 ? 100.0 : 0.0; }}};

const std::vector<std::pair<const char *, Lengths>> kTailed = {
    {"exponential", [](auto &random, auto) { return -100 * std::log(uniform(random)); }},
    {"lognormal 1", [](auto &random, auto) { return 100 * std::exp(normal(random)); }},
    {"lognormal 2", [](auto &random, auto) { return 100 * std::exp(2 * normal(random)); }},
    {"Pareto 3", [](auto &random, auto) { return std::pow(uniform(random), -1 / 3.0); }},
    {"Pareto 1.5", [](auto &random, auto) { return std::pow(uniform(random), -1 / 1.5); }},
    {"Pareto 1.1", [](auto &random, auto) { return std::pow(uniform(random), -1 / 1.1); }},
    {"one in 10", [](auto &, std::uint64_t block) { return block % 10 == 3 ? 1000.0 : 100.0; }},
    {"one in 64", [](auto &, std::uint64_t block) { return block % 64 == 7 ? 3000.0 : 10.0; }},
    {"one in 500", [](auto &, std::uint64_t block) { return block % 500 == 7 ? 500.0 : 10.0; }}};

/// Of 400 kernels; a binomial count with p = 0.05 has a standard deviation of 4.4, but intervals have some room.
constexpr unsigned kMaxWrong = 400 / 20;

TEST(SampledBlocks, IntervalsOfMildKernelsAreGivenAndHoldTheTruth) {
  for (const auto &[name, lengthOf] : kMild)
    for (const auto &[blocks, oneIn] : {std::pair{2048u, 16u}, {1200u, 4u}, {16384u, 16u}}) {
      const Outcome out = outcomeOf(lengthOf, blocks, oneIn);
      EXPECT_LE(out.wrong, kMaxWrong) << name << ' ' << blocks;
      EXPECT_LE(out.wrongRatio, kMaxWrong) << name << ' ' << blocks;
      EXPECT_GE(out.stated, 250u) << name << ' ' << blocks;
      EXPECT_GE(out.statedRatio, 200u) << name << ' ' << blocks;
      EXPECT_NEAR(out.meanOfTotals, 1, 0.01) << name << ' ' << blocks;
    }
}

/// Few of these can be told, and what is told holds: of all kernels not one in 20 gets a wrong interval.
TEST(SampledBlocks, HeavyTailsAreNotStatedWrongly) {
  for (const auto &[name, lengthOf] : kTailed)
    for (const auto &[blocks, oneIn] : {std::pair{512u, 16u}, {2048u, 16u}, {1200u, 4u}, {8192u, 16u}}) {
      const Outcome out = outcomeOf(lengthOf, blocks, oneIn);
      EXPECT_LE(out.wrong, kMaxWrong) << name << ' ' << blocks;
      EXPECT_LE(out.wrongRatio, kMaxWrong) << name << ' ' << blocks;
    }
}

/// Enough blocks of a kind make it known.
TEST(SampledBlocks, ManyBlocksTellOfASkewedKernel) {
  EXPECT_GE(outcomeOf(kTailed[0].second, 16384, 16, 100).stated, 80u); // 1024 blocks, exponential
  EXPECT_GE(outcomeOf(kTailed[6].second, 16384, 16, 100).stated, 80u); // 100 of them long
}

TEST(SampledBlocks, BlocksThatAreAllAlikeTellNothingOfTheOthers) {
  const Outcome out = outcomeOf([](auto &, auto) { return 0.1; }, 16384, 16, 50);
  EXPECT_EQ(out.stated, 0u);
  EXPECT_NEAR(out.meanOfTotals, 1, 1e-9);
}

/// Of fewer than 60 blocks what one block in 20 does can be missing.
TEST(SampledBlocks, FewBlocksTellNothingOfTheError) { EXPECT_EQ(outcomeOf(kMild[1].second, 512, 16, 50).stated, 0u); }

/// Most of these launches have no recorded block, and nobody knows of those.
TEST(SampledBlocks, SmallLaunchesAreNotLost) {
  double truth = 0, mean = 0;
  unsigned stated = 0, wrong = 0;
  constexpr unsigned kRuns = 400, kLaunches = 400, kBlocks = 4;
  for (unsigned block = 0; block < kBlocks; ++block)
    truth += kLaunches * cyclesOf(block);
  for (unsigned run = 0; run < kRuns; ++run) {
    Sample sample;
    for (unsigned launch = 0; launch < kLaunches; ++launch)
      addLaunch(sample, std::uint64_t{run} * kLaunches + launch + 1, kBlocks, 8);
    const Estimate total = estimateTotal(sample.strata, sample.cycles);
    stated += total.error.has_value();
    wrong += total.error && std::abs(total.value - truth) > *total.error;
    mean += total.value / truth / kRuns;
  }
  EXPECT_NEAR(mean, 1, 0.02);
  EXPECT_GE(stated, kRuns * 9 / 10);
  EXPECT_LE(wrong, kMaxWrong);
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

// 64 blocks of 1000, each in a group of its own, half of them 4 and half 8: mean 6, s² = 4·64/63, which the groups give
// times 128/127; T = 6000, and its variance 1000² · (1 − 64/1000) · s² / 64.
TEST(SampledBlocks, VarianceIsThatOfASimpleRandomSample) {
  SampleStratum stratum{16, true, 1000, {}};
  BySampleGroup sums{};
  for (std::size_t i = 0; i < 64; ++i) {
    stratum.blocks[2 * i] = 1;
    sums[2 * i] = i % 2 ? 4 : 8;
  }
  const Estimate total = estimateTotal({&stratum, 1}, {&sums, 1});
  EXPECT_DOUBLE_EQ(total.value, 6000);
  ASSERT_TRUE(total.error);
  EXPECT_NEAR(*total.error, 1.15 * 1.99834 * std::sqrt(1e6 * 0.936 * 4 / 63 * 128 / 127), 0.1);
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

/// Whether one block is chosen says nothing of another one of the launch, at whatever distance.
TEST(SampledBlocks, BlocksAreChosenTogetherAsOftenAsChanceHasIt) {
  constexpr std::uint32_t kBlocks = 1 << 14, kLaunches = 8, kDistances = 96;
  for (const std::uint32_t oneIn : {5u, 16u}) {
    std::vector<std::vector<bool>> chosen(kLaunches, std::vector<bool>(kBlocks));
    for (std::uint32_t launch = 0; launch < kLaunches; ++launch)
      for (std::uint32_t block = 0; block < kBlocks; ++block)
        chosen[launch][block] = detail::isSampledBlock(launch + 1, block, oneIn);
    for (std::uint32_t distance = 1; distance <= kDistances; ++distance) {
      double both = 0;
      for (const std::vector<bool> &launch : chosen)
        for (std::uint32_t block = 0; block + distance < kBlocks; ++block)
          both += launch[block] && launch[block + distance];
      const double expected = double{kLaunches} * (kBlocks - distance) / oneIn / oneIn;
      EXPECT_NEAR(both, expected, 5 * std::sqrt(expected)) << oneIn << " " << distance;
    }
  }
}

/// Where nobody said how many: all blocks of a launch with as many warps as that, and of wider ones a quarter of that, or up to half less.
TEST(SampledBlocks, OfWideLaunchesAQuarterIsRecorded) {
  constexpr std::uint32_t kLog2 = 16, kMax = 1u << kLog2, kKept = kMax >> detail::kWideShareLog2;
  EXPECT_EQ(detail::widthInterval(1, kLog2), 1u);
  EXPECT_EQ(detail::widthInterval(kMax, kLog2), 1u);
  EXPECT_EQ(detail::widthInterval(kMax + 1, kLog2), 8u);
  EXPECT_EQ(detail::widthInterval(0x7fffffff, detail::kAnyWarps), 1u);
  for (std::uint64_t warps = kMax + 1; warps <= 0xffffffff; warps = warps * 5 / 4) {
    const std::uint32_t oneIn = detail::widthInterval(static_cast<std::uint32_t>(warps), kLog2);
    EXPECT_LE(warps, std::uint64_t{oneIn} * kKept) << warps;
    EXPECT_GT(warps * 2, std::uint64_t{oneIn} * kKept) << warps;
  }
}

} // namespace
} // namespace kperf::decoder
