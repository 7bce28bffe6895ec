// What holds of the critical path and the replay of any block, however little sense its waits make.
#include "decoder/sync/CriticalPath.h"
#include "decoder/sync/Replay.h"
#include "decoder/sync/SelfTime.h"
#include "decoder/sync/SyncGraph.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace kperf;
using namespace kperf::decoder;
using Kind = PathStep::Kind;

namespace {

constexpr const char *kRegions = R"(kperf 1.9 target=host
region 0xa1 scope "a"
region 0xa2 scope "b"
region 0xa3 range "r"
region 0xb0 wait "sync" operation=barrier object=block-barrier
region 0xb1 wait "barrier.wait" operation=await object=block-barrier
region 0xb2 wait "mbar.sync" operation=barrier object=shared-barrier
region 0xb3 wait "mbar.wait" operation=await object=shared-barrier
region 0xb4 wait "copies" operation=await object=copy-group
region 0xb5 wait "grid.sync" operation=barrier object=grid-barrier
region 0xb6 wait "warp.sync" operation=await object=lanes
region 0xb7 wait "spin" operation=await object=unknown
region 0xb8 wait "pipe.wait" operation=await object=pipeline
region 0xb9 wait "acquire" operation=await object=pipeline-stage
region 0xc0 signal "arrive" operation=arrive object=block-barrier
region 0xc1 signal "mbar.arrive" operation=arrive object=shared-barrier
region 0xc2 signal "tma" operation=issue object=shared-barrier
region 0xc3 signal "copy" operation=issue object=copy-group
region 0xc4 signal "commit" operation=commit object=copy-group
region 0xc5 signal "pipe.commit" operation=commit object=pipeline
region 0xc6 signal "release" operation=arrive object=pipeline-stage
)";
constexpr std::uint32_t kScopes = 3, kWaits = 10, kSignals = 7;

RegionSet regionsOfText() {
  auto bytes = packText(kRegions, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  RegionSet out;
  out.add(*trace);
  return out;
}

/// A block of warps that wait and signal at random; `spread`: times are multiples of it, so that many are the same.
class RandomBlock {
public:
  explicit RandomBlock(unsigned seed) : random(seed), spread(seed % 3 == 0 ? 50 : 1) {}

  SyncBlock make() {
    SyncBlock block{1, 0, 0, 0, {}, UnknownReason::None, true, ~std::uint64_t{0}, 0};
    const std::uint64_t count = 1 + draw(4);
    for (std::uint32_t i = 0; i < count; ++i) {
      block.warps.push_back(warp(i));
      block.begin = std::min(block.begin, block.warps[i].begin);
      block.end = std::max(block.end, block.warps[i].end);
    }
    if (draw(40) == 0)
      block.why = UnknownReason::Missing;
    return block;
  }

private:
  std::uint64_t draw(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); }
  std::uint64_t time(std::uint64_t from, std::uint64_t to) { return std::clamp((from + draw(to - from)) / spread * spread, from, to); }

  SyncWarp warp(std::uint32_t index) {
    SyncWarp out{index, draw(4) * 50, 0, 0, ~std::uint64_t{0}, UnknownReason::None, {}, {}};
    out.end = out.begin + 100 + draw(3000);
    if (draw(15) == 0)
      std::tie(out.completeTo, out.why) = std::pair(time(out.begin, out.end), UnknownReason::Dropped);
    else if (draw(15) == 0)
      std::tie(out.completeFrom, out.why) = std::pair(time(out.begin, out.end), UnknownReason::Dropped);
    for (std::uint64_t i = draw(8); i > 0; --i)
      addSpan(out, static_cast<std::uint32_t>(draw(kScopes - 1)), 0);
    for (std::uint64_t i = draw(10); i > 0; --i)
      addSpan(out, static_cast<std::uint32_t>(kScopes + draw(kWaits - 1)), static_cast<std::uint32_t>(draw(1)));
    for (std::uint64_t i = draw(12); i > 0; --i)
      out.signals.push_back({time(out.begin, out.end), static_cast<std::uint32_t>(kScopes + kWaits + draw(kSignals - 1)), 1,
                             static_cast<std::uint32_t>(draw(1))});
    std::ranges::sort(out.spans, {}, [](const Span &span) { return std::pair(span.begin, ~span.end); });
    std::ranges::sort(out.signals, {}, &Mark::at);
    return out;
  }
  void addSpan(SyncWarp &out, std::uint32_t region, std::uint32_t object) {
    const std::uint64_t begin = time(out.begin, out.end);
    out.spans.push_back({begin, draw(9) == 0 ? begin : time(begin, std::min(out.end, begin + 600)), region, object});
  }

  std::mt19937_64 random;
  std::uint64_t spread;
};

} // namespace

