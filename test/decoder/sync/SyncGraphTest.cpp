// Who waited for whom, rule by rule: each text is one block, and what is said of its waits stands beside it.
#include "test/decoder/sync/SyncVerdicts.h"

#include <gtest/gtest.h>

using kperf::test::verdicts;

TEST(SyncGraph, TheLastToComeToABarrierLetsTheOthersGoOn) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=96
  span sync 100..520 lanes=0
  span sync 600..620 lanes=0
warp 0.1 cycles=0..1000 block=96
  span sync 500..515 lanes=0
  span sync 530..622 lanes=0
warp 0.2 cycles=0..1000 block=96
  span sync 300..510 lanes=0
  span sync 590..618 lanes=0
)"),
            "100..520 by 1 at 500, 600..620 not, 500..515 not, 530..622 by 0 at 600, 300..510 by 1 at 500, "
            "590..618 by 0 at 600");
}

TEST(SyncGraph, BarriersOfOtherNumbersAreOtherBarriers) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=96
  span sync 100..420 lanes=1
warp 0.1 cycles=0..1000 block=96
  span sync 400..410 lanes=1
warp 0.2 cycles=0..1000 block=96
  span sync 405..406 lanes=2
)"),
            "100..420 by 1 at 400, 400..410 not, 405..406 not");
}

TEST(SyncGraph, AnArrivalWithoutAWaitCanBeTheLast) {
  // The producer arrives for the second phase before the consumer, which is slow to leave the first, has seen that end.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  mark arrive 500 payload=3
  mark arrive 508 payload=3
  mark arrive 700 payload=3
warp 0.1 cycles=0..1000 block=64
  span sync 200..512 lanes=3
  span sync 520..530 lanes=3
  span sync 600..705 lanes=3
)"),
            "200..512 by 0 at 500, 520..530 not, 600..705 by 0 at 700");
}

TEST(SyncGraph, AtTheVeryTimeOfTheEndTheLastOneBelongsToThePhase) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span sync 100..500 lanes=0
  span sync 500..900 lanes=0
warp 0.1 cycles=0..1000 block=64
  span sync 500..500 lanes=0
  span sync 900..900 lanes=0
)"),
            "100..500 by 1 at 500, 500..900 by 1 at 900, 500..500 not, 900..900 not");
}

TEST(SyncGraph, TheLatestArrivalOnASharedBarrierLetsAWaitGoOn) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=96
  mark mbar.arrive 300 payload=0x40
  mark mbar.arrive 300 payload=0x48
  mark mbar.arrive 900 payload=0x40
warp 0.1 cycles=0..1000 block=96
  mark mbar.arrive 400 payload=0x40
warp 0.2 cycles=0..1000 block=96
  span mbar.wait 100..410 lanes=0x40
  span mbar.wait 500..520 lanes=0x48
  span mbar.wait 600..905 lanes=0x40
)"),
            "100..410 by 1 at 400, 500..520 not, 600..905 by 0 at 900");
}

TEST(SyncGraph, AWaitThatPassesABarrierNobodyCameToDidNotWaitAndALongOneIsNotKnown) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000
  span mbar.wait 100..110 lanes=0x40
  span mbar.wait 200..600 lanes=0x48
)"),
            "100..110 not, 200..600 ? nothing came that let it go on");
}

TEST(SyncGraph, AWarpThatArrivesItselfCountsPhases) {
  // Warp 1 arrives for its second phase, at 460, before warp 0 has seen the first complete at 480; so does warp 0's
  // wait show.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  mark mbar.arrive 100 payload=0x40
  span mbar.wait 200..480 lanes=0x40
  mark mbar.arrive 500 payload=0x40
  span mbar.wait 510..520 lanes=0x40
warp 0.1 cycles=0..1000 block=64
  mark mbar.arrive 400 payload=0x40
  span mbar.wait 405..410 lanes=0x40
  mark mbar.arrive 460 payload=0x40
  span mbar.wait 465..505 lanes=0x40
)"),
            "200..480 by 1 at 400, 510..520 not, 405..410 not, 465..505 by 0 at 500");
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span mbar.sync 100..420 lanes=0x40
  mark mbar.arrive 430 payload=0x40
  span mbar.wait 440..910 lanes=0x40
