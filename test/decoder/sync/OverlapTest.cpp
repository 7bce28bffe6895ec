// What overlaps, held against a count cycle by cycle and against what must hold of any trace.
#include "decoder/sync/Overlap.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/view/View.h"
#include "test/decoder/DecodedTrace.h"
#include "test/decoder/TraceGenerator.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace kperf;
using namespace kperf::test;
using decoder::Cell;
using decoder::RegionSet;
using decoder::Trace;

namespace {

Trace generated(unsigned seed, unsigned meanRegionCycles) {
  TraceShape shape;
  shape.launches = 2;
  shape.blocks = 3;
  shape.warpsPerBlock = 1 + seed % 4;
  shape.recordsPerWarp = 15;
  shape.capacity = seed % 3 == 0 ? 8 : 1024;
  shape.hasUnfinished = seed % 5 == 0;
  shape.hasRanges = seed % 4 != 0;
  shape.meanRegionCycles = meanRegionCycles;
  auto trace = Trace::read(decoder::ByteSource::memory(TraceGenerator(shape, seed).make()));
  EXPECT_TRUE(trace) << trace.error().text();
  return std::move(*trace);
}

/// Counts cycle by cycle: which regions run, by the words of KernelOverlap's contract.
class CycleCount final : public decoder::WarpSink {
public:
  explicit CycleCount(const RegionSet &regions) : regions(regions) {}

  void warp(const decoder::WarpSpans &warp) override {
    const std::pair<std::uint64_t, std::uint64_t> key{warp.header.gridId, warp.header.block};
    auto &cycles = groups[key];
    for (std::uint64_t at = warp.begin; at < warp.end; ++at) {
      const decoder::Span *inner = nullptr; // the one that began last, of those that are no range
      for (const decoder::Span &span : warp.spans) {
        if (span.begin > at || span.end <= at)
          continue;
        if (regions.kinds()[span.region] == format::RegionKind::Range)
          cycles[at].insert(span.region);
        else
          inner = &span;
      }
      const decoder::KeptWindow &kept = warp.kept;
      const bool isEnclosed = !inner && (at < kept.enclosedUntil || at >= kept.enclosedFrom);
      if (isEnclosed || at < kept.openUntil || at >= kept.openFrom)
        unknown[key].insert(at);
      if (inner)
        cycles[at].insert(inner->region);
    }
  }

  struct Sum {
    std::uint64_t total = 0, exposed = 0;
    std::map<std::uint32_t, std::uint64_t> with;
  };
  std::map<std::uint32_t, Sum> sums() const {
    std::map<std::uint32_t, Sum> out;
    for (const auto &[key, cycles] : groups)
      for (const auto &[at, running] : cycles)
        for (const std::uint32_t region : isUnknown(key, at) ? std::set<std::uint32_t>() : running) {
          ++out[region].total;
          out[region].exposed += running.size() == 1;
          for (const std::uint32_t other : running)
            ++out[region].with[other];
        }
    return out;
  }

private:
  bool isUnknown(const std::pair<std::uint64_t, std::uint64_t> &group, std::uint64_t at) const {
    const auto found = unknown.find(group);
    return found != unknown.end() && found->second.contains(at);
  }

  const RegionSet &regions;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::map<std::uint64_t, std::set<std::uint32_t>>> groups;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<std::uint64_t>> unknown; ///< where what was dropped may have run
};

class Grouping final : public decoder::WarpSink {
public:
  Grouping(const RegionSet &regions, std::size_t most) : groups(regions, most) {}
  void warp(const decoder::WarpSpans &warp) override {
    groups.add({warp.header.gridId, warp.header.block, 0, 0}, warp.header.blockX / 32, warp);
  }
  decoder::OverlapGroups groups;
};

} // namespace

TEST(Overlap, IsWhatACountOfEveryCycleGives) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Trace trace = generated(seed, 30);
    RegionSet regions;
    regions.add(trace);
    CycleCount count(regions);
    Grouping grouping(regions, decoder::OverlapGroups::kMaxStretches);
    ASSERT_TRUE(decoder::SpanDecoder(regions, count).run(trace));
    ASSERT_TRUE(decoder::SpanDecoder(regions, grouping).run(trace));
    grouping.groups.finish();
    const decoder::KernelOverlap &overlap = grouping.groups.kernel(0).overlap;
    auto expected = count.sums();
    for (std::uint32_t a = 0; a < overlap.size(); ++a) {
      const CycleCount::Sum &sum = expected[overlap.regionAt(a)];
      EXPECT_EQ(overlap.total(a), sum.total) << "seed " << seed;
      EXPECT_EQ(overlap.exposed(a), sum.exposed) << "seed " << seed;
      for (std::uint32_t b = 0; b < overlap.size(); ++b) {
        const auto with = sum.with.find(overlap.regionAt(b));
        EXPECT_EQ(overlap.together(a, b), with == sum.with.end() ? 0 : with->second) << "seed " << seed;
      }
    }
  }
}

