// Trees of spans: whose time is whose, and what is set aside because it crosses.
#include "test/decoder/DecodedTrace.h"

using namespace kperf;
using namespace kperf::test;
using Numbers = std::vector<std::int32_t>;

namespace {

DecodedWarp onlyWarp(const std::string &records, const std::string &warp = "", const std::string &section = "") {
  DecodedTrace trace = DecodedTrace::fromText(withRegions("warps " + section + "\nwarp 0.0 cycles=0..1000 " + warp + "\n" + records));
  EXPECT_EQ(trace.error, "");
  EXPECT_EQ(trace.warps.size(), 1u);
  return trace.warps.empty() ? DecodedWarp{} : trace.warps.front();
}

} // namespace

TEST(Nesting, GivesTimeToTheInnermostSpan) {
  const DecodedWarp warp = onlyWarp("  span a 100..500\n  span b 150..250\n  span b 300..400\n  span a 600..700\n");
  EXPECT_EQ(warp.parents, (Numbers{-1, 0, 0, -1}));
  EXPECT_EQ(warp.exclusive, (std::vector<std::uint64_t>{200, 100, 100, 100}));
  EXPECT_EQ(warp.attributed, 500u);
  EXPECT_EQ(warp.unattributed, 500u);
}

TEST(Nesting, TakesANestedRangeIntoTheTree) {
  const DecodedWarp warp = onlyWarp("  span a 100..500\n  begin r 200\n  end r 300\n");
  EXPECT_EQ(warp.parents, (Numbers{-1, 0}));
  EXPECT_EQ(warp.overlapping, 0u);
}

TEST(Nesting, SetsARangeAsideThatCrossesAScope) {
  const DecodedWarp warp = onlyWarp("  begin r 50\n  span a 100..500\n  end r 300\n");
  EXPECT_EQ(warp.parents, (Numbers{decoder::Nesting::kOverlapping, -1}));
  EXPECT_EQ(warp.exclusive, (std::vector<std::uint64_t>{0, 400}));
  EXPECT_EQ(warp.attributed, 400u);
}

TEST(Nesting, SetsBothAsideOfTwoRangesThatCross) {
  const DecodedWarp warp = onlyWarp("  begin r 100\n  begin r 200\n  end r 300\n  end r 400\n  begin r 500\n  end r 600\n");
  EXPECT_EQ(warp.parents, (Numbers{decoder::Nesting::kOverlapping, decoder::Nesting::kOverlapping, -1}));
  EXPECT_EQ(warp.overlapping, 2u);
  EXPECT_EQ(warp.unattributed, 900u);
}

TEST(Nesting, SetsBothAsideOfTwoScopesThatCross) {
  const DecodedWarp warp = onlyWarp("  span a 100..300\n  span b 200..400\n  span a 500..600\n");
  EXPECT_EQ(warp.parents, (Numbers{decoder::Nesting::kOverlapping, decoder::Nesting::kOverlapping, -1}));
  EXPECT_EQ(warp.attributed, 100u);
}

TEST(Nesting, ARangeIsSetAsideAndTheScopeThatItCrossesIsNot) {
  const DecodedWarp warp = onlyWarp("  span a 100..300\n  begin r 200\n  end r 400\n");
  EXPECT_EQ(warp.parents, (Numbers{-1, decoder::Nesting::kOverlapping}));
  EXPECT_EQ(warp.overlapping, 1u);
  const DecodedWarp three = onlyWarp("  begin r 100\n  span a 150..300\n  end r 200\n  span b 160..170\n");
  EXPECT_EQ(three.parents, (Numbers{decoder::Nesting::kOverlapping, -1, 1}));
}

TEST(Nesting, Of256SpansInFlightWhatBeginsThenIsSetAside) {
  // 300 entries of a, each in the one before, and two that cross behind them.
  std::string records;
  for (int depth = 299; depth >= 0; --depth)
    records += "  span a " + std::to_string(depth) + ".." + std::to_string(700 - depth) + "\n";
  const DecodedWarp warp = onlyWarp(records + "  span a 800..900\n  span b 850..950\n");
  ASSERT_EQ(warp.parents.size(), 302u);
  EXPECT_EQ(warp.parents[0], -1);
  EXPECT_EQ(warp.parents[255], 254);
  for (const int set : {256, 299, 300, 301})
    EXPECT_EQ(warp.parents[static_cast<std::size_t>(set)], decoder::Nesting::kOverlapping) << set;
  EXPECT_EQ(warp.overlapping, 46u);
  EXPECT_EQ(warp.exclusive[254], 2u);
  EXPECT_EQ(warp.exclusive[255], 190u); // 255..445: those that are set aside take nothing
  EXPECT_EQ(warp.attributed, 700u);
}