warp 0.1 cycles=0..1000 block=64
  mark mbar.arrive 400 payload=0x40
  span mbar.sync 900..905 lanes=0x40
)"),
            "100..420 by 1 at 400, 440..910 by 1 at 900, 900..905 not");
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  mark mbar.arrive 100 payload=0x40
  span mbar.wait 200..480 lanes=0x40
warp 0.1 cycles=0..1000 block=64
  mark mbar.arrive 490 payload=0x40
)"),
            "200..480 ? the warps' arrivals make no phases");
}

TEST(SyncGraph, ACopyIsCompleteWhenItsFirstWaitEnds) {
  // Warp 2 comes when the copy is complete; the second copy was complete before anybody waited for it.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=96
  mark mbar.arrive 100 payload=0x40
  mark tma 110 payload=0x40
  mark mbar.arrive 1000 payload=0x40
  mark tma 1010 payload=0x40
warp 0.1 cycles=0..2000 block=96
  span mbar.wait 200..900 lanes=0x40
  span mbar.wait 1500..1520 lanes=0x40
warp 0.2 cycles=0..2000 block=96
  span mbar.wait 950..960 lanes=0x40
  span mbar.wait 1510..1530 lanes=0x40
)"),
            "200..900 by flight of 0 at 900, 1500..1520 not, 950..960 not, 1510..1530 not");
  // The last arrival comes after the issue, and just before the wait ends.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=96
  mark tma 110 payload=0x40
warp 0.1 cycles=0..2000 block=96
  mark mbar.arrive 880 payload=0x40
warp 0.2 cycles=0..2000 block=96
  span mbar.wait 200..900 lanes=0x40
)"),
            "200..900 by 1 at 880");
  // An earlier phase's copy was seen: it is not what the second wait is for.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=64
  mark tma 110 payload=0x40
  mark mbar.arrive 1800 payload=0x40
warp 0.1 cycles=0..2000 block=64
  span mbar.wait 200..900 lanes=0x40
  span mbar.wait 1000..1810 lanes=0x40
)"),
            "200..900 by flight of 0 at 900, 1000..1810 by 0 at 1800");
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=64
  mark tma 110 payload=0x40
warp 0.1 cycles=0..2000 block=64
  span mbar.wait 200..900 lanes=0x40
  span mbar.wait 1000..1400 lanes=0x40
)"),
            "200..900 by flight of 0 at 900, 1000..1400 ? nothing came that let it go on");
}

TEST(SyncGraph, AnArrivalAndItsCopyAreOneRecord) {
  // The second wait is for the warp's own second arrival, and for the copy behind it.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=64
  mark fill 100 payload=0x40
  span mbar.wait 120..800 lanes=0x40
  mark fill 1000 payload=0x40
  span mbar.wait 1010..1700 lanes=0x40
warp 0.1 cycles=0..2000 block=64
  span mbar.wait 200..790 lanes=0x40
)"),
            "120..800 by flight of 0 at 790, 1010..1700 by flight of 0 at 1700, 200..790 by flight of 0 at 790");
}

