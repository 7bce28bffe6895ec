// Comparisons of sampled launches under the virtual clock: what differs by the choice of blocks is no change, what differs by more is one.
#include "decoder/compare/RunChange.h"
#include "decoder/totals/SampledMeans.h"

#include <kperf/rules/BlockSample.h>

#include <functional>
#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

using Lengths = std::function<std::uint64_t(std::uint64_t launch, std::uint64_t block)>;

constexpr std::uint32_t kBlocks = 3072;

/// Two launches of a program, of which 1 block in `oneIn` is recorded; the first is the `first`-th of its process.
RunValues runOf(const Lengths &lengthOf, std::uint64_t first, std::uint32_t oneIn) {
  SampledMeans means;
  SampledMeans::Sum sum;
  LaunchLedger::Group launches{.block = {256, 1, 1}};
  format::WarpHeader warp{};
  warp.gridX = kBlocks;
  warp.gridY = warp.gridZ = 1;
  warp.sampled = oneIn;
  for (warp.gridId = first; warp.gridId < first + 2; ++warp.gridId)
    for (warp.block = 0; warp.block < kBlocks; ++warp.block) {
      if (oneIn > 1 && !detail::isSampledBlock(warp.gridId, warp.block, oneIn))
        continue;
      for (unsigned each = 0; each < 8; ++each) {
        means.addWarp(warp, 8);
        means.addTo(sum, 1, lengthOf(warp.gridId - first, warp.block));
        ++launches.warpsRecorded;
      }
    }
  launches.warpsLaunched = 16 * kBlocks;
  launches.warpsChosen = 16.0 * kBlocks / oneIn;
  launches.certainBlocks = {{oneIn, 2.0 * kBlocks}};
  means.finish(launches);
  const Estimate all = means.meanOf(sum, false);
  return {{all.value}, 0, means.arePartial(), all};
}

struct Verdicts {
  unsigned told = 0, changed = 0;
};

/// Of 400 pairs of runs, of which the second launched something else before.
Verdicts verdictsOf(const Lengths &before, const Lengths &after, std::uint32_t oneInOfB = 6) {
  Verdicts out;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const RunValues a = runOf(before, 3 * seed + 1, 6), b = runOf(after, 3 * seed + 2, oneInOfB);
    const RunChange change = sampledChange({&a, 1}, {&b, 1});
    out.told += change.interval.has_value();
    out.changed += change.interval && change.p <= 0.05;
    EXPECT_TRUE(change.isSampled && !change.isExact && !change.isOfOneRun);
    EXPECT_EQ(change.interval && (change.interval->first > 0 || change.interval->second < 0), change.interval && change.p <= 0.05);
  }
  return out;
}

std::uint64_t uneven(std::uint64_t, std::uint64_t block) { return 100 + block % 17 * 40 + block % 7 * 20; }
std::uint64_t tailed(std::uint64_t, std::uint64_t block) { return block % 64 == 63 ? 801 : 101; } // 1.6 % take most of what differs
std::uint64_t rising(std::uint64_t launch, std::uint64_t block) { return 100 + block + 50 * launch; }

TEST(SampledChange, TheSameProgramIsCalledChangedInOneCaseOfTwentyAtMost) {
  for (const Lengths &lengths : {Lengths(uneven), Lengths(tailed), Lengths(rising)})
    for (const std::uint32_t oneInOfB : {6u, 1u, 25u}) // against all blocks, and against fewer
      EXPECT_LE(verdictsOf(lengths, lengths, oneInOfB).changed, 20u) << oneInOfB;
  EXPECT_EQ(verdictsOf(uneven, uneven).told, 400u);
  EXPECT_EQ(verdictsOf(rising, rising).told, 400u);
}

TEST(SampledChange, WhatIsSlowerByMoreThanChanceIsCalledChanged) {
  const Verdicts slower = verdictsOf(uneven, [](std::uint64_t launch, std::uint64_t block) { return uneven(launch, block) * 6 / 5; });
  EXPECT_EQ(slower.told, 400u);
  EXPECT_EQ(slower.changed, 400u);
}

TEST(SampledChange, OfBlocksThatAreAllAlikeNothingIsTold) {
  const Lengths same = [](std::uint64_t, std::uint64_t) { return 100; };
  EXPECT_EQ(verdictsOf(same, same).told, 0u);
  const RunValues all = runOf(same, 1, 1), some = runOf(uneven, 1, 6);
  EXPECT_FALSE(all.isSampled);
  EXPECT_EQ(all.all.error, 0.0);
  const RunChange change = sampledChange({&all, 1}, {&all, 1}); // all blocks are certain
  EXPECT_EQ(change.p, 1);
  EXPECT_EQ(change.interval, std::pair(0.0, 0.0));
  EXPECT_TRUE(sampledChange({&all, 1}, {&some, 1}).interval);
}

// Runs of one program choose the same blocks: that several agree says nothing of the others.
TEST(SampledChange, SeveralRunsOfTheSameBlocksTellNoMoreThanOne) {
  const RunValues a = runOf(uneven, 1, 6), b = runOf(uneven, 2, 6);
  const std::vector<RunValues> before(5, a), after(5, b);
  const RunChange one = sampledChange({&a, 1}, {&b, 1}), several = sampledChange(before, after);
  EXPECT_NEAR(several.interval->first, one.interval->first, 1e-9);
  EXPECT_NEAR(several.interval->second, one.interval->second, 1e-9);
  // By the wall clock their spread comes to it.
  const RunChange wall = changeBetween(before, after);
  EXPECT_LT(wall.interval->first, 0);
  EXPECT_GT(wall.interval->second, 0);
  std::vector<RunValues> unknown = after;
  unknown[2].all.error.reset();
  EXPECT_FALSE(changeBetween(before, unknown).interval);
  EXPECT_FALSE(sampledChange(before, unknown).interval);
}

TEST(SampledMeans, OfWhatFoundNoRoomNothingIsKnown) {
  SampledMeans means;
  SampledMeans::Sum sum;
  format::WarpHeader warp{};
  means.addWarp(warp, 1);
  means.addTo(sum, 2, 30);
  means.finish({.warpsLaunched = 1, .warpsRecorded = 1});
  EXPECT_FALSE(means.arePartial());
  EXPECT_EQ(means.meanOf(sum, false).value, 15);
  EXPECT_EQ(means.meanOf(sum, true).value, 30);
  EXPECT_EQ(means.meanOf(sum, true).error, 0.0);
  EXPECT_FALSE(means.meanOf({}, false).error); // no entry
  means.finish({.warpsLaunched = 2, .warpsRecorded = 1});
  EXPECT_TRUE(means.arePartial());
  EXPECT_FALSE(means.meanOf(sum, false).error);
}

} // namespace
} // namespace kperf::decoder
