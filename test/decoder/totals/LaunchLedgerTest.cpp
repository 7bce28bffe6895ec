// What a ledger sums up of launches, seen and unseen, and what the host's list adds.
#include "decoder/totals/LaunchLedger.h"
#include "decoder/text/Pack.h"
#include "decoder/totals/HostLaunches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace kperf::decoder {
namespace {

format::WarpHeader warpOf(std::uint64_t grid, std::uint64_t begin, std::uint64_t end) {
  format::WarpHeader warp{};
  warp.gridId = grid;
  warp.gridX = 2;
  warp.gridY = 3;
  warp.gridZ = 5;
  warp.blockX = 33; // two warps
  warp.blockY = warp.blockZ = 1;
  warp.startNs = warp.startCycles = begin;
  warp.endNs = warp.endCycles = end;
  return warp;
}

TEST(LaunchLedger, KnowsHowManyWarpsABlockHas) {
  LaunchLedger ledger;
  format::WarpHeader warp = warpOf(1, 0, 10);
  EXPECT_EQ(ledger.warpsOfBlock(0, warp), 2u);
  warp.blockX = 32;
  EXPECT_EQ(ledger.warpsOfBlock(0, warp), 1u);
  warp.blockY = 2;
  warp.blockZ = 3;
  EXPECT_EQ(ledger.warpsOfBlock(0, warp), 6u);
  ledger.setDevice(1, {.timerTickNs = 0, .warpLanes = 64});
  EXPECT_EQ(ledger.warpsOfBlock(1, warp), 3u);
  EXPECT_EQ(ledger.warpsOfBlock(0, warp), 6u);
  ledger.setDevice(1, {.timerTickNs = 0, .warpLanes = 0}); // damaged: each thread is a warp
  EXPECT_EQ(ledger.warpsOfBlock(1, warp), 192u);
}

TEST(LaunchLedger, SumsWhatLaunchesStandFor) {
  LaunchLedger ledger;
  ledger.add(0, 2, warpOf(1, 100, 400), true, 3);
  ledger.add(0, 2, warpOf(1, 50, 300), true, 3);
  ledger.add(0, 2, warpOf(2, 1000, 1200), true);
  ledger.add(0, 2, warpOf(3, 2000, 2200), false, 2);
  ledger.finish();
  EXPECT_EQ(ledger.earliestNs(), 50u);
  const LaunchLedger::Group &group = ledger.group(2);
  EXPECT_EQ(group.launches, 3u);
  EXPECT_EQ(group.warpsLaunched, 3 * 60u);
  EXPECT_EQ(group.warpsRecorded, 4u);
  EXPECT_EQ(group.timedLaunches, 2u);
  EXPECT_EQ(group.durationNs, 3 * 350 + 200);
  EXPECT_EQ(group.unseenLaunches, 2 + 0 + 1);
  EXPECT_EQ(group.unseenWarps, 60 * 3);
  EXPECT_EQ(group.unseenTimed, 2);
  EXPECT_FALSE(group.gridVaries);
  ledger.countAllLaunches(2);
  EXPECT_EQ(group.launches, 6u);
  EXPECT_EQ(group.warpsLaunched, 6 * 60u);
  EXPECT_EQ(group.warpsRecorded, 8u); // of those unseen as much as of those seen: 4 of 180
  EXPECT_EQ(group.timedLaunches, 4u);
  ledger.countAllLaunches(2); // once
  EXPECT_EQ(group.launches, 6u);
  ledger.countAllLaunches(9); // there is no such group
  ledger.addUnseen(2, 1, 60, 1);
  EXPECT_EQ(group.launches, 7u);
  EXPECT_EQ(group.warpsLaunched, 7 * 60u);
}

TEST(LaunchLedger, WarpsWhoseClocksRunBackwardsHaveNoTime) {
  LaunchLedger ledger;
  ledger.add(0, 0, warpOf(1, 100, 99), true);
  format::WarpHeader cycles = warpOf(2, 100, 200);
  cycles.endCycles = 99;
  ledger.add(0, 0, cycles, true);
  ledger.finish();
  EXPECT_EQ(ledger.group(0).launches, 2u);
  EXPECT_EQ(ledger.group(0).timedLaunches, 0u);
  EXPECT_EQ(ledger.group(0).durationNs, 0);
  ledger.add(0, 1, warpOf(3, 100, 100), true);
  ledger.finish();
  EXPECT_EQ(ledger.group(1).timedLaunches, 1u);
}

TEST(LaunchLedger, SaysWhetherGridsAndBlocksVary) {
  for (unsigned which = 0; which < 7; ++which) {
    LaunchLedger ledger;
    format::WarpHeader other = warpOf(2, 20, 30);
    ledger.add(0, 0, warpOf(1, 0, 10), true);
    other.gridX += which == 0;
    other.gridY += which == 1;
    other.gridZ += which == 2;
    other.blockX += which == 3;
    other.blockY += which == 4;
    other.blockZ += which == 5;
    ledger.add(0, 0, other, true);
    ledger.finish();
    EXPECT_EQ(ledger.group(0).gridVaries, which < 3) << which;
    EXPECT_EQ(ledger.group(0).blockVaries, which >= 3 && which < 6) << which;
    EXPECT_EQ(ledger.group(0).grid[0], 2u);
    EXPECT_EQ(ledger.group(0).grid[1], 3u);
    EXPECT_EQ(ledger.group(0).grid[2], 5u);
    EXPECT_EQ(ledger.group(0).block[0], 33u);
  }
}

TEST(LaunchLedger, AddsWhatReducedTracesSay) {
  LaunchLedger ledger;
  LaunchLedger::Group summed;
  summed.launches = 2;
  summed.warpsLaunched = 10;
  summed.warpsRecorded = 8;
  summed.timedLaunches = 1;
  summed.durationNs = 50;
  summed.grid[1] = 7;
  summed.block[2] = 9;
  ledger.add(0, 0, summed);
  EXPECT_FALSE(ledger.group(0).gridVaries);
  ledger.add(0, 0, summed);
  EXPECT_EQ(ledger.group(0).launches, 4u);
  EXPECT_EQ(ledger.group(0).warpsLaunched, 20u);
  EXPECT_EQ(ledger.group(0).warpsRecorded, 16u);
  EXPECT_EQ(ledger.group(0).timedLaunches, 2u);
  EXPECT_EQ(ledger.group(0).durationNs, 100);
  EXPECT_EQ(ledger.group(0).grid[1], 7u);
  EXPECT_EQ(ledger.group(0).block[2], 9u);
  summed.grid[1] = 8;
  ledger.add(0, 0, summed);
  EXPECT_TRUE(ledger.group(0).gridVaries);
  EXPECT_FALSE(ledger.group(0).blockVaries);
  summed.block[2] = 1;
  summed.warpsLaunched = ~std::uint64_t{0}; // no more than there can be
  ledger.add(0, 0, summed);
  EXPECT_TRUE(ledger.group(0).blockVaries);
  EXPECT_EQ(ledger.group(0).warpsLaunched, ~std::uint64_t{0});
}

TEST(LaunchLedger, KnowsTheBlocksOfLaunchesThatAreSeen) {
  LaunchLedger ledger;
  for (std::uint64_t grid = 1; grid <= 4; ++grid) {
    format::WarpHeader warp = warpOf(grid, 0, 10);
    warp.sampled = grid == 1 ? 3 : 2; // 30 blocks: fewer than 14·3, and more than 14·2
    ledger.add(0, 0, warp, true);
  }
  ledger.finish();
  ASSERT_EQ(ledger.group(0).certainBlocks.size(), 1u);
  EXPECT_EQ(ledger.group(0).certainBlocks[0], (std::pair<std::uint32_t, double>(2, 90)));
}

TEST(QualifiedName, IsWithoutTypeArgumentsAndParameters) {
  EXPECT_EQ(qualifiedNameOf("void ns::gemm<float>(float const*, int)"), "ns::gemm");
  EXPECT_EQ(qualifiedNameOf("gemm"), "gemm");
  EXPECT_EQ(qualifiedNameOf("void (anonymous namespace)::k<(int)3>(int)"), "(anonymous namespace)::k");
  EXPECT_EQ(qualifiedNameOf("void ns::{anonymous}::k(T*) [with T = int]"), "ns::(anonymous namespace)::k");
  EXPECT_EQ(qualifiedNameOf("void a<b<(anonymous namespace)::t> >::k<1>(int (*)(int))"), "a::k");
  EXPECT_EQ(qualifiedNameOf("k>(int)"), "k");
  EXPECT_EQ(qualifiedNameOf(""), "");
}

HostLaunches listOf(const std::string &rows, const std::string &kernels = "region 0xa0 kernel \"walk\"\n") {
  auto bytes = packText("kperf 1.15\ndevice 0 name=\"GPU\" lanes=32\ndevice 1 name=\"other\" lanes=64\n" + kernels + rows, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  HostLaunches out;
  EXPECT_TRUE(out.add(*trace));
  return out;
}

TEST(HostLaunches, CountsLaunchesAndTheirWarpsByKernelAndDevice) {
  const HostLaunches out = listOf("launch \"walk(int)\" grid=2x3x5 block=33x2x1\n"  // 30 blocks of three warps
                                  "launch \"walk(float)\" grid=1x1x1 block=8x2x4\n" // of 64 threads
                                  "launch \"walk(int)\" device=1 grid=2x1x1 block=65x1x1\n"
                                  "launch \"walk(int)\" grid=9x1x1 flags=0x4\n"
                                  "launch \"run(int)\" grid=9x1x1\n");
  EXPECT_EQ(out.of(0, "walk").launches, 2u);
  EXPECT_EQ(out.of(0, "walk").warps, 90 + 2u);
  EXPECT_EQ(out.of(1, "walk").launches, 1u);
  EXPECT_EQ(out.of(1, "walk").warps, 4u);   // of 64 lanes
  EXPECT_EQ(out.of(0, "run").launches, 0u); // of which its build records nothing
  EXPECT_EQ(out.of(2, "walk").launches, 0u);
  EXPECT_EQ(out.all().probed, 4u);
  EXPECT_EQ(out.all().plain, 1u);
  const auto plain = out.withoutProbes();
  ASSERT_EQ(plain.size(), 1u);
  EXPECT_EQ(plain.begin()->first, "walk(int)");
  EXPECT_EQ(plain.begin()->second.probed, 2u);
  EXPECT_EQ(plain.begin()->second.plain, 1u);
}

TEST(HostLaunches, OfUnnamedKernelsAreKnownByTheirShape) {
  const HostLaunches out = listOf("launch \"\" grid=2x3x5 block=7x11x13\nlaunch \"\" grid=2x3x5 block=7x11x13\n");
  const HostLaunches::Shape shape = {2, 3, 5, 7, 11, 13};
  EXPECT_EQ(out.ofUnnamed(0, shape).launches, 2u);
  EXPECT_EQ(out.ofUnnamed(0, shape).warps, 2 * 30 * 32u); // 1001 threads
  EXPECT_EQ(out.ofUnnamed(1, shape).launches, 0u);
  for (std::size_t i = 0; i < 6; ++i) {
    HostLaunches::Shape other = shape;
    ++other[i];
    EXPECT_EQ(out.ofUnnamed(0, other).launches, 0u) << i;
  }
  EXPECT_EQ(listOf("launch \"\" grid=2x3x5 block=7x11x13\n", "").ofUnnamed(0, shape).launches, 0u); // nothing is recorded
}

} // namespace
} // namespace kperf::decoder
