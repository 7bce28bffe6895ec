// Waits that are counted: for the next group, and on pipelines; and those that other blocks let go on.
#include "test/decoder/sync/SyncVerdicts.h"

#include <gtest/gtest.h>

using kperf::test::verdicts;

TEST(SyncGraph, AWaitForTheNextGroupIsForTheOldestThatNoneWasFor) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000
  span copies 10..20 lanes=0xffffffff
  mark commit 110
  mark commit 210
  span copies 300..800 lanes=0xffffffff
  mark commit 900
  span copies 1000..1010 lanes=0xffffffff
  span copies 1100..1500 lanes=0xffffffff
  span copies 1600..1610 lanes=0xffffffff
)"),
            "10..20 not, 300..800 by flight of 0 at 800, 1000..1010 not, 1100..1500 by flight of 0 at 1500, 1600..1610 not");
  // One behind a wait that leaves one pending is for that one.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000
  mark commit 110
  mark commit 210
  mark commit 220
  span copies 300..400 lanes=1
  span copies 500..900 lanes=0xffffffff
  mark commit 910
  span copies 1000..1400 lanes=0xffffffff
)"),
            "300..400 by flight of 0 at 400, 500..900 by flight of 0 at 900, 1000..1400 by flight of 0 at 1400");
  // Of a ring that lost its beginning nobody knows which group the next one is.
  EXPECT_EQ(verdicts(R"(warps keep=last
warp 0.0 cycles=0..3000 produced=70 capacity=4
  mark commit 110
  mark commit 210
  span copies 300..800 lanes=0xffffffff
  span copies 900..1300 lanes=0xffffffff
)"),
            "300..800 ? records were dropped, 900..1300 ? records were dropped");
}

TEST(SyncGraph, AWaitOnAPipelineIsForTheNextCommitOfEachWarpThatCommits) {
  // Warp 0 runs two stages ahead; warp 1 waits for the first at 300, for the second not, and for the third until it is there.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  mark pipe.commit 290 payload=7
  mark pipe.commit 400 payload=7
  mark pipe.commit 1200 payload=7
warp 0.1 cycles=0..3000 block=64
  span pipe.wait 100..300 lanes=7
  span pipe.wait 600..610 lanes=7
  span pipe.wait 700..1210 lanes=7
)"),
            "100..300 by 0 at 290, 600..610 not, 700..1210 by 0 at 1200");
  // All commit and all wait: what came last, or what was committed, is not complete before the first wait ends.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  mark pipe.commit 100 payload=7
  mark pipe.commit 120 payload=7
  span pipe.wait 200..800 lanes=7
  span pipe.wait 900..1500 lanes=7
warp 0.1 cycles=0..3000 block=64
  mark pipe.commit 110 payload=7
  mark pipe.commit 1480 payload=7
  span pipe.wait 1490..1502 lanes=7
  span pipe.wait 1510..1520 lanes=7
)"),
            "200..800 by flight of 1 at 800, 900..1500 by 1 at 1480, 1490..1502 not, 1510..1520 not");
  // Another pipeline's commits are none of this one's, and what can't be is not known.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000
  mark pipe.commit 100 payload=7
  span pipe.wait 200..800 lanes=8
  span pipe.wait 900..910 lanes=7
  span pipe.wait 920..930 lanes=7
  mark pipe.commit 1000 payload=7
)"),
            "200..800 ? nothing came that let it go on, 900..910 not, 920..930 ? the warps' arrivals make no phases");
}

TEST(SyncGraph, AWarpAcquiresAStageThatEveryConsumerReleased) {
  // Two stages: warp 0 fills both at once, the second one slowly, and then each when warps 1 and 2 both have released
  // it.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=96
  span pipe.acquire 10..12 lanes=0x702
  mark pipe.commit 20 payload=7
  span pipe.acquire 30..200 lanes=0x702
  mark pipe.commit 210 payload=7
  span pipe.acquire 220..500 lanes=0x702
  mark pipe.commit 510 payload=7
  span pipe.acquire 520..530 lanes=0x702
  mark pipe.commit 540 payload=7
  span pipe.acquire 550..910 lanes=0x702
warp 0.1 cycles=0..3000 block=96
  mark pipe.release 400 payload=0x702
  mark pipe.release 430 payload=0x702
  mark pipe.release 900 payload=0x702
warp 0.2 cycles=0..3000 block=96
  mark pipe.release 490 payload=0x702
  mark pipe.release 515 payload=0x702
  mark pipe.release 700 payload=0x702
)"),
            "10..12 not, 30..200 not, 220..500 by 2 at 490, 520..530 not, 550..910 by 1 at 900");
  // One stage, and all do both: the own release does not let a warp go on before the other's has come.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  mark pipe.commit 20 payload=7
  mark pipe.release 100 payload=0x701
  span pipe.acquire 110..310 lanes=0x701
warp 0.1 cycles=0..3000 block=64
  mark pipe.commit 25 payload=7
  mark pipe.release 300 payload=0x701
  span pipe.acquire 305..310 lanes=0x701
)"),
            "110..310 by 1 at 300, 305..310 not");
}

