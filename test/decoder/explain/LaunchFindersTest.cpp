// What launches, blocks and warps as a whole are found to lose: each threshold from both sides, and the numbers that are said.
#include "test/decoder/explain/HandmadeFacts.h"

namespace kperf::decoder {
namespace {

using Facts = HandmadeFacts;
constexpr std::uint32_t kWhole = BlockBalance::kWholeLife;

/// A launch of 6 blocks for 8 multiprocessors.
Facts smallGrid() {
  Facts out;
  out.kernel.device.sms = 8;
  out.kernel.timeline.launches = 1;
  out.kernel.timeline.maxBlocks = 6;
  return out;
}

TEST(SmallGridFinder, SaysHowMuchOfTheDeviceIdles) {
  Facts facts = smallGrid();
  const Explained found = facts.one(findSmallGrid);
  EXPECT_EQ(found.what, "6 blocks for 8 SMs");
  EXPECT_EQ(found.place, "");
  EXPECT_EQ(found.evidence, "1 launch of at most 6 blocks; the device has 8 SMs, 25 % of them idle"); // 2 of 8
  EXPECT_EQ(found.remedy, "smaller blocks, or split the reduction (split-K)");
  EXPECT_FALSE(found.needsTimes);
  expectGain(found, 0, 12.5, 25); // likely half of the way
  facts.region(0x21);
  facts.kernel.device.sms = 4;
  facts.kernel.timeline.maxBlocks = 1;
  facts.kernel.timeline.launches = 3;
  const Explained several = facts.one(findSmallGrid);
  EXPECT_EQ(several.what, "1 block for 4 SMs");
  EXPECT_EQ(several.place, "dir/k.cu:12");
  EXPECT_EQ(several.evidence, "3 launches of at most 1 block; the device has 4 SMs, 75 % of them idle");
  EXPECT_EQ(several.remedy, "do the work of several launches in one, or in smaller blocks");
}

TEST(SmallGridFinder, NeedsEveryBlockAndFewerThanMultiprocessors) {
  EXPECT_TRUE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.timeline.maxBlocks = 7; }));
  EXPECT_FALSE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.timeline.maxBlocks = 8; }));
  EXPECT_TRUE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.device.sms = 2, it.kernel.timeline.maxBlocks = 1; }));
  EXPECT_FALSE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.device.sms = 1, it.kernel.timeline.maxBlocks = 0; }));
  EXPECT_FALSE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.timeline.launches = 0; }));
  EXPECT_FALSE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.timeline.leftOut = 1; }));
  EXPECT_FALSE(finds(smallGrid, findSmallGrid, [](Facts &it) { it.kernel.recording.samplingInterval = 2; }));
}

/// Two launches of 8 µs, which would take 6 with their ends shared evenly: a quarter is lost. 16 blocks each, of 2 µs on average.
Facts tail() {
  Facts out;
  out.kernel.timeline = {.launches = 2, .blocks = 32, .duration = 16000, .even = 12000, .blockTime = 64000, .longest = 8000};
  out.kernel.timeline.maxAtOnce = 8;
  out.kernel.timeline.maxBlocks = 16;
  out.kernel.timeline.longestBlock = 5;
  out.kernel.launches.warps = out.kernel.launches.warpsLaunched = 64;
  return out;
}

TEST(BlockTailFinder, TellsOneLongBlockFromALastWave) {
  Facts facts = tail();
  Explained found = facts.one(findBlockTail); // 4 µs are twice the mean
  EXPECT_EQ(found.rule, "tail-block");
  EXPECT_EQ(found.what, "block 5 takes 2.0 times the mean of the launch's blocks");
  EXPECT_EQ(found.evidence, "at most 8 of 16 blocks run at once; a launch takes 8000 ns, with its end shared evenly 6000 ns; "
                            "longest block 4000 ns, mean 2000 ns");
  EXPECT_EQ(found.place, "");
  EXPECT_EQ(found.why, "the launch ends when its longest block does");
  EXPECT_EQ(found.remedy, "split its work over several blocks, or start the long ones first");
  EXPECT_NEAR(*found.noise, 2.5, 1e-9); // a tenth of a quarter
  expectGain(found, 6.25, 18.75, 25);   // a quarter of it, three quarters, all
  facts.kernel.timeline.longest = 6000; // 3 µs: half as long again, no more
  facts.region(0x21);
  found = facts.one(findBlockTail);
  EXPECT_EQ(found.rule, "last-wave");
  EXPECT_EQ(found.place, "dir/k.cu:12");
  EXPECT_EQ(found.what, "the last wave of blocks leaves most of the device idle");
  EXPECT_EQ(found.why, "blocks come in waves, and the last one is not full");
  EXPECT_EQ(found.remedy, "make the number of blocks a multiple of 8, or let a persistent grid share the work");
  facts.kernel.timeline.maxAtOnce = 15;
  EXPECT_EQ(facts.one(findBlockTail).rule, "last-wave");
  facts.kernel.timeline.maxAtOnce = 16; // all at once: there are no waves
  found = facts.one(findBlockTail);
  EXPECT_EQ(found.rule, "tail-block");
  EXPECT_EQ(found.what, "the blocks of a launch end far apart");
}

