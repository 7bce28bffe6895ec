// Which warps make a block, what of each was recorded, and what becomes of blocks when there are too many at once.
#include "decoder/sync/SyncBlocks.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kEnd = ~std::uint64_t{0};

RegionSet regionsOf(const std::string &text) {
  auto bytes = packText("kperf 1.15\nregion 0xa0 kernel \"k\"\nregion 0xa1 scope \"a\"\n" + text, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  RegionSet out;
  out.add(*trace);
  return out;
}

const char *const kWaitAndSignal = "region 0xb0 wait \"sync\" operation=barrier object=block-barrier\n"
                                   "region 0xb1 signal \"arrive\" operation=arrive object=block-barrier\nregion 0xb2 mark \"here\"\n";

struct Collected {
  explicit Collected(std::size_t maxHeld = SyncBlocks::kMaxHeld, const std::string &text = kWaitAndSignal)
      : regions(regionsOf(text)), blocks(regions, [this](const SyncBlock &block) { seen.push_back(block); }, maxHeld) {}

  WarpSpans warpOf(std::uint32_t index, std::uint64_t begin, std::uint64_t end) const {
    WarpSpans warp{};
    warp.header.gridId = 1;
    warp.header.warp = index;
    warp.begin = warp.kept.begin = begin;
    warp.end = warp.kept.end = end;
    warp.isFinished = true;
    return warp;
  }
  /// A warp of which `change` says what is particular.
  template <typename Change> const SyncWarp &one(Change change) {
    WarpSpans warp = warpOf(0, 100, 200);
    change(warp);
    blocks.add(0, 0, 1, warp);
    return seen.back().warps.at(0);
  }
  /// Adds the only warp of a block that has two.
  void open(std::uint64_t block, std::size_t spans = 0) {
    const std::vector<Span> list(spans, {100, 110, regions.find(0xb0), 1});
    WarpSpans warp = warpOf(0, 100, 200);
    warp.header.block = block;
    warp.spans = list;
    blocks.add(0, 0, 2, warp);
  }
  /// "number reason" of each block.
  std::string given() const {
    std::string out;
    for (const SyncBlock &block : seen)
      out += std::to_string(block.block) + (block.why == UnknownReason::Split     ? " split, "
                                            : block.why == UnknownReason::Missing ? " missing, "
                                                                                  : ", ");
    return out;
  }

  RegionSet regions;
  std::vector<SyncBlock> seen;
  SyncBlocks blocks;
};

TEST(SyncBlocks, AreGivenAwayWhenAllTheirWarpsCame) {
  Collected out;
  WarpSpans unfinished = out.warpOf(0, 80, 180);
  unfinished.isFinished = false;
  out.blocks.add(3, 4, 3, out.warpOf(2, 100, 200));
  out.blocks.add(3, 4, 3, unfinished);
  EXPECT_TRUE(out.seen.empty());
  out.blocks.add(3, 4, 3, out.warpOf(1, 110, 250));
  ASSERT_EQ(out.seen.size(), 1u);
  const SyncBlock &block = out.seen[0];
  EXPECT_EQ(block.gridId, 1u);
  EXPECT_EQ(block.device, 3u);
  EXPECT_EQ(block.kernel, 4u);
  EXPECT_EQ(block.why, UnknownReason::None);
  EXPECT_FALSE(block.isFinished);
  EXPECT_EQ(block.begin, 80u);
  EXPECT_EQ(block.end, 250u);
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(block.warps.at(i).index, i);
  out.blocks.finish();
  EXPECT_EQ(out.seen.size(), 1u);
  // What is left at the end lacks warps, unless nobody knows how many there are: in the order in which a warp came last.
  Collected left;
  left.open(7);
  left.open(5);
  left.blocks.add(0, 0, 0, left.warpOf(0, 100, 200));
  left.open(7);
  EXPECT_EQ(left.given(), "7, ");
  left.open(9);
  left.open(5);
  left.open(8);
  left.blocks.finish();
  EXPECT_EQ(left.given(), "7, 5, 0, 9 missing, 8 missing, ");
  EXPECT_TRUE(left.seen[0].isFinished);
}

TEST(SyncBlocks, WithoutWaitsThereIsNothingToCollect) {
  Collected out(SyncBlocks::kMaxHeld, "");
  EXPECT_FALSE(out.blocks.areNeeded());
  out.blocks.add(0, 0, 1, out.warpOf(0, 100, 200));
  out.blocks.finish();
  EXPECT_TRUE(out.seen.empty());
  EXPECT_TRUE(Collected().blocks.areNeeded());
}

struct Completeness {
  std::uint64_t from, to;
  UnknownReason why;
  bool operator==(const Completeness &) const = default;
};

Completeness completeOf(const SyncWarp &warp) { return {warp.completeFrom, warp.completeTo, warp.why}; }

TEST(SyncBlocks, SayWhatOfAWarpWasRecorded) {
  Collected out;
  const auto with = [&](auto change) { return completeOf(out.one(change)); };
  const Completeness all{0, kEnd, UnknownReason::None}, nothing{kEnd, 0, UnknownReason::Damaged};
  EXPECT_EQ(with([](WarpSpans &) {}), all);
  const auto dropNewest = [](WarpSpans &warp) {
    warp.counts.dropped = 1;
    warp.policy = format::KeepPolicy::First;
    warp.kept = {.begin = 100, .end = 150};
  };
  const auto dropOldest = [](WarpSpans &warp) {
    warp.counts.dropped = 1;
    warp.policy = format::KeepPolicy::Last;
    warp.kept = {.begin = 130, .end = 200};
  };
  const auto damage = [](WarpSpans &warp) { warp.counts.damaged = 1; };
  const auto isUnfinished = [](WarpSpans &warp) { warp.isFinished = false; };
  EXPECT_EQ(with(dropNewest), (Completeness{0, 150, UnknownReason::Dropped}));
  EXPECT_EQ(with(dropOldest), (Completeness{130, kEnd, UnknownReason::Dropped}));
  EXPECT_EQ(with(damage), nothing);
  EXPECT_EQ(with([&](WarpSpans &warp) { dropNewest(warp), damage(warp); }), nothing);
  EXPECT_EQ(with(isUnfinished), (Completeness{0, 200, UnknownReason::Unfinished}));
  EXPECT_EQ(with([&](WarpSpans &warp) { dropNewest(warp), isUnfinished(warp); }), (Completeness{0, 150, UnknownReason::Dropped}));
  EXPECT_EQ(with([&](WarpSpans &warp) { dropOldest(warp), isUnfinished(warp); }), (Completeness{130, 200, UnknownReason::Dropped}));
  const auto ofRecords = [&](std::uint64_t records) {
    return with([&](WarpSpans &warp) { warp.header.produced = warp.header.capacity = static_cast<std::uint32_t>(records); });
  };
  EXPECT_EQ(ofRecords(SpanDecoder::kMaxRecords), all);
  EXPECT_EQ(ofRecords(SpanDecoder::kMaxRecords + 1), (Completeness{kEnd, 0, UnknownReason::Dropped})); // more than is decoded
}

TEST(SyncBlocks, OfMarksSignalsAreKept) {
  Collected out;
  const std::uint32_t signal = out.regions.find(0xb1), mark = out.regions.find(0xb2);
  const Mark marks[] = {{110, signal, 1, 5}, {120, mark, 1, 6}, {130, signal, 1, 7}};
  const SyncWarp &warp = out.one([&](WarpSpans &warp) { warp.marks = marks; });
  ASSERT_EQ(warp.signals.size(), 2u);
  EXPECT_EQ(warp.signals[0].payload, 5u);
  EXPECT_EQ(warp.signals[1].payload, 7u);
}

/// A warp takes 4 and one for each of its spans and signals.
TEST(SyncBlocks, OfTooManyTheOlderHalfIsGivenAway) {
  Collected odd(10);
  for (const std::uint64_t block : {1, 2, 3, 4}) // 12 of 10 when the fourth comes
    odd.open(block);
  EXPECT_EQ(odd.given(), "1 split, 2 split, ");
  odd.open(1); // is left out, for it was given away
  odd.open(3);
  EXPECT_EQ(odd.given(), "1 split, 2 split, 3, ");
  odd.blocks.finish();
  EXPECT_EQ(odd.given(), "1 split, 2 split, 3, 4 missing, ");
  odd.open(1); // of another trace
  odd.open(1);
  EXPECT_EQ(odd.given(), "1 split, 2 split, 3, 4 missing, 1, ");

  Collected even(8);
  even.open(1);
  even.open(2);
  EXPECT_EQ(even.given(), "");
  even.open(3);
  EXPECT_EQ(even.given(), "1 split, ");

  for (const std::size_t spans : {3, 4}) {
    Collected held(8);
    held.open(1, spans);
    held.open(2);
    EXPECT_EQ(held.given(), spans == 4 ? "1 split, " : "") << spans;
  }

  Collected back(8); // what was given away is held no more
  for (const std::uint64_t block : {1, 1, 2, 3})
    back.open(block);
  EXPECT_EQ(back.given(), "1, ");

  Collected order(12); // the first block has had a warp since the second
  WarpSpans warp = order.warpOf(0, 100, 200);
  for (const std::uint64_t block : {1, 2, 1, 3}) {
    warp.header.block = block;
    order.blocks.add(0, 0, 3, warp);
  }
  EXPECT_EQ(order.given(), "2 split, ");
}

} // namespace
} // namespace kperf::decoder