TEST(CriticalPath, IsAsLongAsTheBlockAndNoGainIsMoreThanItsShare) {
  const RegionSet regions = regionsOfText();
  SyncGraph graph(regions);
  SelfTime own;
  CriticalPath path(regions);
  Replay replay(regions);
  std::map<Kind, unsigned> seen;
  unsigned replayed = 0, broken = 0, gained = 0;
  for (unsigned seed = 0; seed < 4000 && !HasFailure(); ++seed) {
    const SyncBlock block = RandomBlock(seed).make();
    graph.build(block);
    own.build(block, regions);
    path.build(block, graph, own);
    std::uint64_t now = block.begin;
    std::map<PathStep, std::uint64_t> steps;
    for (const PathSegment &segment : path.segments()) {
      EXPECT_EQ(segment.begin, now) << "seed " << seed;
      EXPECT_LT(segment.begin, segment.end);
      now = segment.end;
      steps[segment.step] += segment.cycles();
      ++seen[segment.step.kind];
    }
    EXPECT_EQ(now, block.end) << "seed " << seed;
    for (const SyncGraph::Wait &wait : graph.waits()) {
      EXPECT_LE(wait.released, wait.end) << "seed " << seed;
      EXPECT_EQ(wait.verdict == SyncGraph::Verdict::Released,
                wait.released > wait.begin && wait.by != SyncGraph::kNone && wait.verdict != SyncGraph::Verdict::OtherBlocks);
    }
    if (!replay.build(block, graph, own)) {
      ++broken;
      continue;
    }
    ++replayed;
    EXPECT_EQ(replay.cycles(), block.cycles()) << "seed " << seed;
    for (const auto &[step, cycles] : steps) {
      if (step.kind == Kind::NotKnown)
        continue;
      const std::uint64_t without = replay.lengthWithout(step);
      ASSERT_LE(without, block.cycles()) << "seed " << seed;
      EXPECT_LE(block.cycles() - without, cycles)
          << "seed " << seed << ", kind " << static_cast<int>(step.kind) << ", region " << step.region;
      gained += without < block.cycles();
    }
  }
  EXPECT_EQ(seen.size(), 7u) << "a kind of step was never on a path";
  EXPECT_GT(replayed, 20 * broken) << replayed << " " << broken;
  EXPECT_GT(gained, replayed);
}

TEST(CriticalPath, WhatIsKnownHoldsTheLastTimeOfWhatWasKeptAndNotTheFirst) {
  const RegionSet regions = regionsOfText();
  const auto pathOf = [&](const SyncBlock &block) {
    SyncGraph graph(regions);
    SelfTime own;
    CriticalPath path(regions);
    graph.build(block);
    own.build(block, regions);
    path.build(block, graph, own);
    return std::vector<PathSegment>(path.segments().begin(), path.segments().end());
  };
  const std::uint32_t a = regions.find(0xa1), sync = regions.find(0xb0);
  constexpr std::uint64_t kAlways = ~std::uint64_t{0};
  // A warp that did not finish, and of which all is known until it was last seen.
  SyncBlock seen{1, 0, 0, 0, {}, UnknownReason::None, false, 0, 100};
  seen.warps.push_back({0, 0, 100, 0, 100, UnknownReason::Unfinished, {{10, 100, a, 1}}, {}});
  const std::vector<PathSegment> known = pathOf(seen);
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(known[0].step.kind, Kind::NoRegion);
  EXPECT_EQ(known[1].step.kind, Kind::Region);
  EXPECT_EQ(known[1].begin, 10u);
  // The other warp comes last, at 90. With what a ring lost goes the wait at the end of which the first record is kept.
  const auto waited = [&](std::uint64_t completeFrom) {
    SyncBlock block{1, 0, 0, 0, {}, UnknownReason::None, true, 0, 100};
    block.warps.push_back({0, 0, 100, completeFrom, kAlways, UnknownReason::Dropped, {{60, 100, sync, 0}}, {}});
    block.warps.push_back({1, 0, 95, 0, kAlways, UnknownReason::None, {{90, 95, sync, 0}}, {}});
    return pathOf(block);
  };
  const std::vector<PathSegment> whole = waited(0), lost = waited(100);
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_EQ(whole[0].step.kind, Kind::NoRegion);
  EXPECT_EQ(whole[1].step.kind, Kind::Wait);
  EXPECT_EQ(whole[1].begin, 90u);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].step, (PathStep{Kind::NotKnown, RegionSet::kNone, UnknownReason::Dropped}));
}