TEST(Nesting, TouchingSpansAreSiblings) {
  const DecodedWarp warp = onlyWarp("  span a 100..200\n  span b 200..300\n  span b 300..300\n");
  EXPECT_EQ(warp.parents, (Numbers{-1, -1, -1}));
}

TEST(Nesting, NamesTheTimeThatWasNotRecorded) {
  DecodedTrace first = DecodedTrace::fromText(
      withRegions("warp 0.0 cycles=0..1000 produced=9 capacity=2 flags=finished,reserved\n  span a 100..200\n  span a 300..400\n"));
  ASSERT_EQ(first.warps.size(), 1u);
  EXPECT_EQ(first.warps[0].attributed, 100u);
  EXPECT_EQ(first.warps[0].unattributed, 200u);
  EXPECT_EQ(first.warps[0].notRecorded, 700u); // what was lost may have been in the last that is left
  DecodedTrace last = DecodedTrace::fromText(
      withRegions("warps keep=last\nwarp 0.0 cycles=0..1000 produced=9 capacity=2\n  span a 700..800\n  span a 850..900\n"));
  ASSERT_EQ(last.warps.size(), 1u);
  EXPECT_EQ(last.warps[0].notRecorded, 800u); // what was lost may have been in the first that is left
  EXPECT_EQ(last.warps[0].unattributed, 150u);
}

TEST(Nesting, TimeBetweenRegionsIsUnknownWhereADroppedOneMayBeAroundThem) {
  // Records in the order of the ends: one that ends later was dropped, whenever it began.
  const DecodedWarp ends = onlyWarp("  span a 100..200\n  span a 300..400\n", "produced=9 capacity=2");
  EXPECT_EQ(ends.attributed, 200u);
  EXPECT_EQ(ends.unattributed, 0u);
  EXPECT_EQ(ends.notRecorded, 800u);
  // Records in the order of the begins: one that began earlier was dropped, whenever it ended.
  const DecodedWarp begins =
      onlyWarp("  span a 700..800\n  span a 850..900\n", "produced=9 capacity=2 flags=finished,reserved", "keep=last");
  EXPECT_EQ(begins.attributed, 150u);
  EXPECT_EQ(begins.unattributed, 0u);
  EXPECT_EQ(begins.notRecorded, 850u);
}

TEST(Nesting, TimeInARangeOfWhichOneEndWasDroppedIsUnknown) {
  const DecodedWarp begun =
      onlyWarp("  span a 100..200\n  begin r 300\n  span a 400..500\n  span a 600..700\n", "produced=9 capacity=4 flags=finished,reserved");
  EXPECT_EQ(begun.unattributed, 100u + 100u); // in front of the first region, and until the range begins
  EXPECT_EQ(begun.attributed, 200u);
  const DecodedWarp ended = onlyWarp("  span a 400..500\n  end r 600\n  span a 700..800\n", "produced=9 capacity=3", "keep=last");
  EXPECT_EQ(ended.unattributed, 100u + 200u); // from the range's end on
  EXPECT_EQ(ended.attributed, 100u);
}

TEST(Nesting, KnowsRecursionHoweverDeep) {
  // 200 entries of a around one of b, each a cycle longer on both sides; and a second b in the first.
  std::string records;
  for (int depth = 0; depth < 200; ++depth)
    records += "  span a " + std::to_string(depth) + ".." + std::to_string(1000 - depth) + "\n";
  const DecodedTrace trace = DecodedTrace::fromText(
      withRegions("warp 0.0 cycles=0..1000 flags=finished,reserved\n" + records + "  span b 300..700\n  span b 400..500\n"));
  ASSERT_EQ(trace.warps.size(), 1u);
  const DecodedWarp &warp = trace.warps.front();
  ASSERT_EQ(warp.recursive.size(), 202u);
  EXPECT_FALSE(warp.recursive[0]);
  for (int depth = 1; depth < 200; ++depth)
    EXPECT_TRUE(warp.recursive[depth]) << depth;
  EXPECT_FALSE(warp.recursive[200]);
  EXPECT_TRUE(warp.recursive[201]);
}

TEST(Nesting, SurvivesManySpansInFlight) {
  std::string records;
  for (int i = 0; i < 600; ++i)
    records += "  begin r " + std::to_string(i) + "\n";
  for (int i = 0; i < 600; ++i)
    records += "  end r " + std::to_string(i + 350) + "\n";
  const DecodedWarp warp = onlyWarp(records);
  EXPECT_EQ(warp.spans.size(), 600u);
  EXPECT_EQ(warp.attributed + warp.unattributed, 1000u);
}
