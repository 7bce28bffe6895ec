// From which blocks on a sampled total is given an error, and what it is: each rule from both sides, computed by hand.
#include "decoder/totals/SampledBlocks.h"

#include <kperf/format.h>

#include <cmath>
#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

/// `count` blocks of 10 times as many, each in a group of its own, which take 90 and 110 by turns.
struct ByTurns {
  explicit ByTurns(std::size_t count, std::uint32_t oneIn = 10) {
    stratum.launched = 10.0 * static_cast<double>(count);
    stratum.oneIn = oneIn;
    for (std::size_t i = 0; i < count; ++i) {
      stratum.blocks[i] = 1;
      sums[i] = i % 2 ? 110 : 90;
    }
  }
  Estimate total() const { return estimateTotal({&stratum, 1}, {&sums, 1}); }

  SampleStratum stratum{10, true, 0, {}};
  BySampleGroup sums{};
};

TEST(SampleStratum, ABlockStandsForAsManyAsThereAreForIt) {
  SampleStratum stratum{4, true, 100, {}};
  EXPECT_EQ(stratum.weight(), 4); // none was recorded
  stratum.blocks[3] = 15;
  stratum.blocks[7] = 5;
  EXPECT_EQ(stratum.weight(), 5);
  EXPECT_EQ(recordedBlocks(std::vector<SampleStratum>{stratum, stratum}), 40);
  stratum.launched = 10;
  EXPECT_EQ(stratum.weight(), 1); // never for less than itself
  stratum.launched = 0;
  EXPECT_EQ(stratum.weight(), 4);
  stratum.launched = 100;
  stratum.isCertain = false;
  EXPECT_EQ(stratum.weight(), 4);
  stratum.within = 3;
  EXPECT_EQ(stratum.weight(), 12);
}

TEST(SampledBlocks, LaunchesOfFourteenTimesTheIntervalAreSeen) {
  format::WarpHeader warp{};
  warp.gridX = 7;
  warp.gridY = 4;
  warp.gridZ = 2; // 56 blocks
  warp.sampled = 4;
  EXPECT_TRUE(isCertainToBeSeen(warp));
  warp.flags = format::kWarpForeign;
  EXPECT_FALSE(isCertainToBeSeen(warp));
  warp.flags = format::kWarpFinished;
  EXPECT_TRUE(isCertainToBeSeen(warp));
  warp.gridY = warp.gridZ = 1;
  warp.gridX = 55;
  EXPECT_FALSE(isCertainToBeSeen(warp));
  warp.gridX = 14;
  warp.sampled = 1;
  EXPECT_FALSE(isCertainToBeSeen(warp)); // all are recorded
  warp.gridX = 28;
  warp.sampled = 2;
  EXPECT_TRUE(isCertainToBeSeen(warp));
}

TEST(SampledBlocks, SixtyBlocksAreEnough) {
  EXPECT_TRUE(ByTurns(60).total().error);
  EXPECT_FALSE(ByTurns(59).total().error);
  // 60 of 600, mean 100: s² = 60·100/59, which the groups give times 128/127; Student's factor of 59 degrees is 2.001.
  const Estimate total = ByTurns(60).total();
  EXPECT_DOUBLE_EQ(total.value, 60000);
  EXPECT_NEAR(*total.error, 1.15 * 2.00100 * std::sqrt(600.0 * 600 * 0.9 / 60 * (60 * 100 / 59.0) * 128 / 127), 0.1);
}

TEST(SampledBlocks, OfLaunchesThatMayHaveNoneTheVarianceIsThatOfTheirNumberToo) {
  ByTurns sample(128);
  sample.stratum.isCertain = false;
  // Each group's rest is 10 of a total of 12800, and each counts 10·9 times; 127 degrees give 1.9788.
  const Estimate total = sample.total();
  EXPECT_DOUBLE_EQ(total.value, 128000);
  EXPECT_NEAR(*total.error, 1.15 * 1.97882 * std::sqrt(10 * 9 * 128 * 100.0 * 128 / 127), 0.1);
  sample.stratum.within = 5; // launches were chosen, 5 blocks in each: none of these is known in full
  EXPECT_DOUBLE_EQ(sample.total().value, 640000);
  EXPECT_NEAR(*sample.total().error, 1.15 * 1.97882 * 5 * std::sqrt(10 * 10 * 128 * 100.0 * 128 / 127), 0.5);
  sample.stratum.isCertain = true; // and how many launches there were: 1280
  EXPECT_NEAR(*sample.total().error, 1.15 * 1.97882 * 5 * 1280 * std::sqrt(1 / 127.0 / 128 * 128 * 100.0 * 128 / 127), 0.5);
}

