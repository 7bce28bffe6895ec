// How evenly the warps of each block share the work, from blocks of a few warps.
#include "decoder/explain/BlockBalance.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>

namespace kperf::decoder {
namespace {

/// The balance of a trace's blocks of `expected` warps.
class Balanced final : public WarpSink {
public:
  Balanced(const std::string &warps, std::uint64_t expected) : balance(regions), expected(expected) {
    auto bytes = packText("kperf 1.14\nregion 0x20 kernel \"k\"\nregion 0x21 scope \"a\"\nregion 0x22 scope \"b\"\n" + warps, "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    regions.add(*trace);
    EXPECT_TRUE(SpanDecoder(regions, *this).run(*trace));
    balance.finish();
  }
  void warp(const WarpSpans &warp) override { balance.add(0, 0, expected, warp); }
  const BlockBalance::Kernel &kernel() const { return balance.kernel(0); }
  std::uint32_t at(std::uint32_t id) const { return regions.find(id); }
  const BlockBalance::Row &row(std::uint32_t id) const { return kernel().rows.at(at(id)); }
  const BlockBalance::Row &whole() const { return kernel().rows.at(BlockBalance::kWholeLife); }

private:
  RegionSet regions;
  BlockBalance balance;
  std::uint64_t expected;
};

TEST(BlockBalance, WarpsOfOtherRolesHaveOtherWork) {
  const Balanced out("warp 0.0 kernel=k cycles=0..1000\n"
                     "  span a 0..900\n    span b 100..200\n" // computes: 800 of its own
                     "warp 0.1 kernel=k cycles=0..1000\n"
                     "  span a 0..700\n    span b 100..400\n" // computes: 400
                     "warp 0.2 kernel=k cycles=0..20\n"
                     "  span a 0..10\n", // goes home
                     3);
  EXPECT_EQ(out.row(0x21).longest, 800);
  EXPECT_EQ(out.row(0x21).mean, 600);
  EXPECT_EQ(out.row(0x21).excess, 200);
  EXPECT_EQ(out.row(0x22).mean, 200);
  EXPECT_EQ(out.whole().excess, 0);
}

TEST(BlockBalance, SumsTheLongestWarpAndTheMeanOfEachBlock) {
  const Balanced out("warp 0.0 kernel=k cycles=0..1000\n"
                     "  span a 0..100\n  span a 500..600\n" // 200
                     "warp 0.1 kernel=k cycles=50..800\n"
                     "  span a 100..700\n    span b 200..300\n" // 500 of its own
                     "warp 1.0 kernel=k cycles=2000..2400\n"
                     "  span a 2000..2300 lanes=0xff\n"
                     "warp 1.1 kernel=k cycles=2000..2600\n"
                     "  span a 2000..2100\n",
                     2);
  EXPECT_EQ(out.kernel().blocks, 2u);
  EXPECT_EQ(out.kernel().warpsOfBlock, 2u);
  EXPECT_EQ(out.kernel().leftOut, 0u);
  EXPECT_EQ(out.kernel().life, 1000 + 600);
  const BlockBalance::Row &a = out.row(0x21);
  EXPECT_EQ(a.longest, 500 + 300);
  EXPECT_EQ(a.mean, 500 + 200); // no other warp of the first block enters b
  EXPECT_EQ(a.excess, 0 + 100);
  EXPECT_EQ(a.alone, 0);
  EXPECT_EQ(a.worst, (std::map<std::uint32_t, std::uint64_t>{{0, 1}, {1, 1}}));
  EXPECT_EQ(a.cycles, 200 + 500 + 300 + 100);
  EXPECT_EQ(a.laneCycles, 32 * 800 + 8 * 300); // a block of 32 threads, but for eight lanes
  const BlockBalance::Row &b = out.row(0x22);
  EXPECT_EQ(b.alone, 100); // one of two warps entered it
  EXPECT_EQ(b.longest, 100);
  EXPECT_EQ(b.excess, 0);
  EXPECT_EQ(out.whole().longest, 1000 + 600);
  EXPECT_EQ(out.whole().mean, 1000 + 500);
  EXPECT_EQ(out.whole().worst, (std::map<std::uint32_t, std::uint64_t>{{0, 1}, {1, 1}}));
}

TEST(BlockBalance, AWarpWithoutOthersIsNotAlone) {
  const Balanced out("warp 0.0 kernel=k cycles=0..1000\n  span a 0..100\n", 1);
  EXPECT_EQ(out.row(0x21).alone, 0);
  EXPECT_EQ(out.row(0x21).longest, 100);
}

TEST(BlockBalance, LeavesOutBlocksOfWhichWarpsAreMissing) {
  const Balanced out(
      "warp 0.0 kernel=k cycles=0..1000\n  span a 0..100\nwarp 1.0 kernel=k cycles=0..500\nwarp 1.1 kernel=k cycles=0..500\n", 2);
  EXPECT_EQ(out.kernel().blocks, 1u);
  EXPECT_EQ(out.kernel().leftOut, 1u);
  EXPECT_EQ(out.kernel().life, 500);
}

TEST(BlockBalance, OfTheLongestBlockKnowsWhatItHasMoreOf) {
  const Balanced out("warp 0.0 kernel=k cycles=0..1000\n  span a 0..900\n"
                     "warp 1.0 kernel=k cycles=0..3000\n  span a 0..900\n  span b 1000..2500\n"
                     "warp 2.0 kernel=k cycles=0..1100\n  span a 0..900\n  span b 1000..1060\n",
                     1);
  const auto &kernel = out.kernel();
  EXPECT_EQ(kernel.longest.life, 3000u);
  EXPECT_EQ(kernel.excessOfLongest(out.at(0x21)), 0);
  EXPECT_EQ(kernel.excessOfLongest(out.at(0x22)), 1500 - 520);
  EXPECT_EQ(kernel.excessOfLongest(BlockBalance::kWholeLife), 3000 - 1700);
  EXPECT_EQ(kernel.excessOfLongest(out.at(0x20)), 0);
  EXPECT_EQ(BlockBalance::Kernel().excessOfLongest(out.at(0x21)), 0);
}

TEST(BlockBalance, KnowsNothingOfOtherKernels) {
  const RegionSet regions;
  const BlockBalance balance(regions);
  EXPECT_EQ(balance.kernel(0).blocks, 0u);
}

} // namespace
} // namespace kperf::decoder