/// 16 blocks: "load" takes 1000 cycles in each of them, "multiply" 500 in the longest alone, where others wait for it for 900, and 300 are
/// in no region.
TEST(BlockTailFinder, NamesWhatTheLongestBlockHasMoreOf) {
  Facts facts = tail();
  for (const std::uint32_t id : {0x21u, 0x22u, 0x11u})
    facts.region(id);
  const std::uint32_t whole = BlockBalance::kWholeLife, load = facts.at(0x21), multiply = facts.at(0x22), wait = facts.at(0x11);
  BlockBalance::Kernel &balance = facts.kernel.balance;
  balance.blocks = 16;
  balance.longest.cycles = {{load, 1000}, {multiply, 500}, {wait, 900}, {whole, 2700}};
  const auto all = [&](std::uint32_t region) -> double & { return balance.rows[region].cycles; };
  all(load) = 16000;
  all(multiply) = 500;
  all(wait) = 900;
  all(whole) = 16000 + 500 + 900 + 300;
  EXPECT_EQ(facts.one(findBlockTail).place, "dir/k.cu:20");
  balance.longest.cycles[whole] += 300; // more in no region
  all(whole) += 300;
  EXPECT_EQ(facts.one(findBlockTail).place, "");
}

TEST(BlockTailFinder, NeedsEveryWarpAndALossOfTwoPercent) {
  EXPECT_TRUE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.timeline.even = 15670; }));
  EXPECT_FALSE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.timeline.even = 15690; }));
  EXPECT_TRUE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.timeline.blocks = 3; }));
  EXPECT_FALSE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.timeline.blocks = 2; })); // one each
  EXPECT_FALSE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.timeline.leftOut = 1; }));
  EXPECT_FALSE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.timeline.duration = 0; }));
  EXPECT_FALSE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.recording.samplingInterval = 2; }));
  EXPECT_FALSE(finds(tail, findBlockTail, [](Facts &it) { it.kernel.launches.warps = 63; }));
  Facts most = tail();
  most.kernel.timeline.even = 160;
  expectGain(most.one(findBlockTail), 24.75, 74.25, 99);
}

/// 10 launches of 5 µs with 9 gaps: 50 µs of 200 are launches.
Facts gaps() {
  Facts out;
  out.kernel.timeline = {.launches = 10, .blocks = 10, .duration = 50000, .even = 50000, .blockTime = 50000, .longest = 50000};
  out.kernel.timeline.gaps = 27000;
  out.kernel.timeline.gapCount = 9;
  return out;
}

TEST(LaunchGapsFinder, SaysHowLongTheDeviceIdles) {
  Facts facts = gaps();
  facts.kernel.timeline.gaps = 150000;
  Explained found = facts.one(findLaunchGaps);
  EXPECT_EQ(found.what, "10 launches of 5000 ns each, with the device idle between");
  EXPECT_EQ(found.evidence, "the device idles before 9 of 10 launches, for 16.67 µs on average");
  EXPECT_EQ(found.place, "");
  expectGain(found, 0, 37.5, 75); // 150 of 200
  facts.region(0x21);
  EXPECT_EQ(facts.one(findLaunchGaps).place, "dir/k.cu:12");
}

TEST(LaunchGapsFinder, NeedsManyGapsBetweenShortLaunches) {
  EXPECT_TRUE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.gapCount = 8; }));
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.gapCount = 7; }));
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.leftOut = 1; }));
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.areGapsIdle = false; }));
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 0; }));
  EXPECT_TRUE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 1000, it.kernel.timeline.gaps = 900; }));
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 1000, it.kernel.timeline.gaps = 899; }));
  EXPECT_TRUE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 200000; })); // 20 µs each
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 200010; }));
  EXPECT_TRUE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 98000, it.kernel.timeline.gaps = 2000; }));
  EXPECT_FALSE(finds(gaps, findLaunchGaps, [](Facts &it) { it.kernel.timeline.duration = 98000, it.kernel.timeline.gaps = 1999; }));
}

/// 16 blocks of 4 warps that live for 25 cycles each; warp 2 is the longest in 10 of them, and all that it takes longer is a quarter.
Facts slow() {
  Facts out;
  out.kernel.device.sms = 8;
  out.kernel.timeline.maxAtOnce = 8;
  out.kernel.balance.blocks = 16;
  out.kernel.balance.warpsOfBlock = 4;
  out.kernel.balance.life = 400;
  out.kernel.balance.rows[kWhole] = {.excess = 100, .longest = 320, .mean = 240, .worst = {{1, 6}, {2, 10}}};
  return out;
}

