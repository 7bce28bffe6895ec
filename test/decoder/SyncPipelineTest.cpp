// Waits that are counted: for the next group, and on pipelines; and those that other blocks let go on.
#include "SyncVerdicts.h"

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