TEST(SyncGraph, GroupsCompleteInTheOrderOfTheirCommits) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000
  span copies 10..20 lanes=0
  mark copy 100
  mark copy 105
  mark commit 110
  mark copy 200
  mark commit 210
  mark mma 220
  mark mma.commit 230
  span copies 300..800 lanes=1
  span mmas 810..820 lanes=0
  span copies 900..1500 lanes=0
  span copies 1600..1900 lanes=0
  mark commit 2000
  span copies 2100..2400 lanes=0
)"),
            "10..20 not, 300..800 by flight of 0 at 800, 810..820 not, 900..1500 by flight of 0 at 1500, 1600..1900 not, "
            "2100..2400 not");
  // Without recorded issues the commit stands for them.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000
  mark mma.commit 100
  span mmas 200..900 lanes=0
)"),
            "200..900 by flight of 0 at 900");
  // Of work that nobody closes into groups the trace does not know: a wait that passes at once waited for none of it.
  EXPECT_EQ(verdicts("warp 0.0 cycles=0..3000\n  span copies 10..20 lanes=0\n  span copies 100..900 lanes=0\n"),
            "10..20 not, 100..900 ? nothing came that let it go on");
  // Matrix products are the warp's own, whoever closed them: those of another warp let nobody go on.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  span mmas 10..20 lanes=0
  span mmas 100..900 lanes=0
warp 0.1 cycles=0..3000 block=64
  mark mma.commit 50
)"),
            "10..20 not, 100..900 by flight of 0 at 900");
}

TEST(SyncGraph, OtherBlocksAreNotFollowedAndUnknownObjectsAreNotKnown) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=64
  span grid.sync 100..900 lanes=0
  span warp.sync 905..915 lanes=0
warp 0.1 cycles=0..2000 block=64
  span grid.sync 300..910 lanes=0
  span spin 912..940 lanes=0
  span spin 941..1070 lanes=0
)"),
            "100..900 others at 300, 905..915 not, 300..910 others at 300, 912..940 not, 941..1070 ? an object that kperf does not know");
}

TEST(SyncGraph, ASlotIsFreeWhenItWasReleasedAndFullWhenItsCopyIsThere) {
  // The first turn of a slot waits for nobody. The copy of the second, at 620, is seen at 1300.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=64
  span slot.acquire 10..20 lanes=0x40
  mark tma 30 payload=0x40
  span slot.acquire 40..610 lanes=0x40
  mark tma 620 payload=0x40
warp 0.1 cycles=0..2000 block=64
  span mbar.wait 20..500 lanes=0x40
  mark slot.release 600 payload=0x40
  span mbar.wait 610..1300 lanes=0x40
)",
                     "cuda"),
            "10..20 not, 40..610 by 1 at 600, 20..500 by flight of 0 at 500, 610..1300 by flight of 0 at 1300");
}

TEST(SyncGraph, OfAClustersSlotsOtherBlocksMayBeTheLast) {
  // 0x41: 0x40, which other blocks fill and release too. What comes just before a wait's end let it go on, also there.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  span slot.acquire 40..610 lanes=0x41
  mark tma 620 payload=0x40
  span slot.acquire 630..2000 lanes=0x41
warp 0.1 cycles=0..3000 block=64
  mark slot.release 600 payload=0x40
  span mbar.wait 700..1300 lanes=0x41
  mark slot.release 1310 payload=0x40
)",
                     "cuda"),
            "40..610 by 1 at 600, 630..2000 others at 1310, 700..1300 others at 620");
}

TEST(SyncGraph, AnArrivalWithoutANumberMayBeTheLastAtABarrierOfTheBlock) {
  // The wait that went on when warp 1 came did so for that.
  EXPECT_EQ(verdicts(R"(region 0xfa signal "someone" operation=arrive object=some-block-barrier
warp 0.0 cycles=0..1000 block=64
  span sync 100..500 lanes=1
  span sync 540..625 lanes=1
warp 0.1 cycles=0..1000 block=64
  span sync 300..505 lanes=1
  span sync 600..620 lanes=1
)"),
            "100..500 ? an object that kperf does not know, 540..625 by 1 at 600, 300..505 ? an object that kperf does not know, "
            "600..620 not");
}

