// Which warps hand data to each other through which slots, and when each turn of a slot was: rings of a few made-up waits and arrivals.
#include "decoder/sync/WarpRings.h"
#include "test/decoder/sync/TracedBlocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace kperf::decoder {
namespace {

constexpr const char *kHandovers = R"(kperf 1.9 target=host
region 0xa0 kernel "k"
region 0xc1 signal "arrive" operation=arrive object=shared-barrier
region 0xc2 wait "wait" operation=await object=shared-barrier
region 0xc3 wait "wait elsewhere" operation=await object=shared-barrier
region 0xc4 signal "fill" operation=arrive-issue object=shared-barrier
region 0xc5 signal "copy" operation=issue object=shared-barrier
region 0xd1 signal "block.arrive" operation=arrive object=block-barrier
region 0xd2 wait "block.wait" operation=await object=block-barrier
region 0xf0 signal "commit" operation=commit object=pipeline
region 0xf1 wait "next" operation=await object=pipeline
region 0xf3 wait "acquire" operation=await object=pipeline-stage
region 0xf4 signal "release" operation=arrive object=pipeline-stage
region 0xf5 wait "slot.acquire" operation=await object=pipeline-slot
region 0xf6 signal "slot.release" operation=arrive object=pipeline-slot
)";

std::string textOf(std::uint64_t time) { return time == RingFill::kNever ? "-" : std::to_string(time); }

/// "2 slots known, 0 to 1,2: slot acquired filled taken released | …" of each ring.
std::string rings(const std::string &warps, std::uint64_t expected = 0) {
  std::string out;
  test::forBlocks(kHandovers + warps, expected, [&](const SyncBlock &block, const RegionSet &regions, const SyncGraph &graph) {
    for (const WarpRing &ring : findRings(block, regions, graph)) {
      out += fmt::format("{} slots{}, {} to {}:", ring.slots, ring.areSidesKnown ? " known" : "", fmt::join(ring.fillers, ","),
                         fmt::join(ring.drainers, ","));
      for (const RingFill &fill : ring.fills)
        out += fmt::format(" {} {} {} {} {} |", fill.slot, textOf(fill.acquired), textOf(fill.filled), textOf(fill.taken),
                           textOf(fill.released));
      out += "\n";
    }
  });
  return out;
}

/// Warp 0 fills two slots, 0x10 and 0x18, that warps 1 and 2 drain and give back by 0x20 and 0x28.
const char *const kTwoSlots = R"(warp 0.0 cycles=0..1000
  span wait 10..20 lanes=0x20
  mark arrive 100 payload=0x10
  span wait 110..120 lanes=0x28
  mark arrive 200 payload=0x18
  span wait 210..420 lanes=0x20
  mark arrive 500 payload=0x10
)";
const char *const kDrainers = R"(warp 0.1 cycles=0..1000
  span wait 30..105 lanes=0x10
  mark arrive 300 payload=0x20
  span wait 310..320 lanes=0x18
  mark arrive 400 payload=0x28
  span wait 410..505 lanes=0x10
  mark arrive 600 payload=0x20
warp 0.2 cycles=0..1000
  span wait 40..110 lanes=0x10
  mark arrive 410 payload=0x20
  span wait 415..425 lanes=0x18
  mark arrive 450 payload=0x28
  span wait 455..510 lanes=0x10
)";

TEST(WarpRings, ASlotIsTakenByTheFirstAndReleasedByTheLast) {
  EXPECT_EQ(rings(std::string(kTwoSlots) + kDrainers), "2 slots, 0 to 1,2: 0 20 100 105 410 | 0 420 500 505 600 | 1 120 200 320 450 |\n");
}