TEST(Overlap, WaitsDoNoWork) {
  //         0    20   50   60   90  100
  // warp 0  r    w    r    r    r       a range around its wait
  // warp 1  s    s    s    w    s       a scope around its wait, in which a loop polls
  const DecodedTrace warps = DecodedTrace::fromText(
      "kperf 1.10 target=host\nregion 0xa0 kernel \"k\"\nregion 0xa1 range \"r\"\n"
      "region 0xa2 scope \"s\"\nregion 0xa3 wait \"w\" operation=barrier object=block-barrier\nregion 0xa4 automatic \"p\"\nwarps\n"
      "warp 0.0 block=64 cycles=0..100\n  begin r 0\n  span w 20..50\n  end r 100\n"
      "warp 0.1 block=64 cycles=0..100\n  span p 65..85\n  span w 60..90\n  span s 0..100\n");
  ASSERT_EQ(warps.error, "");
  ASSERT_EQ(warps.warps.size(), 2u);
  decoder::OverlapGroups groups(warps.regions);
  for (const DecodedWarp &each : warps.warps) {
    decoder::WarpSpans warp = each.warp;
    warp.spans = each.spans;
    groups.add({1, 0, 0, 0}, 2, warp);
  }
  groups.finish();
  const decoder::KernelOverlap &overlap = groups.kernel(0).overlap;
  std::map<std::string, std::array<std::uint64_t, 3>> found;
  for (std::uint32_t place = 0; place < overlap.size(); ++place)
    found[std::string(warps.regions[overlap.regionAt(place)].name)] = {overlap.total(place), overlap.exposed(place),
                                                                       overlap.overlapped(place)};
  EXPECT_EQ(found["r"], (std::array<std::uint64_t, 3>{70, 30, 40}));
  EXPECT_EQ(found["s"], (std::array<std::uint64_t, 3>{70, 30, 40}));
  EXPECT_EQ(found["w"], (std::array<std::uint64_t, 3>{60, 0, 60})); // something else is done meanwhile
  EXPECT_EQ(found["p"], (std::array<std::uint64_t, 3>{}));
  EXPECT_EQ(overlap.covered(), 100u);
}

TEST(Overlap, LeavesOutWhatADroppedRegionMayHaveOverlapped) {
  //         0        100      200      300             1000
  // warp 0  a        a        a        a               a        all kept
  // warp 1  b        (b or anything)   b dropped       dropped  records in the order of the ends: one around both may be gone
  const Trace trace = std::move(*Trace::read(decoder::ByteSource::memory(std::move(
      *decoder::packText(withRegions("warp 0.0 block=64 cycles=0..1000\n  span a 0..1000\n"
                                     "warp 0.1 block=64 cycles=0..1000 produced=9 capacity=2\n  span b 0..100\n  span b 200..300\n"),
                         "text")))));
  RegionSet regions;
  regions.add(trace);
  Grouping grouping(regions, decoder::OverlapGroups::kMaxStretches);
  ASSERT_TRUE(decoder::SpanDecoder(regions, grouping).run(trace));
  grouping.groups.finish();
  const decoder::OverlapGroups::Kernel &kernel = grouping.groups.kernel(0);
  EXPECT_EQ(kernel.life, 200u);
  EXPECT_EQ(kernel.unknown, 800u);
  ASSERT_EQ(kernel.overlap.size(), 2u);
  for (std::uint32_t place = 0; place < 2; ++place) {
    EXPECT_EQ(kernel.overlap.total(place), 200u);
    EXPECT_EQ(kernel.overlap.exposed(place), 0u);
  }
}

