// How many slots the rings of a block need: what a replay says of schedules that are known by construction, with other numbers of slots.
#include "decoder/sync/RingDepth.h"
#include "test/decoder/sync/TracedBlocks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace kperf::decoder {
namespace {

/// Warps that hand items on, each through a ring to the next one: `work[w][i]` cycles are what warp w does with item i.
struct Schedule {
  std::vector<std::vector<std::uint64_t>> work;
  std::vector<std::uint32_t> slots; ///< of the ring behind each warp but the last

  struct Times {
    std::vector<std::vector<std::uint64_t>> idle, full, free, done; ///< by warp, item: since when, when the waits end, when it is done
    std::uint64_t end = 0;
  };
  static constexpr std::uint64_t kPass = 7; ///< cycles that a wait takes after what it waited for
  /// From the definition: a warp takes an item when the one before has filled its slot, and a slot of the next ring is free.
  Times times() const {
    const std::size_t items = work[0].size();
    const std::vector<std::vector<std::uint64_t>> zero(work.size(), std::vector<std::uint64_t>(items));
    Times out{zero, zero, zero, zero};
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t warp = 0; warp < work.size(); ++warp) {
        const std::uint64_t idle = item ? out.done[warp][item - 1] : 0;
        const std::uint64_t full = warp ? std::max(idle, out.done[warp - 1][item]) + kPass : idle;
        const bool isLast = warp + 1 == work.size(), needsSlot = !isLast && item >= slots[warp];
        const std::uint64_t free = isLast ? full : std::max(full, needsSlot ? out.done[warp + 1][item - slots[warp]] : 0) + kPass;
        out.idle[warp][item] = idle;
        out.full[warp][item] = full;
        out.free[warp][item] = free;
        out.done[warp][item] = free + work[warp][item];
        out.end = std::max(out.end, out.done[warp][item]);
      }
    return out;
  }
  /// The same with probes: a barrier for each slot to be full, and to be free.
  std::string text() const {
    std::string out = R"(kperf 1.9 target=host
region 0xa0 kernel "k"
region 0xc1 signal "arrive" operation=arrive object=shared-barrier
region 0xc2 wait "full" operation=await object=shared-barrier
region 0xc3 wait "free" operation=await object=shared-barrier
)";
    const Times at = times();
    const auto barrier = [](std::size_t ring, std::size_t slot, bool isFull) { return 0x1000 * (ring + 1) + 16 * slot + 8 * isFull; };
    for (std::size_t warp = 0; warp < work.size(); ++warp) {
      out += fmt::format("warp 0.{} cycles=0..{}\n", warp, at.done[warp].back());
      for (std::size_t item = 0; item < work[warp].size(); ++item) {
        const bool isFirst = warp == 0, isLast = warp + 1 == work.size();
        if (!isFirst)
          out += fmt::format("  span full {}..{} lanes={:#x}\n", at.idle[warp][item], at.full[warp][item],
                             barrier(warp - 1, item % slots[warp - 1], true));
        if (!isLast)
          out += fmt::format("  span free {}..{} lanes={:#x}\n", at.full[warp][item], at.free[warp][item],
                             barrier(warp, item % slots[warp], false));
        if (!isFirst)
          out += fmt::format("  mark arrive {} payload={:#x}\n", at.done[warp][item], barrier(warp - 1, item % slots[warp - 1], false));
        if (!isLast)
          out += fmt::format("  mark arrive {} payload={:#x}\n", at.done[warp][item], barrier(warp, item % slots[warp], true));
      }
    }
    return out;
  }
};

std::vector<std::uint64_t> random(std::mt19937 &random, std::size_t count, std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> out(count);
  for (std::uint64_t &value : out)
    value = from + random() % (to - from + 1);
  return out;
}

RingDepths depths(const Schedule &schedule) {
  RingDepths out{};
  SelfTime own;
  test::forBlocks(schedule.text(), 0, [&](const SyncBlock &block, const RegionSet &regions, const SyncGraph &graph) {
    Replay replay(regions);
    own.build(block, regions);
    EXPECT_TRUE(replay.build(block, graph, own));
    EXPECT_EQ(replay.cycles(), schedule.times().end);
    const std::vector<WarpRing> rings = findRings(block, regions, graph);
    EXPECT_EQ(rings.size(), schedule.slots.size());
    out = depthsOf(rings, replay);
  });
  return out;
}

TEST(RingDepth, TwoSlotsLetEqualSidesOverlap) {
  const Schedule one{{std::vector<std::uint64_t>(16, 300), std::vector<std::uint64_t>(16, 300)}, {1}};
  EXPECT_EQ(one.times().end, 16 * (300 + 300 + 2 * Schedule::kPass));
  const RingDepths found = depths(one);
  EXPECT_EQ(found.slots, std::vector<std::uint32_t>{2});
  EXPECT_EQ(found.cycles, 17 * (300 + Schedule::kPass));
}

TEST(RingDepth, ABusySideGainsNothing) {
  const Schedule deep{{std::vector<std::uint64_t>(16, 900), std::vector<std::uint64_t>(16, 100)}, {2}};
  const RingDepths found = depths(deep);
  EXPECT_EQ(found.slots, std::vector<std::uint32_t>{2});
  EXPECT_EQ(found.cycles, deep.times().end);
}

/// What the replay says of other numbers of slots is what the definition says of them, and one slot less is too few.
TEST(RingDepth, RandomSchedulesTakeAsLongAsTheReplaySays) {
  int deeper = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 engine(seed);
    const std::size_t warps = 2 + seed % 2;
    Schedule schedule;
    for (std::size_t warp = 0; warp < warps; ++warp)
      schedule.work.push_back(random(engine, 24, 50, 1000));
    for (std::size_t ring = 0; ring + 1 < warps; ++ring)
      schedule.slots.push_back(1 + engine() % 3);
    const RingDepths found = depths(schedule);
    ASSERT_EQ(found.slots.size(), schedule.slots.size()) << seed;
    Schedule then = schedule, endless = schedule;
    then.slots = found.slots;
    endless.slots.assign(warps - 1, 24);
    EXPECT_EQ(then.times().end, found.cycles) << seed;
    EXPECT_LE(100 * then.times().end, 101 * endless.times().end) << seed;
    for (std::size_t ring = 0; ring + 1 < warps; ++ring) {
      EXPECT_GE(found.slots[ring], schedule.slots[ring]) << seed;
      if (found.slots[ring] == schedule.slots[ring])
        continue;
      ++deeper;
      Schedule fewer = then;
      --fewer.slots[ring];
      EXPECT_GT(100 * fewer.times().end, 101 * endless.times().end) << seed;
    }
  }
  EXPECT_GT(deeper, 40); // else nothing was tested
}

} // namespace
} // namespace kperf::decoder