TEST(SyncGraph, CodeThatComesToNoBarrierNeitherWaitsNorArrives) {
  // Of a function that chooses by what it is given: two warps that came to none have not met, and let nobody go on.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span sync 100..500 lanes=255
  span sync 600..700 lanes=1
warp 0.1 cycles=0..1000 block=64
  span sync 490..495 lanes=255
  span sync 690..705 lanes=1
)"),
            "100..500 not, 600..700 by 1 at 690, 490..495 not, 690..705 not");
}

TEST(SyncGraph, ASlotIsFreeUntilSomebodyFillsIt) {
  // However long the first acquires take. Without an arrival the next one is not known, nor is another warp's first one behind those, and
  // other blocks may have released it.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..3000 block=64
  span slot.acquire 10..500 lanes=0x40
  span slot.acquire 600..900 lanes=0x40
  span slot.acquire 910..1400 lanes=0x49
warp 0.1 cycles=0..3000 block=64
  span slot.acquire 20..510 lanes=0x40
  span slot.acquire 1500..2000 lanes=0x49
  span slot.acquire 2100..2500 lanes=0x40
)",
                     "cuda"),
            "10..500 not, 600..900 ? nothing came that let it go on, 910..1400 not, 20..510 not, 1500..2000 others at 0, "
            "2100..2500 ? nothing came that let it go on");
}

TEST(SyncGraph, AnAddressThatIsNotKnownIsNoObject) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..2000 block=64
  span mbar.wait 100..900 lanes=0xffffffff
  span slot.acquire 905..980 lanes=0xffffffff
  span slot.acquire 985..1114 lanes=0xffffffff
warp 0.1 cycles=0..2000 block=64
  mark slot.release 1100 payload=0xffffffff
)"),
            "100..900 ? an object that kperf does not know, 905..980 not, 985..1114 ? an object that kperf does not know");
}

TEST(SyncGraph, OfWaitsInsideEachOtherTheOneThatIsKnownIsFollowed) {
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span spin 90..950 lanes=0
  span mbar.wait 100..920 lanes=0x40
  span mbar.wait 110..910 lanes=0x40
warp 0.1 cycles=0..1000 block=64
  mark mbar.arrive 900 payload=0x40
)"),
            "90..950 inner ? an object that kperf does not know, 100..920 by 1 at 900, 110..910 inner by 1 at 900");
}

TEST(SyncGraph, NothingIsSaidWhereAnArrivalMayBeMissing) {
  // Warp 1 kept its first records: the second phase may have waited for it, whoever is seen to come last.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span sync 100..410 lanes=0
  span sync 500..900 lanes=0
warp 0.1 cycles=0..1000 block=64 produced=70 capacity=1
  span sync 400..420 lanes=0
)"),
            "100..410 by 1 at 400, 500..900 ? records were dropped, 400..420 not");
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span sync 100..410 lanes=0
  span sync 500..900 lanes=0
warp 0.1 cycles=0..1000 block=64 flags=none
  span sync 400..420 lanes=0
)"),
            "100..410 by 1 at 400, 500..900 ? a warp did not finish, 400..420 not");
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span sync 100..410 lanes=0
)"),
            "100..410 ? warps of the block are not in the trace");
  // A ring lost its beginning: how many groups were closed before is not known, nor how many arrivals there were.
  EXPECT_EQ(verdicts(R"(warps keep=last
warp 0.0 cycles=0..1000 block=32 produced=13 capacity=6
  mark commit 300
  mark mbar.arrive 310 payload=0x40
  span copies 320..400 lanes=0
  mark commit 410
  span copies 420..500 lanes=0
  span mbar.wait 520..590 lanes=0x40
)"),
            "320..400 ? records were dropped, 420..500 by flight of 0 at 500, 520..590 ? records were dropped");
  // A record that is damaged may have been any.
  EXPECT_EQ(verdicts(R"(warp 0.0 cycles=0..1000 block=64
  span sync 100..410 lanes=0
warp 0.1 cycles=0..1000 block=64
  span sync 400..420 lanes=0
  span work 3000..3010
)"),
            "100..410 ? records were damaged, 400..420 ? records were damaged");
}
