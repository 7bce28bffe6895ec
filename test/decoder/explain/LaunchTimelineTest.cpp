// How launches fill a device, what they lose at their ends, and how long it idles between them.
#include "decoder/explain/LaunchTimeline.h"

#include <gtest/gtest.h>

#include <vector>

namespace kperf::decoder {
namespace {

struct Ran {
  std::uint64_t block, begin, end;
};

void add(LaunchTimeline &timeline, std::uint32_t device, std::uint32_t kernel, std::uint64_t grid, const std::vector<Ran> &warps,
         std::uint32_t flags = format::kWarpFinished) {
  for (const Ran &ran : warps) {
    format::WarpHeader warp{};
    warp.gridId = grid;
    warp.block = ran.block;
    warp.startNs = ran.begin;
    warp.endNs = ran.end;
    warp.flags = static_cast<decltype(warp.flags)>(flags);
    timeline.add(device, kernel, warp);
  }
}

TEST(LaunchTimeline, SumsTheLaunchesOfAKernel) {
  LaunchTimeline timeline;
  add(timeline, 0, 1, 1, {{0, 0, 400}, {0, 100, 500}, {1, 100, 1000}, {2, 1000, 1800}}); // block 0 has two warps
  add(timeline, 0, 1, 2, {{7, 2000, 2900}});                                             // as long as the longest, but later
  add(timeline, 0, 1, 3, {{8, 4000, 4950}, {9, 4000, 4100}});
  add(timeline, 0, 1, 4, {{1, 5000, 5100}}, 0); // was not seen to end
  timeline.finish();
  const LaunchTimeline::Kernel &sums = timeline.kernel(1);
  EXPECT_EQ(sums.launches, 3u);
  EXPECT_EQ(sums.blocks, 6u);
  EXPECT_EQ(sums.leftOut, 1u);
  EXPECT_EQ(sums.duration, 1800 + 900 + 950);
  EXPECT_EQ(sums.blockTime, 500 + 900 + 800 + 900 + 950 + 100);
  EXPECT_EQ(sums.longest, 900 + 900 + 950);
  EXPECT_EQ(sums.longestBlock, 8u);
  EXPECT_EQ(sums.maxAtOnce, 2u);
  EXPECT_EQ(sums.maxBlocks, 3u);
  EXPECT_EQ(timeline.kernel(0).launches, 0u); // none of it came
  EXPECT_EQ(timeline.kernel(2).launches, 0u); // nor does it know of more
}

TEST(LaunchTimeline, OfEqualsTheFirstIsTheLongest) {
  LaunchTimeline timeline;
  add(timeline, 0, 0, 1, {{3, 0, 700}, {4, 0, 700}});
  add(timeline, 0, 0, 2, {{5, 1000, 1700}});
  timeline.finish();
  EXPECT_EQ(timeline.kernel(0).longestBlock, 3u);
}

TEST(LaunchTimeline, GapsAreTimeInWhichTheDeviceRunsNothing) {
  LaunchTimeline timeline;
  add(timeline, 0, 0, 1, {{0, 0, 1000}, {1, 100, 900}});
  add(timeline, 0, 1, 2, {{0, 1500, 2500}}); // 500 after it
  add(timeline, 0, 0, 3, {{0, 2400, 2600}});
  add(timeline, 0, 0, 4, {{0, 2500, 2550}}); // ends before the one that it began after
  add(timeline, 0, 1, 5, {{0, 3000, 3100}}); // 400 after that
  add(timeline, 0, 0, 6, {{0, 3100, 3200}}); // at once
  add(timeline, 1, 0, 1, {{0, 9000, 9100}}); // the first of its device
  timeline.finish();
  EXPECT_EQ(timeline.kernel(1).gaps, 900);
  EXPECT_EQ(timeline.kernel(1).gapCount, 2u);
  EXPECT_EQ(timeline.kernel(0).gapCount, 0u);
  EXPECT_EQ(timeline.kernel(0).launches, 5u);
  add(timeline, 0, 0, 1, {{0, 9500, 9600}}); // of another trace, whose clock is another one
  timeline.finish();
  EXPECT_EQ(timeline.kernel(0).gapCount, 0u);
}

TEST(LaunchTimeline, OtherKernelsFillGapsAndHaveNoSums) {
  LaunchTimeline timeline;
  add(timeline, 0, 0, 1, {{0, 0, 1000}});
  add(timeline, 0, LaunchTimeline::kOther, 2, {{0, 1100, 1900}});
  add(timeline, 0, 0, 3, {{0, 2000, 3000}});
  timeline.finish();
  EXPECT_EQ(timeline.kernel(0).gaps, 100);
  EXPECT_EQ(timeline.kernel(0).launches, 2u);
  EXPECT_TRUE(timeline.kernel(0).areGapsIdle);
}

TEST(LaunchTimeline, GapsMayBeTheTimeOfLaunchesThatAreNotWhole) {
  const auto areGapsIdle = [](std::uint32_t device, std::uint32_t kernel, std::uint32_t blocks, std::uint32_t flags,
                              std::uint32_t sampled = 0) {
    LaunchTimeline timeline;
    add(timeline, 0, 0, 1, {{0, 0, 1000}});
    format::WarpHeader warp{.gridId = 2, .startNs = 1100, .endNs = 1900};
    warp.gridX = warp.gridY = 1;
    warp.gridZ = static_cast<decltype(warp.gridZ)>(blocks);
    warp.flags = static_cast<decltype(warp.flags)>(flags);
    warp.sampled = sampled;
    timeline.add(device, kernel, warp);
    timeline.finish();
    return timeline.kernel(0).areGapsIdle;
  };
  for (const std::uint32_t kernel : {0u, 1u, LaunchTimeline::kOther}) {
    EXPECT_TRUE(areGapsIdle(0, kernel, 1, format::kWarpFinished));
    EXPECT_FALSE(areGapsIdle(0, kernel, 2, format::kWarpFinished)); // the second block is not there
    EXPECT_FALSE(areGapsIdle(0, kernel, 1, 0));                     // was not seen to end
    EXPECT_FALSE(areGapsIdle(0, kernel, 1, format::kWarpFinished, 2));
  }
  EXPECT_TRUE(areGapsIdle(1, 1, 2, format::kWarpFinished)); // another device
  EXPECT_TRUE(areGapsIdle(1, 1, 1, 0));
}

TEST(LaunchTimeline, ClocksThatRunBackwardsGiveNothing) {
  LaunchTimeline timeline;
  add(timeline, 0, 0, 1, {{0, 500, 400}});
  timeline.finish();
  EXPECT_EQ(timeline.kernel(0).duration, 0);
  EXPECT_EQ(timeline.kernel(0).even, 0);
  EXPECT_EQ(timeline.kernel(0).blockTime, 0);
}

/// What a launch loses at its end, of blocks that all begin at 0 but where they say so.
double lost(const std::vector<Ran> &blocks) {
  LaunchTimeline timeline;
  add(timeline, 0, 0, 1, blocks);
  timeline.finish();
  return timeline.kernel(0).duration - timeline.kernel(0).even;
}

TEST(LaunchTimeline, BlocksThatStartLateMayEndLate) {
  EXPECT_DOUBLE_EQ(lost({{0, 0, 1000}, {1, 200, 1200}}), 0);
  // One is missing of two for 200 ns at the begin and 500 at the end: 300 are lost, shared by two.
  EXPECT_DOUBLE_EQ(lost({{0, 0, 1000}, {1, 200, 1000}, {2, 1000, 1500}}), 150);
  EXPECT_DOUBLE_EQ(lost({{0, 0, 1000}, {1, 700, 1200}}), 0); // more at the begin than at the end
}

TEST(LaunchTimeline, TheEndBeginsWhereLessThanNineTenthsOfTheUsualRun) {
  const auto blocks = [](std::uint64_t twice) { // 10 of 1000 ns, so many of which run twice as long, and one three times
    std::vector<Ran> out;
    for (std::uint64_t i = 0; i < 10; ++i)
      out.push_back({i, 0, i == 0 ? 3000u : i < twice ? 2000u : 1000u});
    return out;
  };
  // Usual: (100 + 64 + 1) / (10 + 8 + 1) = 8.7, and 8 are more than nine tenths of that: full are the 9 of the mean, of which 8 are
  // missing.
  EXPECT_NEAR(lost(blocks(8)), 8000.0 / 9, 1e-9);
  // Usual: (100 + 49 + 1) / 18 = 8.3, and 7 are less than nine tenths: of 10 three are missing, then nine.
  EXPECT_NEAR(lost(blocks(7)), 12000.0 / 10, 1e-9);
}

TEST(LaunchTimeline, WhatIsMissingBeforeTheUsualNumberRunsForTheFirstTimeIsAllThatEndsLate) {
  // Nine begin at once, which is usual, the tenth after 100 ns; the eleventh runs alone from 1000 to 2000. Full are the
  // (9 · 100 + 10 · 900) / 1000 = 9.9 of the mean, and of these 8.9 are missing for 1000 ns; none is before the nine run.
  std::vector<Ran> blocks{{9, 100, 1000}, {10, 1000, 2000}};
  for (std::uint64_t i = 0; i < 9; ++i)
    blocks.push_back({i, 0, 1000});
  EXPECT_NEAR(lost(blocks), 8900 / 9.9, 1e-9);
}

} // namespace
} // namespace kperf::decoder