TEST(SampledBlocks, OfEqualBlocksNothingIsKnownButWhereTheyAreOneInAHundred) {
  ByTurns mixed(60);
  SampleStratum uniform{10, true, 600, {}};
  BySampleGroup sums{};
  uniform.blocks[0] = 60;
  sums[0] = 6000;
  const auto hasError = [&] {
    return estimateTotal(std::vector<SampleStratum>{mixed.stratum, uniform}, std::vector<BySampleGroup>{mixed.sums, sums})
        .error.has_value();
  };
  EXPECT_FALSE(hasError());
  uniform.blocks[0] = 3;
  sums[0] = 300;
  uniform.launched = 6; // 6 of 606 are less than one in a hundred
  EXPECT_TRUE(hasError());
  uniform.launched = 7;
  EXPECT_FALSE(hasError());
  uniform.launched = 3; // all of them were recorded
  EXPECT_TRUE(hasError());
  mixed.stratum.launched = 60;
  EXPECT_EQ(mixed.total().error, 0.0);
  mixed.stratum.launched = 61;
  EXPECT_NE(mixed.total().error, 0.0);
}

TEST(SampledBlocks, ARatioIsOffByWhatItsPartsDoNotShare) {
  ByTurns sample(60);
  BySampleGroup counts{};
  for (std::size_t i = 0; i < 60; ++i)
    counts[i] = 2;
  const Estimate ratio = estimateRatio({&sample.stratum, 1}, {&sample.sums, 1}, {&counts, 1});
  EXPECT_DOUBLE_EQ(ratio.value, 50);
  EXPECT_NEAR(*ratio.error, *sample.total().error / 1200, 1e-9); // counts are certain
  const Estimate nothing = estimateRatio({&sample.stratum, 1}, {&sample.sums, 1}, std::vector<BySampleGroup>(1));
  EXPECT_EQ(nothing.value, 0);
  EXPECT_FALSE(nothing.error);
}

TEST(SampledBlocks, WhatEachBlockIsKnownToHaveIsOffByHowManyWereChosenAlone) {
  ByTurns sample(100);
  BySampleGroup warps{};
  for (std::size_t i = 0; i < 100; ++i)
    warps[i] = 4;
  const auto known = [&] { return estimateKnown({&sample.stratum, 1}, {&warps, 1}); };
  EXPECT_DOUBLE_EQ(known().value, 4000);
  EXPECT_EQ(known().error, 0.0);
  EXPECT_FALSE(estimateTotal({&sample.stratum, 1}, {&warps, 1}).error); // they might differ
  sample.stratum.isCertain = false;
  EXPECT_DOUBLE_EQ(*known().error, *estimateTotal({&sample.stratum, 1}, {&warps, 1}).error);
  sample.stratum.blocks[0] = -40; // 59 blocks
  EXPECT_FALSE(known().error);
}

// One block in each group but 28: of 100 blocks the sum of squares is that of the groups, 100, less 100²/128, times 128/127; then 1.15
// times.
TEST(SampledBlocks, EntriesThatLieInFewBlocksAreWorthAsManyBlocks) {
  ByTurns sample(100);
  BySampleGroup counts{};
  for (std::size_t i = 0; i < 100; ++i)
    counts[i] = 3;
  EXPECT_DOUBLE_EQ(*blocksOfAsManyEntries(sample.stratum, counts), 100); // never more than there are
  counts[7] = 300;
  const double all = 99 * 3 + 300, squares = 1.15 * (99 * 9 + 90000 - all * all / 128) * 128 / 127;
  EXPECT_DOUBLE_EQ(*blocksOfAsManyEntries(sample.stratum, counts), all * all / squares);
  EXPECT_FALSE(blocksOfAsManyEntries(sample.stratum, BySampleGroup()));
  EXPECT_FALSE(blocksOfAsManyEntries(ByTurns(59).stratum, counts));
}

// Of 100 values the tail is the greatest 20, which a normal distribution exceeds its quantile by 0.558189 standard deviations on average
// (φ(0.841621) / 0.2 − 0.841621). Where each of them is e times the one behind, that is a spread of 1.79151: e^(spread²) is 24.77, and the
// skewness (24.77 + 2)·√(24.77 − 1).
TEST(SampledBlocks, SkewnessIsThatOfALognormalDistributionOfAsLongATail) {
  std::vector<double> values(100, 1.0);
  for (std::size_t i = 0; i < 20; ++i)
    values[5 * i] = std::exp(1.0);
  EXPECT_NEAR(skewnessOfTail(values, 1), 130.492, 1e-3);
  EXPECT_NEAR(skewnessOfTail(values, 4), 2 * 130.492, 1e-3); // of means of four
  EXPECT_NEAR(skewnessOfTail(std::vector<double>(100, 1.0), 1), 0, 1e-9);
  for (double &value : values)
    value /= 100; // what the tail begins with counts as a tenth of the mean at least: nothing of it is beyond
  EXPECT_NEAR(skewnessOfTail(values, 1), 0, 1e-9);
}

} // namespace
} // namespace kperf::decoder