TEST(SlowWarpFinder, SaysWhichWarpAndByHowMuch) {
  Facts facts = slow();
  const Explained found = facts.one(findSlowWarp);
  EXPECT_EQ(found.what, "warp 2 is 1.3 times as long in the kernel as its block's mean"); // 320 of 240
  EXPECT_EQ(found.place, "");
  EXPECT_EQ(found.evidence, "longest warp 20 cycles a block, mean 15 cycles; it is warp 2 in 62 % of 16 blocks");
  EXPECT_NEAR(*found.noise, 2.5, 1e-9);
  expectGain(found, 6.25, 18.75, 25);
  facts.kernel.timeline.maxAtOnce = 9; // others on the multiprocessor may fill in
  expectGain(facts.one(findSlowWarp), 0, 12.5, 25);
  facts.kernel.balance.rows[kWhole].excess = 396;
  expectGain(facts.one(findSlowWarp), 0, 49.5, 99);
}

TEST(SlowWarpFinder, TellsWorkFromLuck) {
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.rows[kWhole].worst = {{1, 7}, {2, 9}}; })); // 5 of 8 at least
  EXPECT_TRUE(finds(slow, findSlowWarp, [](Facts &it) {
    it.kernel.balance.rows[kWhole].worst = {{1, 7}, {2, 9}};
    it.kernel.balance.rows[kWhole].longest = 480; // or twice the mean
  }));
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) {
    it.kernel.balance.rows[kWhole].worst = {{1, 7}, {2, 9}};
    it.kernel.balance.rows[kWhole].longest = 479;
  }));
  EXPECT_TRUE(finds(slow, findSlowWarp, [](Facts &it) {
    it.kernel.balance.warpsOfBlock = 2;
    it.kernel.balance.rows[kWhole].worst = {{1, 4}, {2, 12}}; // 3 of 4 where there are two
  }));
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) {
    it.kernel.balance.warpsOfBlock = 2;
    it.kernel.balance.rows[kWhole].worst = {{1, 5}, {2, 11}};
  }));
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.rows[kWhole].worst = {}; }));
}

TEST(SlowWarpFinder, NeedsWholeBlocksOfSeveralWarps) {
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.blocks = 0; }));
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.leftOut = 1; }));
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.life = 0; }));
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.warpsOfBlock = 1; }));
  EXPECT_TRUE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.rows[kWhole].excess = 8; })); // 2 % of 400
  EXPECT_FALSE(finds(slow, findSlowWarp, [](Facts &it) { it.kernel.balance.rows[kWhole].excess = 7.9; }));
}

TEST(SlowWarpFinder, NamesTheRegionUnlessTheWholeLifeIsClearlyMore) {
  Facts facts = slow();
  BlockBalance::Row &load = facts.kernel.balance.rows[facts.at(0x21)];
  load = {.excess = 90, .longest = 180, .mean = 90, .worst = {{3, 16}}};
  facts.region(0x21).probeShare = 4;
  const Explained found = facts.one(findSlowWarp); // 22.5 % are not less than 0.9 times 25 %
  EXPECT_EQ(found.what, "warp 3 is 2.0 times as long in region 'load' as its block's mean");
  EXPECT_EQ(found.place, "dir/k.cu:12");
  EXPECT_EQ(found.remedy, "share the work of region 'load' evenly: by index, not by warp; or take it from a common counter");
  EXPECT_NEAR(*found.noise, 2, 1e-9); // of its own probes' 4 % the half that 90 of 180 cycles are
  expectGain(found, 5.625, 16.875, 22.5);
  load.excess = 89;
  EXPECT_NE(facts.one(findSlowWarp).what.find("in the kernel"), std::string::npos);
  load.alone = 1; // warps of roles are not alike as a whole
  EXPECT_NE(facts.one(findSlowWarp).what.find("in region 'load'"), std::string::npos);
  load.excess = 120;
  BlockBalance::Row &multiply = facts.kernel.balance.rows[facts.at(0x22)];
  multiply = {.excess = 130, .longest = 180, .mean = 90, .worst = {{1, 16}}};
  EXPECT_NE(facts.one(findSlowWarp).what.find("in region 'multiply'"), std::string::npos); // the one of more
  facts.gains(PathStep::Kind::Region, facts.at(0x22), 10);                                 // but for what the path allows
  facts.gains(PathStep::Kind::Region, facts.at(0x21), 28);
  expectGain(facts.one(findSlowWarp), 7, 21, 28); // 28 of 30
}

TEST(SlowWarpFinder, SaysNothingOfWarpsThatIssueWgmma) {
  Facts facts = slow();
  facts.kernel.balance.rows[facts.at(0x22)] = {.excess = 300, .longest = 320, .mean = 20, .worst = {{3, 16}}};
  EXPECT_NE(facts.one(findSlowWarp).what.find("region 'multiply'"), std::string::npos);
  facts.region(0x22).isBesideWgmma = true;
  EXPECT_EQ(facts.one(findSlowWarp).what.find("region 'multiply'"), std::string::npos);
}

TEST(SlowWarpFinder, WaitsAreNoWork) {
  Facts facts = slow();
  facts.kernel.balance.rows[facts.at(0x10)] = {.excess = 300, .longest = 320, .mean = 20, .worst = {{3, 16}}};
  EXPECT_NE(facts.one(findSlowWarp).what.find("in the kernel"), std::string::npos);
}

} // namespace
} // namespace kperf::decoder