TEST(WarpRings, AreOfBlocksWhoseBeginningIsKnown) {
  const std::string all = std::string(kTwoSlots) + kDrainers;
  EXPECT_EQ(rings(all, 3), "2 slots, 0 to 1,2: 0 20 100 105 410 | 0 420 500 505 600 | 1 120 200 320 450 |\n");
  EXPECT_EQ(rings(all, 4), ""); // a warp is missing
  // The newest records of warp 2 are kept, or the oldest: up to 425, and what is later is left out of all warps.
  const std::string few = R"(warp 0.2 cycles=0..1000 produced=6 capacity=4
  span wait 40..110 lanes=0x10
  mark arrive 410 payload=0x20
  span wait 415..425 lanes=0x18
  mark arrive 425 payload=0x28
)";
  const std::string others = std::string(kTwoSlots) + std::string(kDrainers).substr(0, std::string(kDrainers).find("warp 0.2"));
  EXPECT_EQ(rings("warps keep=last\n" + others + few), "");
  EXPECT_EQ(rings(others + few), "2 slots, 0 to 1,2: 0 20 100 105 410 | 0 420 - - - | 1 120 200 320 425 |\n");
}

TEST(WarpRings, WithoutAWaitForItASlotIsAcquiredWhenItIsFilled) {
  EXPECT_EQ(rings(R"(warp 0.0 cycles=0..1000
  mark arrive 100 payload=0x10
  mark arrive 140 payload=0x10
  span wait 300..310 lanes=0x20
  mark arrive 400 payload=0x10
warp 0.1 cycles=0..1000
  span wait 30..150 lanes=0x10
  mark arrive 200 payload=0x20
  span wait 210..405 lanes=0x10
)"),
            "1 slots, 0 to 1: 0 100 140 150 200 | 0 310 400 405 - |\n");
}

/// Warp 1 says first that the slot is free: so far it looks like the one who fills.
TEST(WarpRings, CopiesSayWhichBarrierIsTheFullOne) {
  const auto with = [](const std::string &arrival) {
    return rings("warp 0.0 cycles=0..1000\n  span wait 20..30 lanes=0x48\n" + arrival + "  span wait 110..200 lanes=0x48\n" +
                 R"(warp 0.1 cycles=0..1000
  mark arrive 5 payload=0x48
  span wait 50..180 lanes=0x40
  mark arrive 190 payload=0x48
)");
  };
  EXPECT_EQ(with("  mark arrive 100 payload=0x40\n"), "1 slots, 1 to 0: 0 5 5 30 100 | 0 180 190 200 - |\n");
  // A copy is complete, at the latest, when the wait for it ends.
  EXPECT_EQ(with("  mark fill 100 payload=0x40\n"), "1 slots known, 0 to 1: 0 30 180 180 190 | 0 200 - - - |\n");
  EXPECT_EQ(with("  mark copy 90 payload=0x40\n  mark arrive 100 payload=0x40\n"),
            "1 slots known, 0 to 1: 0 30 180 180 190 | 0 200 - - - |\n");
}

/// Nobody arrives where copies alone fill a slot. The second one, which nobody had to wait for, is taken to be as long as the first.
TEST(WarpRings, ASlotOfABarrierIsFilledByItsCopies) {
  EXPECT_EQ(rings(R"(warp 0.0 cycles=0..2000
  span slot.acquire 10..20 lanes=0x40
  mark copy 30 payload=0x40
  span slot.acquire 40..50 lanes=0x48
  mark copy 60 payload=0x48
  span slot.acquire 70..610 lanes=0x40
  mark copy 620 payload=0x40
warp 0.1 cycles=0..2000
  span wait 20..500 lanes=0x40
  mark slot.release 600 payload=0x40
  span wait 610..620 lanes=0x48
  mark slot.release 700 payload=0x48
)"),
            "2 slots known, 0 to 1: 0 20 500 500 600 | 0 610 620 - - | 1 50 530 620 700 |\n");
}

