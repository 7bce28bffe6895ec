// What counters of accesses add up to, and what their shapes are called: each threshold from both sides.
#include "decoder/memory/MemoryTotals.h"
#include "decoder/memory/LaneRows.h"
#include "decoder/memory/MachineTable.h"
#include "decoder/memory/MemoryFindings.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {
namespace {

using Counts = std::vector<std::pair<format::SiteCounter, std::uint64_t>>;

AccessSum sumOf(const Counts &counts, std::uint64_t weight = 1) {
  format::SiteCounterRecord row{};
  for (const auto &[counter, count] : counts)
    row.counts[counter] = static_cast<std::remove_reference_t<decltype(row.counts[counter])>>(count);
  AccessSum out;
  out.add(row, weight);
  return out;
}

TEST(AccessSum, ShapesAreThoseOfNineInTen) {
  using namespace format;
  const auto shape = [](Counts counts) {
    counts.emplace_back(kAccesses, 20);
    return sumOf(counts).shape();
  };
  EXPECT_EQ(shape({{kUnit, 18}}), "unit");
  EXPECT_EQ(shape({{kUnit, 17}}), "mixed");
  EXPECT_EQ(shape({{kUnit, 18}, {kMisaligned, 18}}), "unit, misaligned");
  EXPECT_EQ(shape({{kUnit, 18}, {kMisaligned, 17}}), "unit");
  EXPECT_EQ(shape({{kBroadcast, 18}}), "broadcast");
  EXPECT_EQ(shape({{kBroadcast, 17}}), "mixed");
  EXPECT_EQ(shape({{kStrided, 18}, {kStrideBytes, 18 * 36}}), "36 B apart");
  EXPECT_EQ(shape({{kStrided, 17}, {kStrideBytes, 17 * 36}}), "mixed");
  EXPECT_EQ(shape({{kIrregular, 18}}), "irregular");
  EXPECT_EQ(shape({{kIrregular, 17}}), "mixed");
  EXPECT_EQ(sumOf({{kUnit, 18}}).shape(), ""); // no access
}

TEST(AccessSum, RatiosAreOfNothingZero) {
  using namespace format;
  const AccessSum sum = sumOf({{kAccesses, 4},
                               {kSharedAccesses, 5},
                               {kSectors, 16},
                               {kMinSectors, 4},
                               {kWavefronts, 30},
                               {kMinWavefronts, 10},
                               {kSharedStrided, 2},
                               {kSharedStrideBytes, 24},
                               {kStrided, 4},
                               {kStrideBytes, 32},
                               {kLanes, 64}});
  EXPECT_EQ(sum.globals(), 4u);
  EXPECT_EQ(sum.shareds(), 5u);
  EXPECT_EQ(sum.trafficBytes(), 512u);
  EXPECT_EQ(sum.efficiency(), 25);
  EXPECT_EQ(sum.ways(), 3);
  EXPECT_EQ(sum.stride(), 8);
  EXPECT_EQ(sum.sharedStride(), 12);
  EXPECT_EQ(sum.perAccess(kLanes), 16);
  EXPECT_FALSE(sum.isEmpty());
  EXPECT_TRUE(AccessSum().isEmpty());
  EXPECT_FALSE(sumOf({{kOtherAccesses, 1}}).isEmpty());
  EXPECT_EQ(AccessSum().efficiency(), 0);
  AccessSum both = sum;
  both.add(sumOf({{kAccesses, 2}}, 3)); // of one in three
  EXPECT_EQ(both.globals(), 10u);
  EXPECT_EQ(both[kSectors], 16u);
}

/// 32 banks of four bytes (CUDA C++ Programming Guide, "Shared Memory"): lanes whose words lie in one bank, and are others, come one by
/// one; of eight bytes half of the warp comes at once, of sixteen a quarter.
std::string waysOf(std::uint64_t stride, unsigned bytes, unsigned skipped = 0) {
  const BankWays ways = bankWays(stride, bytes, skipped);
  return std::to_string(ways.least) + (ways.most > ways.least ? " to " + std::to_string(ways.most) : "");
}

TEST(BankWays, IsHowOftenTheBanksAreGoneThrough) {
  EXPECT_EQ(waysOf(4, 4), "1");
  EXPECT_EQ(waysOf(8, 4), "2");
  EXPECT_EQ(waysOf(12, 4), "1");
  EXPECT_EQ(waysOf(16, 4), "4");
  EXPECT_EQ(waysOf(128, 4), "32");
  EXPECT_EQ(waysOf(132, 4), "1");
  EXPECT_EQ(waysOf(0, 4), "1"); // all the same word
  EXPECT_EQ(waysOf(1, 1), "1");
  EXPECT_EQ(waysOf(8, 8), "2");
  EXPECT_EQ(waysOf(16, 16), "4");
  EXPECT_EQ(waysOf(128, 8), "32");
  EXPECT_EQ(waysOf(32, 16), "8");
  EXPECT_EQ(waysOf(128, 4, 4), "1"); // one word left out after each pass
  EXPECT_EQ(waysOf(64, 4), "16");
  EXPECT_EQ(waysOf(64, 4, 4), "1 to 2"); // of elements 16, 32, … 512, which then lie at 16, 33, … 528, the first and the last
}

struct Read {
  explicit Read(const std::string &text, const std::string &functions = "") {
    auto bytes = packText("kperf 1.15 target=cuda\ndevice 0 name=\"GPU\"\nregion 0xa0 kernel \"k\"\n" + text, "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    traces.push_back(std::move(*trace));
    auto out = MemoryTotals::read(traces, functions);
    EXPECT_TRUE(out) << out.error().text();
    totals = std::move(*out);
  }
  std::vector<Trace> traces;
  MemoryTotals totals;
};

std::string site(const std::string &id, const std::string &kind, int line, const std::string &function = "k") {
  return "site " + id + " " + kind + " \"a[i]\" function=\"" + function + "\" file=\"k.cu\" line=" + std::to_string(line) +
         " column=3 width=4 bytes=4\n";
}

TEST(MemoryTotals, SumsRowsByTheirSites) {
  const std::string one = " accesses=1 lanes=32 bytes=128 distinct-bytes=128 sectors=4 min-sectors=4 lines=1 min-lines=1 unit=1\n";
  const Read read(site("0xb1", "load", 9) + site("0xb2", "update", 5) + site("0xb3", "store", 7) + site("0xb4", "load", 2, "other") +
                  "counters 0xb1" + one + "counters 0xb1 sampled=8" + one + "counters 0xb2" + one + "counters 0xb4" + one +
                  "counters 0xff" + one);
  ASSERT_EQ(read.totals.sites().size(), 3u); // by line
  EXPECT_EQ(read.totals.sites()[0].site.record->line, 2u);
  EXPECT_EQ(read.totals.sites()[1].sum.globals(), 2u); // an update reads and writes
  EXPECT_EQ(read.totals.sites()[2].sum.globals(), 9u); // one of eight stands for eight
  EXPECT_EQ(read.totals.all().globals(), 12u);
  EXPECT_EQ(read.totals.unreached(), 1u);
  EXPECT_EQ(read.totals.unknown(), 1u);
  EXPECT_EQ(read.totals.sampled(), 8u);
  EXPECT_EQ(read.totals.executionsSampled(), 1u);
  EXPECT_EQ(read.totals.leastExecutionsSampled(), 1u);
  EXPECT_EQ(read.totals.sites()[0].site.place(true), "k.cu:2:3");
  EXPECT_EQ(read.totals.sites()[0].site.place(false), "k.cu:2");
  EXPECT_FALSE(read.totals.hasMachineCode());
  const Read chosen(site("0xb1", "load", 9) + site("0xb4", "load", 2, "other") + "counters 0xb1" + one + "counters 0xb4" + one, "oth*");
  ASSERT_EQ(chosen.totals.sites().size(), 1u);
  EXPECT_EQ(chosen.totals.all().globals(), 1u);
  const Read executions(site("0xb1", "load", 9) + site("0xb2", "load", 10) + "counters 0xb1 sampled=8 group=1 groups=64 executions-log2=3" +
                        one + "counters 0xb2 sampled=4 group=2 groups=64 executions-log2=2" + one);
  EXPECT_EQ(executions.totals.executionsSampled(), 8u);
  EXPECT_EQ(executions.totals.leastExecutionsSampled(), 4u);
}

/// Of a site of 16 bytes an element, and `others` that its instructions make too: "source: sentence" of each row.
std::string machineText(const std::string &row, unsigned bytes = 16, unsigned others = 0) {
  std::string text = "site 0xb0 load \"a[i]\" function=\"k\" file=\"k.cu\" line=3 column=5 width=4 bytes=" + std::to_string(bytes) + "\n";
  for (unsigned i = 1; i <= others; ++i)
    text += site("0xc" + std::to_string(i), "load", 10 + static_cast<int>(i)) + "machine 0xc" + std::to_string(i) + " merged leader=0xb0\n";
  const Read read(text + "machine 0xb0 " + row + "\ncounters 0xb0 accesses=1 lanes=32 bytes=512\n");
  std::string out;
  for (const auto &cells : machineTable(read.totals).rows)
    out += std::get<std::string>(cells.front()) + ": " + std::get<std::string>(cells.back());
  return out;
}

TEST(MachineTable, SaysWhatIsMadeOfASite) {
  EXPECT_EQ(machineText("same"), "");
  EXPECT_EQ(machineText("unknown"), "");
  EXPECT_EQ(machineText("narrow bytes=4 pieces=0x5"),
            "k.cu:3:5: 2 4-byte instructions for bytes 0 to 3 and 8 to 11 of its 16: the instructions are counted");
  EXPECT_EQ(machineText("narrow bytes=4 pieces=0x6"),
            "k.cu:3:5: 2 4-byte instructions for bytes 4 to 11 of its 16: the instructions are counted");
  EXPECT_EQ(machineText("narrow bytes=8 pieces=0x2"),
            "k.cu:3:5: 1 8-byte instruction for bytes 8 to 15 of its 16: the instructions are counted");
  EXPECT_EQ(machineText("narrow bytes=1 pieces=0x80000001", 32),
            "k.cu:3:5: 2 1-byte instructions for bytes 0 to 0 and 31 to 31 of its 32: the instructions are counted");
  EXPECT_EQ(machineText("narrow bytes=1 pieces=0xffffffff", 32),
            "k.cu:3:5: 32 1-byte instructions for bytes 0 to 31 of its 32: the instructions are counted");
  EXPECT_EQ(machineText("wide bytes=16", 4),
            "k.cu:3:5: one 16-byte instruction makes 4 of its accesses, of an unrolled loop or to neighbouring "
            "members: the instruction is counted");
  for (const unsigned bytes : {0u, 16u, 32u}) // of no single width, or no narrower
    EXPECT_EQ(machineText("wide bytes=16", bytes),
              "k.cu:3:5: 16-byte instructions make several of its accesses each: the instructions are counted");
}

TEST(MachineTable, NamesUpToThreeSitesOfAnInstruction) {
  EXPECT_EQ(machineText("same", 16, 1), "k.cu:3:5: one instruction makes it and a[i] (k.cu:11:3): counted once, here");
  EXPECT_EQ(machineText("wide bytes=16", 4, 2),
            "k.cu:3:5: one 16-byte instruction makes it and a[i] (k.cu:11:3) and a[i] (k.cu:12:3): counted once, here");
  EXPECT_EQ(machineText("wide bytes=16", 4, 3),
            "k.cu:3:5: one 16-byte instruction makes it and a[i] (k.cu:11:3), a[i] (k.cu:12:3) and a[i] "
            "(k.cu:13:3): counted once, here");
  EXPECT_EQ(machineText("wide bytes=16", 4, 5), "k.cu:3:5: one 16-byte instruction makes it and a[i] (k.cu:11:3), a[i] (k.cu:12:3), a[i] "
                                                "(k.cu:13:3) and 2 more: counted once, here");
}

TEST(MachineTable, TheNoteSaysWhatIsCounted) {
  const auto note = [](const std::string &text, format::Target target = format::Target::Cuda) {
    const Read read(site("0xb0", "load", 3) + site("0xb1", "load", 4) + site("0xb2", "load", 5) + text);
    return machineNote(read.totals, target);
  };
  EXPECT_TRUE(note("").ends_with("('kperf-cc --verbose' says why)"));
  EXPECT_TRUE(note("", format::Target::Hip).ends_with("GPU compilers merge and narrow some"));
  const std::string instructions = "counts are of the instructions in the machine code of the build without probes";
  EXPECT_EQ(note("machine 0xb0 same\n"), instructions);
  EXPECT_EQ(note("machine 0xb0 removed\n"), instructions + "; 1 access in the source has none there");
  EXPECT_EQ(note("machine 0xb0 removed\nmachine 0xb2 removed\n"), instructions + "; 2 accesses in the source have none there");
}

TEST(LaneRows, AreWhatTheTextOfTheIndexSays) {
  constexpr std::optional<LaneRows> nothing;
  constexpr LaneRows assumed{1, false};
  EXPECT_EQ(laneRows("tile[threadIdx.x][k]"), LaneRows(1, true));
  EXPECT_EQ(laneRows("tile[ 2 * threadIdx.x ][k]"), LaneRows(2, true));
  EXPECT_EQ(laneRows("tile[threadIdx.x * 3u * 2][threadIdx.x]"), LaneRows(6, true));
  EXPECT_EQ(laneRows("&s.tile[0][4 + threadIdx.x - 1][k].x"), LaneRows(1, true));
  EXPECT_EQ(laneRows("tile[2 * threadIdx.x + i][k]"), LaneRows(2, false)); // i may differ from lane to lane
  EXPECT_EQ(laneRows("tile[row][k]"), assumed);
  EXPECT_EQ(laneRows("tile[order[k]][threadIdx.x]"), assumed);
  EXPECT_EQ(laneRows("p[2]"), assumed);
  EXPECT_EQ(laneRows("*p"), assumed);
  EXPECT_EQ(laneRows("points[threadIdx.x].row[2]"), assumed);
  EXPECT_EQ(laneRows("tile[threadIdx.x][j][k]"), nothing); // planes
  for (const char *const index : {"threadIdx.x / 2", "threadIdx.x % 32", "n * threadIdx.x", "31 - threadIdx.x", "threadIdx.x << 1",
                                  "threadIdx.x + threadIdx.x", "order[threadIdx.x]", "(threadIdx.x + 1) * 2", "threadIdx.x * threadIdx.x",
                                  "threadIdx.y", "threadIdx.x * 1048577", "threadIdx.x * 1024 * 1025", "0x2 * threadIdx.x"})
    EXPECT_EQ(laneRows(std::string("tile[") + index + "][k]"), nothing) << index;
}

TEST(LaneRows, OfOneIndexAreWhatTheLaneIsMultipliedBy) {
  constexpr std::optional<LaneRows> nothing;
  constexpr LaneRows assumed{1, false};
  EXPECT_EQ(laneRows("tile[threadIdx.x * pitch + k]"), LaneRows(1, true));
  EXPECT_EQ(laneRows("tile[k + 33 * threadIdx.x]"), LaneRows(1, true));
  EXPECT_EQ(laneRows("tile[2 * threadIdx.x * blockDim.x + k * n]"), LaneRows(2, true));
  EXPECT_EQ(laneRows("tile[threadIdx.x * pitch + threadIdx.x]"), LaneRows(1, true));
  EXPECT_EQ(laneRows("tile[threadIdx.x * pitch + k * pitch]"), assumed); // k may differ from lane to lane
  EXPECT_EQ(laneRows("tile[threadIdx.x * 33 + 33 * k]"), assumed);
  EXPECT_EQ(laneRows("tile[2 * threadIdx.x * 32]"), assumed);
  EXPECT_EQ(laneRows("tile[i * pitch + threadIdx.x]"), assumed);
  for (const char *const index : {"threadIdx.x * n * pitch", "(threadIdx.x + 1) * pitch", "threadIdx.x / 2 * pitch",
                                  "threadIdx.x * pitch + threadIdx.x * 2", "k - threadIdx.x * pitch", "threadIdx.x * pitch ^ k"})
    EXPECT_EQ(laneRows(std::string("tile[") + index + "]"), nothing) << index;
}

TEST(LaneRows, TakesAnyText) {
  for (const char *const text : {"", "[", "]", "[[[", "]]]", "a[", "a[]", "a[][]", "a[(][)]", "a[threadIdx.x", "a[threadIdx.x*][*]"})
    laneRows(text);
}

} // namespace
} // namespace kperf::decoder
