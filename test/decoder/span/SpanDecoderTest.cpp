// Records into spans: clocks that wrap, begins that meet their ends, rings, parts, and the account of what is left.
#include "decoder/span/ClockUnwrap.h"
#include "test/decoder/DecodedTrace.h"
#include "test/decoder/TraceGenerator.h"

using namespace kperf;
using namespace kperf::test;

namespace {

DecodedWarp only(const std::string &warps) {
  DecodedTrace trace = DecodedTrace::fromText(withRegions(warps));
  EXPECT_EQ(trace.error, "");
  EXPECT_EQ(trace.warps.size(), 1u);
  return trace.warps.empty() ? DecodedWarp{} : trace.warps.front();
}

} // namespace

TEST(ClockUnwrap, FindsTheNearestTimeOnItsSide) {
  EXPECT_EQ(decoder::unwrapFrom(0x1'ffff'fff0, 0x10), 0x2'0000'0010u);
  EXPECT_EQ(decoder::unwrapFrom(0x1'0000'0010, 0x10), 0x1'0000'0010u);
  EXPECT_EQ(decoder::unwrapFrom(0x1'0000'0011, 0x10), 0x2'0000'0010u);
  EXPECT_EQ(decoder::unwrapUntil(0x2'0000'0010, 0xffff'fff0), 0x1'ffff'fff0u);
  EXPECT_EQ(decoder::unwrapUntil(0x2'0000'0010, 0x10), 0x2'0000'0010u);
}

TEST(SpanDecoder, UnwrapsAcrossTheWrapOfA32BitClock) {
  // The warp starts 96 cycles before the wrap.
  const DecodedWarp warp = only("warp 0.0 cycles=8589934496..8589935096\n"
                                "  span a 4294967200..4294967290\n"
                                "  span b 4294967290..50\n"
                                "  mark m 100\n");
  EXPECT_EQ(warp.extents(), "0..90 90..146");
  ASSERT_EQ(warp.marks.size(), 1u);
  EXPECT_EQ(warp.marks[0].at - warp.warp.begin, 196u);
}

TEST(SpanDecoder, FollowsAWarpThatLivesThroughSeveralWraps) {
  const DecodedWarp warp = only("warp 0.0 cycles=100..13000000000\n"
                                "  span a 200..300\n"
                                "  span a 4294967000..100\n"        // up to the first wrap and over it
                                "  span b 4000000000..4000000100\n" // nearly a wrap later: 1.9 s at 2 GHz without a record
                                "  span b 2000000000..2000000100\n");
  EXPECT_EQ(warp.extents(), "100..200 4294966900..4294967296 8294967196..8294967296 10589934492..10589934592");
  EXPECT_EQ(warp.warp.counts.damaged, 0u);
}

TEST(SpanDecoder, TakesAnAdjacentRecordForTwoSpansOfTheWholeWarp) {
  const std::string regions = "kperf 1.8\n"
                              "region 0x11 kernel \"k\"\n"
                              "region 0x12 scope \"a\" next=0x13\n"
                              "region 0x13 scope \"b\"\n";
  // The second warp of a block of 40 threads; the clock wraps within the second region.
  DecodedTrace trace = DecodedTrace::fromText(regions + "warp 0.1 block=40x1x1 cycles=4294967000..4294968000\n"
                                                        "  adjacent a 4294967010..4294967110 next=204\n"
                                                        "  span a 300..310\n");
  ASSERT_EQ(trace.error, "");
  ASSERT_EQ(trace.warps.size(), 1u);
  const DecodedWarp &warp = trace.warps.front();
  EXPECT_EQ(warp.extents(), "10..110 110..500 596..606");
  ASSERT_EQ(warp.spans.size(), 3u);
  EXPECT_EQ(warp.spans[0].lanes, 0xffu);
  EXPECT_EQ(warp.spans[1].lanes, 0xffu);
  EXPECT_NE(warp.spans[0].region, warp.spans[1].region);
  EXPECT_EQ(warp.warp.counts.spans, 2u); // records
  EXPECT_EQ(warp.warp.counts.accounted(), 2u);
}

TEST(SpanDecoder, CountsAnAdjacentRecordOnceHoweverMuchOfItIsDamaged) {
  const std::string regions = "kperf 1.8\n"
                              "region 0x11 kernel \"k\"\n"
                              "region 0x12 scope \"a\" next=0x13\n"
                              "region 0x13 scope \"b\"\n";
  for (const auto &[record, spans, damaged] :
       {std::tuple{"100..200 next=300", 1u, 0u}, {"100..200 next=30000000", 0u, 1u}, {"20000000..30000000 next=30000000", 0u, 1u}}) {
    DecodedTrace trace = DecodedTrace::fromText(regions + "warp 0.0 cycles=0..1000\n  adjacent a " + std::string(record) + "\n");
    ASSERT_EQ(trace.error, "");
    EXPECT_EQ(trace.warps.front().warp.counts.spans, spans) << record;
    EXPECT_EQ(trace.warps.front().warp.counts.damaged, damaged) << record;
    EXPECT_EQ(trace.warps.front().warp.counts.accounted(), 1u) << record;
  }
}

TEST(SpanDecoder, FollowsARingFromItsEndBackwards) {
  // 4 of 1000 records are left, all near the end of a warp that lived for three wraps.
  const DecodedWarp warp = only("warps keep=last\nwarp 0.0 cycles=0..12884902000 capacity=2 produced=1000 flags=finished\n"
                                "  span a 4294967000..4294967100\n"
                                "  span b 4294967200..100\n");
  EXPECT_EQ(warp.extents(), "12884901592..12884901692 12884901792..12884901988");
  EXPECT_EQ(warp.warp.counts.dropped, 998u);
  EXPECT_EQ(warp.warp.kept.begin, 12884901692u); // the first record's: a region stands where it ends
}

TEST(SpanDecoder, FollowsARingBackwardsThroughSeveralWraps) {
  // The warp ends 112 cycles behind its third wrap: 2 · 2^32 is 8589934592.
  const auto ring = [](const std::string &spans, const std::string &flags = "finished") {
    return only("warps keep=last\nwarp 0.0 cycles=0..12884902000 capacity=2 produced=1000 flags=" + flags + "\n" + spans).extents();
  };
  // 3000 comes before 1000, and that before the end: each in the lap before.
  EXPECT_EQ(ring("  span a 2000..3000\n  span b 900..1000\n"), "4294969296..4294970296 8589935492..8589935592");
  // A record may be 64 cycles later than the one behind it; one that is 65 later is of the lap before.
  EXPECT_EQ(ring("  span a 1010..1064\n  span b 900..1000\n"), "8589935492..8589935592 8589935602..8589935656");
  EXPECT_EQ(ring("  span a 1010..1065\n  span b 900..1000\n"), "4294968306..4294968361 8589935492..8589935592");
  // Reserved ones begin up to 1024 cycles behind the end, which is where they are set to.
  EXPECT_EQ(ring("  span a 102..112\n  span b 1136..1136\n", "finished,reserved"), "12884901990..12884902000 12884902000..12884902000");
  EXPECT_EQ(ring("  span a 100..110\n  span b 1137..1140\n", "finished,reserved"), "8589934692..8589934702 8589935729..8589935732");
}

TEST(SpanDecoder, FollowsARingOfAdjacentRecordsBackwards) {
  const std::string regions = "kperf 1.8\n"
                              "region 0x11 kernel \"k\"\n"
                              "region 0x12 scope \"a\" next=0x13\n"
                              "region 0x13 scope \"b\"\n";
  DecodedTrace trace =
      DecodedTrace::fromText(regions + "warps keep=last\nwarp 0.0 cycles=0..12884902000 capacity=2 produced=1000 flags=finished\n"
                                       "  adjacent a 2000..2500 next=3000\n  adjacent a 1000..1100 next=1400\n");
  ASSERT_EQ(trace.error, "");
  ASSERT_EQ(trace.warps.size(), 1u);
  EXPECT_EQ(trace.warps.front().extents(), "4294969296..4294969796 4294969796..4294970296 8589935592..8589935692 8589935692..8589935992");
}

TEST(SpanDecoder, RecordsThatWereSkippedAreTheOldestAndNoNewestAreLostWithThem) {
  const auto warp = [](const std::string &produced) {
    DecodedTrace trace = DecodedTrace::fromText("kperf 1.9\nregion 0x11 kernel \"k\"\nregion 0x12 scope \"a\"\n"
                                                "warp 0.0 cycles=0..1000 capacity=2 skipped=3 produced=" +
                                                produced + "\n  span a 100..200\n  span a 300..400\n");
    EXPECT_EQ(trace.error, "");
    return trace.warps.at(0).warp;
  };
  const decoder::WarpSpans all = warp("5"), one = warp("6"); // three skipped, two kept
  EXPECT_TRUE(all.kept.hasLostOldest);
  EXPECT_FALSE(all.kept.hasLostNewest);
  EXPECT_EQ(all.kept.begin, 200u); // a region stands where it ends
  EXPECT_EQ(all.kept.end, 1000u);
  EXPECT_TRUE(one.kept.hasLostNewest);
  EXPECT_EQ(one.kept.end, 400u);
}

TEST(SpanDecoder, TakesRecordsInTheOrderOfTheirEnds) {
  const DecodedWarp warp = only("warp 0.0 cycles=0..20000000000\n"
                                "  span b 150..250\n"
                                "  span b 300..400\n"
                                "  span a 100..500\n"
                                "  span a 3000000000..4000000000\n"
                                "  span b 3999999999..1000000000\n");
  EXPECT_EQ(warp.extents(), "100..500 150..250 300..400 3000000000..4000000000 3999999999..5294967296");
}

TEST(SpanDecoder, ToleratesClockReadsThatMovedPastTheEdges) {
  const DecodedWarp warp = only("warp 0.0 cycles=5000..6000\n"
                                "  span a 4990..5100\n"
                                "  span b 5900..6004\n");
  EXPECT_EQ(warp.extents(), "0..100 900..1000");
}

TEST(SpanDecoder, ClocksMayBe1024CyclesOutsideTheWarpsLife) {
  const auto decoded = [](const std::string &record) {
    const DecodedWarp warp = only("warp 0.0 cycles=50000..60000\n  " + record + "\n");
    return warp.warp.counts.damaged > 0 ? "damaged" : warp.marks.empty() ? warp.extents() : std::to_string(warp.marks[0].at - 50000);
  };
  EXPECT_EQ(decoded("span a 48976..50010"), "0..10");
  EXPECT_EQ(decoded("span a 48975..50010"), "damaged");
  EXPECT_EQ(decoded("span a 59990..61024"), "9990..10000");
  EXPECT_EQ(decoded("span a 59990..61025"), "damaged");
  EXPECT_EQ(decoded("mark m 48976"), "0");
  EXPECT_EQ(decoded("mark m 48975"), "damaged");
  EXPECT_EQ(decoded("mark m 61024"), "10000");
  EXPECT_EQ(decoded("mark m 61025"), "damaged");
}

TEST(SpanDecoder, OfAWarpThatLivedForLessThanAWrapTheOrderSaysNothing) {
  const auto extents = [](const std::string &life) {
    return only("warp 0.0 cycles=0.." + life + "\n  span b 3000000000..3000000100\n  span a 1000..2000\n").extents();
  };
  EXPECT_EQ(extents("4294965247"), "1000..2000 3000000000..3000000100"); // with 1024 on both sides, 2^32 - 1
  EXPECT_EQ(extents("4294965248"), "3000000000..3000000100");            // the other would be in the next lap, behind the end
}

TEST(SpanDecoder, WhatIsKeptReachesToTheOutermostRecordOfAnyKind) {
  const auto kept = [](const std::string &records, const std::string &section = "") {
    return only("warps " + section + "\nwarp 0.0 cycles=0..1000 produced=9 capacity=3\n" + records).warp.kept;
  };
  EXPECT_EQ(kept("  mark m 100\n  span a 150..200\n  mark m 300\n").end, 300u);
  EXPECT_EQ(kept("  mark m 100\n  span a 150..200\n  mark m 300\n", "keep=last").begin, 100u);
  EXPECT_EQ(kept("  begin r 100\n  span a 150..200\n  end r 300\n").end, 300u);
  EXPECT_EQ(kept("  begin r 100\n  span a 150..200\n  end r 300\n", "keep=last").begin, 100u);
  EXPECT_EQ(kept("  mark m 100\n  mark m 150\n  span a 200..300\n").end, 300u);
  EXPECT_EQ(kept("  span a 50..100\n  mark m 150\n  mark m 200\n", "keep=last").begin, 100u);
}

TEST(SpanDecoder, AnUnfinishedWarpEndsWithTheLastThatWasSeenOfIt) {
  const auto end = [](const std::string &last) {
    const DecodedWarp warp = only("warp 0.0 cycles=100..0 capacity=4 produced=2 flags=reserved\n  span a 200..300\n  " + last + "\n");
    EXPECT_FALSE(warp.warp.isFinished);
    return warp.warp.end;
  };
  EXPECT_EQ(end("span b 400..450"), 450u);
  EXPECT_EQ(end("span b 210..220"), 300u);
  EXPECT_EQ(end("mark m 500"), 500u);
  EXPECT_EQ(end("begin r 500"), 500u);
  EXPECT_EQ(end("record 500 0 0xff 0x12"), 500u); // a region that had not ended
}

TEST(SpanDecoder, TakesTheLanesOfAWarpFromItsDevice) {
  const auto lanes = [](const std::string &device) {
    DecodedTrace trace = DecodedTrace::fromText("kperf 1.8\n" + device +
                                                "region 0x11 kernel \"k\"\nregion 0x12 scope \"a\" next=0x13\nregion 0x13 scope \"b\"\n"
                                                "warp 0.1 block=72x1x1 cycles=0..1000\n  adjacent a 100..200 next=300\n");
    EXPECT_EQ(trace.error, "");
    return trace.warps.at(0).spans.at(0).lanes;
  };
  EXPECT_EQ(lanes("device 0 lanes=64\n"), 0xffu); // the last 8 of 72 threads
  EXPECT_EQ(lanes("device 0 lanes=32\n"), ~0u);
  EXPECT_EQ(lanes("device 1 lanes=64\n"), ~0u); // which nothing is known of
}

TEST(SpanDecoder, WarpsOfTwoDevicesAreTwo) {
  for (const auto &[section, warps] : {std::pair("", 1u), {" device=1", 2u}, {" keep=last", 2u}}) {
    DecodedTrace trace =
        DecodedTrace::fromText(withRegions("warps\nwarp 0.0 cycles=0..1000\n  span a 100..400\nwarps" + std::string(section) +
                                           "\nwarp 0.0 cycles=0..1000 flags=finished,reserved,continued\n  span b 200..300\n"));
    EXPECT_EQ(trace.warps.size(), warps) << section;
  }
}

TEST(SpanDecoder, ARangeDoesNotEndBeforeItBegan) {
  const DecodedWarp warp = only("warp 0.0 cycles=0..1000\n  begin r 300\n  end r 200\n");
  EXPECT_EQ(warp.extents(), "300..300");
  EXPECT_EQ(warp.warp.counts.pairs, 1u);
}

TEST(SpanDecoder, CountsClocksOutsideTheWarpAsDamaged) {
  const DecodedWarp warp = only("warp 0.0 cycles=50000..60000\n"
                                "  span a 10..100\n"
                                "  span a 51000..90000\n"
                                "  mark m 80000\n"
                                "  span a 52000..52001\n");
  EXPECT_EQ(warp.warp.counts.damaged, 3u);
  EXPECT_EQ(warp.extents(), "2000..2001");
}

TEST(SpanDecoder, CountsImpossibleRecordsAsDamaged) {
  const DecodedWarp warp = only("warp 0.0 cycles=0..1000\n"
                                "  span m 1..2\n"               // a mark has no span
                                "  mark a 5\n"                  // a scope is no instant
                                "  span 0x77 1..2\n"            // unknown region
                                "  adjacent a 1..2 next=3\n"    // no region goes on from it
                                "  record 1 2 3 0x0f000012\n"); // unknown kind
  EXPECT_EQ(warp.warp.counts.damaged, 5u);
  EXPECT_EQ(warp.extents(), "");
}

TEST(SpanDecoder, PairsBeginsWithEndsFirstInFirstOut) {
  // A pipeline of depth two: iteration i ends while i + 1 is in flight.
  const DecodedWarp warp = only("warp 0.0 cycles=0..1000\n"
                                "  begin r 10\n  begin r 20\n  end r 30\n  begin r 40\n  end r 50\n  end r 60\n");
  EXPECT_EQ(warp.extents(), "10..30 20..50 40..60");
  EXPECT_EQ(warp.warp.counts.pairs, 3u);
}

TEST(SpanDecoder, PairsEachRegionForItself) {
  const DecodedWarp warp = only("warp 0.0 cycles=0..1000\n"
                                "  begin r 10\n  begin a 20\n  end r 30\n  end a 40\n");
  EXPECT_EQ(warp.extents(), "10..30 20..40");
}

TEST(SpanDecoder, CountsUnmatchedEventsByRegion) {
  const DecodedWarp warp = only("warp 0.0 cycles=0..1000\n"
                                "  end r 5\n  begin r 10\n  begin r 20\n  end r 30\n");
  EXPECT_EQ(warp.extents(), "10..30");
  EXPECT_EQ(warp.warp.counts.unmatchedBegins, 1u);
  EXPECT_EQ(warp.warp.counts.unmatchedEnds, 1u);
  ASSERT_EQ(warp.unmatched.size(), 1u);
  EXPECT_EQ(warp.unmatched[0].begins, 1u);
  EXPECT_EQ(warp.unmatched[0].ends, 1u);
}

TEST(SpanDecoder, LeavesEndsAloneWhoseBeginsARingLost) {
  // Two were in flight where the ring starts: the first two ends are theirs.
  const DecodedWarp warp = only("warps keep=last\nwarp 0.0 cycles=0..1000 capacity=8 produced=20\n"
                                "  begin r 10\n  end r 20\n  begin r 30\n  end r 40\n  begin r 50\n  end r 60\n  end r 70\n  end r 80\n");
  EXPECT_EQ(warp.extents(), "10..60 30..70 50..80");
  EXPECT_EQ(warp.warp.counts.unmatchedEnds, 2u);
}

TEST(SpanDecoder, AWarpEndsWithTheLastOfItsParts) {
  for (const auto &[first, second] : {std::pair("1000", "1400"), std::pair("1400", "1000")}) {
    const std::string own = first, reserved = second;
    const DecodedWarp warp = only("warps\nwarp 0.0 ns=50.." + own + " cycles=0.." + own + "\n  span a 100..200\nwarp 0.0 ns=50.." +
                                  reserved + " cycles=0.." + reserved + " flags=finished,reserved,continued\n  span b 200..300\n");
    EXPECT_EQ(warp.warp.header.startNs, 50u);
    EXPECT_EQ(warp.warp.header.endNs, 1400u);
    EXPECT_EQ(warp.warp.end, 1400u);
    EXPECT_EQ(warp.extents(), "100..200 200..300");
  }
}

TEST(SpanDecoder, KnowsAStaleSlotByItsGeneration) {
  // Record 5 of 8, slot 1 of the second lap, was reserved and never written: the first lap's is still there.
  const DecodedWarp warp = only("warps keep=last\nwarp 0.0 cycles=0..1000 capacity=4 produced=8 flags=finished,reserved\n"
                                "  span a 500..510\n"
                                "  span b 100..110 generation=0\n"
                                "  span a 600..610\n"
                                "  empty\n");
  EXPECT_EQ(warp.extents(), "500..510 600..610");
  EXPECT_EQ(warp.warp.counts.stale, 1u);
  EXPECT_EQ(warp.warp.counts.empty, 1u);
  EXPECT_EQ(warp.warp.counts.dropped, 4u);
}

TEST(SpanDecoder, RotatesTheRingOfAnUnfinishedWarp) {
  const DecodedWarp warp = only("warps keep=last\nwarp 0.0 cycles=100..0 capacity=4 produced=4 flags=reserved\n"
                                "  span a 500..510 generation=3\n"
                                "  span b 600..610 generation=3\n"
                                "  span a 300..310 generation=2\n"
                                "  span b 400..410 generation=2\n");
  EXPECT_EQ(warp.extents(), "200..210 300..310 400..410 500..510");
  EXPECT_FALSE(warp.warp.isFinished);
  EXPECT_EQ(warp.warp.end, 610u);
}

TEST(SpanDecoder, TheSeamOfAnUnfinishedRingIsWhereTheGenerationDrops) {
  // Records of a lap are 3·10⁹ cycles later than those of the one before: taken as they stand, these would be in the next lap of the clock.
  const auto extents = [](unsigned last, unsigned before) {
    const std::string now = " generation=" + std::to_string(last) + "\n", then = " generation=" + std::to_string(before) + "\n";
    return only("warps keep=last\nwarp 0.0 cycles=100..0 capacity=4 produced=4 flags=reserved\n  span a 3500000000..3500000010" + now +
                "  span b 3600000000..3600000010" + now + "  span a 300..310" + then + "  span b 400..410" + then)
        .extents();
  };
  const std::string inOrder = "200..210 300..310 3499999900..3499999910 3599999900..3599999910";
  EXPECT_EQ(extents(3, 2), inOrder);
  EXPECT_EQ(extents(0, 15), inOrder); // generations have four bits
  EXPECT_NE(extents(4, 2), inOrder);
  EXPECT_NE(extents(2, 2), inOrder);
}

TEST(SpanDecoder, JoinsThePartsOfAWarp) {
  DecodedTrace trace = DecodedTrace::fromText(withRegions("warps\nwarp 0.0 cycles=0..1000\n  span a 100..400\n"
                                                          "more cycles=0..1004\n  span b 200..300\n  span b 500..1004\n"
                                                          "warp 0.1 cycles=0..1000\n  span a 1..2\n"));
  ASSERT_EQ(trace.warps.size(), 2u);
  EXPECT_EQ(trace.warps[0].extents(), "100..400 200..300 500..1004");
  EXPECT_EQ(trace.warps[0].warp.end, 1004u);
  EXPECT_EQ(trace.warps[0].warp.counts.produced, 3u);
  EXPECT_EQ(trace.warps[1].extents(), "1..2");
}

TEST(SpanDecoder, JoinsThePartsOfAWarpAcrossSections) {
  DecodedTrace trace =
      DecodedTrace::fromText(withRegions("warps\nwarp 0.0 cycles=0..1000\n  span a 100..400\n"
                                         "warps\nwarp 0.0 cycles=0..1000 flags=finished,reserved,continued\n  span b 200..300\n"));
  ASSERT_EQ(trace.warps.size(), 1u);
  EXPECT_EQ(trace.warps[0].extents(), "100..400 200..300");
}

TEST(SpanDecoder, PairsAcrossParts) {
  const DecodedWarp warp = only("warp 0.0 cycles=0..1000\n  begin r 100\n  begin r 300\n"
                                "more\n  end r 200\n  end r 400\n");
  EXPECT_EQ(warp.extents(), "100..200 300..400");
}

TEST(SpanDecoder, GivesUpOnAWarpWhoseClocksRunBackwards) {
  DecodedTrace trace = DecodedTrace::fromText(withRegions("warp 0.0 cycles=1000..10\n  span a 100..400\n"));
  EXPECT_EQ(trace.warps.size(), 0u);
  EXPECT_EQ(trace.damaged, 1u);
}

TEST(SpanDecoder, AccountsForEveryRecordOfGeneratedTraces) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    TraceShape shape;
    shape.keepsLast = seed % 3 == 1;
    shape.hasUnfinished = seed % 4 == 2;
    shape.capacity = seed % 2 ? 16 : 4096;
    TraceGenerator generator(shape, seed);
    DecodedTrace trace(generator.make());
    ASSERT_EQ(trace.error, "") << "seed " << seed;
    std::uint64_t spans = 0, spanCycles = 0;
    for (const DecodedWarp &warp : trace.warps) {
      EXPECT_EQ(warp.warp.counts.accounted(), warp.warp.counts.produced) << "seed " << seed;
      EXPECT_EQ(warp.attributed + warp.unattributed + warp.notRecorded, warp.warp.cycles()) << "seed " << seed;
      EXPECT_EQ(warp.warp.counts.damaged, 0u) << "seed " << seed;
      std::uint64_t exclusive = 0;
      for (const std::uint64_t cycles : warp.exclusive)
        exclusive += cycles;
      EXPECT_EQ(exclusive, warp.attributed) << "seed " << seed;
      for (const decoder::Span &span : warp.spans) {
        ++spans;
        spanCycles += span.cycles();
        EXPECT_LE(warp.warp.begin, span.begin);
        EXPECT_LE(span.end, warp.warp.end);
      }
    }
    EXPECT_EQ(trace.warps.size(), generator.truth().warps);
    if (shape.capacity == 4096) {
      EXPECT_EQ(spans, generator.truth().spans) << "seed " << seed;
      EXPECT_EQ(spanCycles, generator.truth().spanCycles) << "seed " << seed;
    }
  }
}