TEST(WarpRings, SlotsThatAreWaitedForInOtherPlacesAreOtherRings) {
  std::string drainers = kDrainers;
  for (std::size_t at = drainers.find("lanes=0x18"); at != std::string::npos; at = drainers.find("lanes=0x18", at + 1)) {
    const std::size_t span = drainers.rfind("wait", at);
    drainers.replace(span, 4, "\"wait elsewhere\"");
    at = drainers.find("lanes=0x18", span);
  }
  EXPECT_EQ(rings(kTwoSlots + drainers), "1 slots, 0 to 1,2: 0 20 100 105 410 | 0 420 500 505 600 |\n"
                                         "1 slots, 0 to 1,2: 0 120 200 320 450 |\n");
}

TEST(WarpRings, SidesAreNotTheSameWarps) {
  // Warp 1 arrives on what it waits for itself.
  EXPECT_EQ(rings(std::string(kTwoSlots) + kDrainers +
                  "warp 0.3 cycles=0..1000\n  mark arrive 20 payload=0x10\n  span wait 30..106 lanes=0x10\n"),
            ""); // one full barrier is left, for two that give back
  // Of two full barriers and one that gives back nobody knows which are pairs.
  EXPECT_EQ(rings(R"(warp 0.0 cycles=0..1000
  span wait 10..20 lanes=0x20
  mark arrive 100 payload=0x10
  mark arrive 110 payload=0x18
warp 0.1 cycles=0..1000
  span wait 30..105 lanes=0x10
  span wait 106..120 lanes=0x18
  mark arrive 300 payload=0x20
)"),
            "");
  // Barriers of the block are no slots.
  EXPECT_EQ(rings(R"(warp 0.0 cycles=0..1000
  mark block.arrive 100 payload=1
  span block.wait 110..220 lanes=2
warp 0.1 cycles=0..1000
  span block.wait 30..105 lanes=1
  mark block.arrive 200 payload=2
)"),
            "");
}

/// 0x702: two stages of pipeline 7.
const char *const kPipeline = R"(warp 0.0 cycles=0..1000
  span acquire 10..20 lanes=0x702
  mark commit 100 payload=7
  span acquire 110..120 lanes=0x702
  mark commit 200 payload=7
  span acquire 210..330 lanes=0x702
  mark commit 400 payload=7
warp 0.1 cycles=0..1000
  span next 30..105 lanes=7
  mark release 300 payload=0x702
  span next 310..320 lanes=7
  mark release 350 payload=0x702
  span next 360..405 lanes=7
  mark release 500 payload=0x702
)";

TEST(WarpRings, StagesOfAPipelineComeInTurns) {
  // What was committed at 200 was complete when warp 1 looked, and took as long as the quickest that was waited for: from 100 to 105.
  EXPECT_EQ(rings(kPipeline), "2 slots known, 0 to 1: 0 20 100 105 300 | 0 330 400 405 500 | 1 120 205 320 350 |\n");
  // Other pipelines, and those of which nobody knows how many stages they have.
  const auto with = [](const std::string &stages) {
    std::string text = kPipeline;
    for (std::size_t at = text.find("0x702"); at != std::string::npos; at = text.find("0x702"))
      text.replace(at, 5, stages);
    return rings(text);
  };
  EXPECT_EQ(with("0x802"), "");
  EXPECT_EQ(with("0x700"), "");
  EXPECT_EQ(with("0x701"), "1 slots known, 0 to 1: 0 20 100 105 300 | 0 330 400 405 500 |\n"); // acquired anew only once it was released
}

TEST(WarpRings, LanesThatSignalApartMakeNoTurns) {
  std::string text = kPipeline;
  text.replace(text.find("commit 200 payload=7"), 20, "commit 200 payload=7 lanes=0xff");
  EXPECT_EQ(rings(text), "");
  text = kPipeline;
  text.replace(text.find("release 350 payload=0x702"), 25, "release 350 payload=0x702 lanes=0xff");
  EXPECT_EQ(rings(text), "");
}

} // namespace
} // namespace kperf::decoder