TEST(Overlap, ExposedAndOverlappedAreTheTotalOfEveryRegion) {
  std::uint64_t overlapping = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Trace trace = generated(seed, 400);
    RegionSet regions;
    regions.add(trace);
    for (const std::size_t most : {decoder::OverlapGroups::kMaxStretches, std::size_t{20}}) {
      Grouping grouping(regions, most);
      ASSERT_TRUE(decoder::SpanDecoder(regions, grouping).run(trace));
      grouping.groups.finish();
      const decoder::KernelOverlap &overlap = grouping.groups.kernel(0).overlap;
      std::uint64_t exposed = 0;
      for (std::uint32_t place = 0; place < overlap.size(); ++place) {
        EXPECT_EQ(overlap.exposed(place) + overlap.overlapped(place), overlap.total(place)) << "seed " << seed;
        EXPECT_EQ(overlap.together(place, place), overlap.total(place));
        EXPECT_LE(overlap.total(place), overlap.covered());
        exposed += overlap.exposed(place);
        overlapping += overlap.overlapped(place);
        for (std::uint32_t other = 0; other < overlap.size(); ++other)
          EXPECT_EQ(overlap.together(place, other), overlap.together(other, place));
      }
      EXPECT_LE(exposed, overlap.covered());
      EXPECT_LE(overlap.covered(), grouping.groups.kernel(0).life) << "seed " << seed;
    }
  }
  EXPECT_GT(overlapping, 0u);
}

TEST(Overlap, RegionsBeyondThoseKeptApartShareThePlaceOfTheLast) {
  decoder::KernelOverlap overlap;
  for (std::uint32_t region = 0; region < 100; ++region)
    EXPECT_EQ(overlap.placeOf(region, false), std::min(region, 63u));
  EXPECT_EQ(overlap.placeOf(5, false), 5u);
  EXPECT_EQ(overlap.regionAt(62), 62u);
  EXPECT_EQ(overlap.regionAt(63), RegionSet::kNone);
}

/// Two warps a group, each in a region from 100 to 110 of its 0 to 200 cycles: one stretch. Adds one warp to each of these groups in turn.
decoder::OverlapGroups::Kernel overlapOf(const std::vector<std::uint64_t> &groups, std::size_t maxStretches) {
  const DecodedTrace trace = DecodedTrace::fromText(withRegions("warp 0.0 cycles=0..200\n  span a 100..110\n"));
  decoder::OverlapGroups out(trace.regions, maxStretches);
  decoder::WarpSpans warp = trace.warps.at(0).warp;
  warp.spans = trace.warps[0].spans;
  for (const std::uint64_t group : groups)
    out.add({1, group, 0, 0}, 2, warp);
  out.finish();
  return out.kernel(0);
}

TEST(Overlap, OfTooManyGroupsTheOlderHalfIsLookedAtEarly) {
  const auto whole = overlapOf({1, 2, 3, 1, 2, 3}, 4);
  EXPECT_EQ(whole.groups, 3u);
  EXPECT_EQ(whole.split, 0u);
  EXPECT_EQ(whole.life, 600u);
  EXPECT_EQ(whole.overlap.total(0), 30u); // of both warps at once
  // Of three that are held, 1 and 2 are looked at when 4 comes; 3 and 4 are whole, and of 1 another warp comes.
  const auto odd = overlapOf({1, 2, 3, 4, 3, 4, 1}, 3);
  EXPECT_EQ(odd.groups, 5u);
  EXPECT_EQ(odd.split, 1u);
  EXPECT_EQ(odd.life, 1000u);
  EXPECT_EQ(odd.overlap.total(0), 50u);
  const auto later = overlapOf({1, 2, 1, 2, 3, 4, 3, 4}, 3); // what was whole is held no more
  EXPECT_EQ(later.split, 0u);
  EXPECT_EQ(later.groups, 4u);
}

TEST(Overlap, CountsWhatHasNoPlaceInTime) {
  const DecodedTrace trace = DecodedTrace::fromText(withRegions("warp 0.0 cycles=0..200\n"));
  const decoder::RegionSum sums[3] = {};
  decoder::WarpSpans warp = trace.warps.at(0).warp;
  warp.spans = {};
  warp.counts.dropped = 5;
  decoder::OverlapGroups out(trace.regions);
  for (const std::size_t count : {2, 3}) {
    warp.sums = std::span(sums).first(count);
    out.add({1, 1, 0, 0}, 2, warp);
  }
  EXPECT_EQ(out.kernel(0).summed, 5u);
  EXPECT_EQ(out.kernel(0).dropped, 10u);
  EXPECT_EQ(out.kernel(0).groups, 1u);
}