TEST(SyncGraph, WhatAWarpAcquiresFollowsFromWhatItCommitted) {
  // Stages that nobody can hold yet need not be acquired; the third one is the first again.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  mark pipe.commit 20 payload=7
  mark pipe.commit 30 payload=7
  span pipe.acquire 40..310 lanes=0x702
  mark pipe.commit 320 payload=7
warp 0.1 cycles=0..3000 block=64
  mark pipe.release 300 payload=0x702
)"),
            "40..310 by 1 at 300");
  // Two pipelines at a time, one of a number that does not fit.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  mark pipe.commit 10 payload=0x2000008
  mark pipe.commit 20 payload=7
  span pipe.acquire 40..310 lanes=0x701
  span pipe.acquire 320..510 lanes=0x801
warp 0.1 cycles=0..3000 block=64
  mark pipe.release 100 payload=0x801
  mark pipe.release 300 payload=0x701
)"),
            "40..310 by 1 at 300, 320..510 not");
}

TEST(SyncGraph, WhatCountsDoNotSayOfStagesIsNotKnown) {
  const auto producer = [](const std::string &more) { // its second acquire is for the first release of each consumer
    return verdicts("warp 0.0 cycles=0..3000 block=96\n  span pipe.acquire 5..9 lanes=0x701\n  mark pipe.commit 10 payload=7\n"
                    "  span pipe.acquire 40..310 lanes=0x701\n" +
                    more);
  };
  const std::string consumer = "warp 0.1 cycles=0..3000 block=96\n  mark pipe.release 300 payload=0x701\n";
  const std::string idle = "warp 0.2 cycles=0..3000 block=96\n";
  EXPECT_EQ(producer(consumer + idle), "5..9 not, 40..310 by 1 at 300");
  EXPECT_EQ(producer("warp 0.1 cycles=0..3000 block=96\n" + idle), "5..9 not, 40..310 ? nothing came that let it go on");
  EXPECT_EQ(producer("warp 0.1 cycles=0..3000 block=96\n  mark pipe.release 320 payload=0x701\n" + idle),
            "5..9 not, 40..310 ? the warps' arrivals make no phases");
  // Acquired twice with no commit between that is in the trace.
  EXPECT_EQ(producer("  span pipe.acquire 320..330 lanes=0x701\n" + consumer + idle),
            "5..9 not, 40..310 by 1 at 300, 320..330 ? the warps' arrivals make no phases");
  // The third is for the second release of both, and one of them released once.
  EXPECT_EQ(producer("  mark pipe.commit 320 payload=7\n  span pipe.acquire 330..500 lanes=0x701\n" + consumer +
                     "  mark pipe.release 490 payload=0x701\nwarp 0.2 cycles=0..3000 block=96\n  mark pipe.release 200 "
                     "payload=0x701\n"),
            "5..9 not, 40..310 by 1 at 300, 330..500 ? the warps' arrivals make no phases");
  // Lanes that come by themselves count by themselves, also those that release.
  EXPECT_EQ(producer("warp 0.1 cycles=0..3000 block=96\n  mark pipe.release 200 payload=0x701 lanes=0xffff\n"
                     "  mark pipe.release 300 payload=0x701 lanes=0xffff0000\n" +
                     idle),
            "5..9 ? the warps' arrivals make no phases, 40..310 ? the warps' arrivals make no phases");
  EXPECT_EQ(producer(consumer + "warp 0.2 cycles=0..3000 block=96\n  mark pipe.commit 20 payload=7 lanes=1\n"
                                "  mark pipe.commit 30 payload=7 lanes=2\n"),
            "5..9 ? the warps' arrivals make no phases, 40..310 ? the warps' arrivals make no phases");
  // A number of stages that the source does not say, and records that were lost.
  EXPECT_EQ(verdicts("warp 0.0 cycles=0..3000\n  span pipe.acquire 5..9 lanes=0x700\n"), "5..9 ? an object that kperf does not know");
  EXPECT_EQ(verdicts(R"(warps keep=last
warp 0.0 cycles=0..3000 produced=70 capacity=4 block=64
  span pipe.acquire 5..9 lanes=0x701
  mark pipe.commit 10 payload=7
  span pipe.acquire 40..310 lanes=0x701
  mark pipe.commit 320 payload=7
warp 0.1 cycles=0..3000 block=64
  mark pipe.release 300 payload=0x701
)"),
            "5..9 ? records were dropped, 40..310 ? records were dropped");
}

TEST(SyncGraph, WhereOtherBlocksArriveTheyMayHaveLetAWaitGoOn) {
  const std::string far = "region 0xf2 signal \"far\" operation=arrive object=remote-barrier\n";
  // The first goes on with the last arrival of its own block, the second long after it, and nobody here came to the third.
  const std::string warps = R"(warp 0.0 cycles=0..3000 block=64
  mark mbar.arrive 300 payload=0x40
  mark mbar.arrive 900 payload=0x40
  mark far 1000
warp 0.1 cycles=0..3000 block=64
  span mbar.wait 100..310 lanes=0x40
  span mbar.wait 500..1400 lanes=0x40
  span mbar.wait 1500..2100 lanes=0x48
)";
  EXPECT_EQ(verdicts(far + warps), "100..310 by 0 at 300, 500..1400 others at 900, 1500..2100 others at 0");
}
