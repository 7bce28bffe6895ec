// What is read out of traces for an explanation, by hand from a handful of warps.
#include "decoder/explain/Facts.h"
#include "decoder/explain/CountedLaunches.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// A record costs 4 cycles inside and 10 around it.
const char *const kDevice = R"x(device 0 name="GPU" architecture="sm_90" multiprocessors=100 lanes=32 khz=500000
limits warps=64 memory-bytes-per-second=3000000000000 l2=1000
)x";
const char *const kCalibration = R"x(region 0x1 calibration "calibration"
region 0x2 calibration "own empty"
region 0x3 calibration "own enclosing"
)x";
const char *const kRegions = R"x(region 0x20 kernel "walk" function="walk" file="dir/k.cu" line=1
region 0x21 scope "a" function="walk" file="dir/k.cu" line=2
region 0x22 scope "b" function="walk" file="dir/k.cu" line=3
region 0x23 mark "here" function="walk" file="dir/k.cu" line=4
)x";
const char *const kCalibrated = R"x(warp 0.0 ns=0..50000 cycles=0..100000 kernel="calibration"
  span "own empty" 400..404
  span "own enclosing" 1000..1014
)x";

struct ReadFacts {
  explicit ReadFacts(const std::vector<std::string> &texts, const std::string &kernel = "") {
    for (const std::string &text : texts) {
      auto bytes = packText("kperf 1.15\n" + text, "text");
      EXPECT_TRUE(bytes) << bytes.error().text();
      auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
      EXPECT_TRUE(trace) << trace.error().text();
      traces.push_back(std::move(*trace));
    }
    auto out = readFacts(traces, kernel);
    EXPECT_TRUE(out) << out.error().text();
    facts = std::move(*out);
  }
  const KernelFacts &kernel(std::size_t index = 0) const { return facts.kernels.at(index); }
  const RegionFacts &region(std::uint32_t id) const { return *kernel().region(facts.regions->find(id)); }
  std::vector<Trace> traces;
  ProgramFacts facts;
};

/// 101 entries of "a": a hundred of 10 cycles and one of 1000; in "b", of 100 cycles, half of the lanes are.
std::string entries() {
  std::string out = "warp 0.0 kernel=\"walk\" gridId=1 ns=100000..120000 cycles=200000..210000 grid=2x1x1\n";
  for (int i = 0; i < 100; ++i)
    out += "  span \"a\" " + std::to_string(200000 + 20 * i) + ".." + std::to_string(200010 + 20 * i) + "\n";
  return out + "  span \"a\" 203000..204000\n  span \"b\" 205000..205100 lanes=0xffff\n  mark \"here\" 206000\n";
}

TEST(Facts, OfRegions) {
  const ReadFacts read({std::string(kDevice) + kCalibration + kRegions + "warps\n" + kCalibrated + entries()});
  ASSERT_EQ(read.kernel().regions.size(), 2u); // marks are none
  const RegionFacts &a = read.region(0x21), &b = read.region(0x22);
  EXPECT_EQ(read.kernel().regions[0].name, "a"); // of more time
  EXPECT_EQ(a.place, "dir/k.cu:2");
  EXPECT_EQ(a.count, 101u);
  EXPECT_EQ(a.share, 20); // 2000 of 10000 cycles
  EXPECT_EQ(a.p50, 10);
  EXPECT_EQ(a.p99, 10);
  EXPECT_NEAR(a.mean, 2000 / 101.0, 1e-9);
  EXPECT_NEAR(a.beyondMedian, 9.9, 1e-9); // 990
  EXPECT_NEAR(*a.probeShare, 4.04, 1e-9); // 101 · 4
  EXPECT_EQ(a.lanes, 32);
  EXPECT_EQ(b.share, 1);
  EXPECT_EQ(b.beyondMedian, 0);
  EXPECT_EQ(b.lanes, 16);
  EXPECT_NEAR(read.kernel().outside, 79, 1e-9);
  EXPECT_NEAR(read.kernel().unattributed, 72.82, 1e-9);         // 7900 cycles without what 102 spans and a mark add there, 6 each
  EXPECT_NEAR(*read.kernel().recording.probeCost, 10.26, 1e-9); // 102 · 10, and of the mark what is not in a length: 10 - 4
}

TEST(Facts, OfAKernelAndItsDevice) {
  const ReadFacts read({std::string(kDevice) + kCalibration + kRegions + "needs \"walk()\" threads=32 registers=40 local=8\n" + "warps\n" +
                        kCalibrated + entries()});
  const KernelFacts &kernel = read.kernel();
  EXPECT_EQ(kernel.name, "walk");
  EXPECT_EQ(kernel.launches.count, 1u);
  EXPECT_EQ(kernel.launches.warps, 1u);
  EXPECT_EQ(kernel.launches.warpsLaunched, 2u);
  EXPECT_EQ(kernel.launches.grid[0], 2u);
  EXPECT_EQ(kernel.launches.block[0], 32u);
  EXPECT_FALSE(kernel.launches.gridVaries);
  EXPECT_EQ(kernel.launches.durationNs, 20000);
  EXPECT_EQ(kernel.launches.nsPerCycle, 2);
  EXPECT_EQ(kernel.device.name, "GPU");
  EXPECT_EQ(kernel.device.architecture, "sm_90");
  EXPECT_EQ(kernel.device.sms, 100u);
  EXPECT_EQ(kernel.device.warpLanes, 32u);
  EXPECT_EQ(kernel.device.memoryBytesPerNs, 3000);
  EXPECT_EQ(kernel.device.limits.l2Bytes, 1000u);
  EXPECT_EQ(kernel.recording.recordsKept, 100);
  EXPECT_EQ(kernel.recording.samplingInterval, 1u);
  EXPECT_FALSE(kernel.recording.isSummed);
  EXPECT_EQ(kernel.sync, nullptr);
  EXPECT_EQ(kernel.balance.blocks, 1u);
  EXPECT_EQ(kernel.balance.life, 10000);
  EXPECT_EQ(kernel.timeline.launches, 1u);
  EXPECT_EQ(kernel.timeline.duration, 20000);
  ASSERT_TRUE(kernel.needs);
  EXPECT_EQ(kernel.needs->registers, 40u);
  EXPECT_FALSE(kernel.plainNeeds);
  EXPECT_EQ(read.facts.device, "GPU");
  EXPECT_EQ(read.facts.clock, "GPU clock");
  EXPECT_FALSE(read.facts.isHost || read.facts.isVirtual || read.facts.areSmsInvented || read.facts.hasWaits || read.facts.hasSites ||
               read.facts.isReduced || read.facts.hasSitesInTimes);
}

TEST(Facts, OfBlocksOfWhichWarpsAreMissing) {
  // 65 threads are three warps.
  const auto blocks = [](const std::string &block, int warps) {
    std::string text = std::string(kDevice) + kRegions + "warps\n";
    for (int i = 0; i < warps; ++i)
      text += "warp 0." + std::to_string(i) + " kernel=\"walk\" ns=0..100 cycles=0..100 block=" + block + "\n";
    return ReadFacts({text}).kernel().balance.blocks;
  };
  EXPECT_EQ(blocks("65x1x1", 3), 1u);
  EXPECT_EQ(blocks("65x1x1", 2), 0u);
  EXPECT_EQ(blocks("64x1x1", 2), 1u);
  EXPECT_EQ(blocks("5x13x1", 3), 1u);
  EXPECT_EQ(blocks("5x13x1", 2), 0u);
  EXPECT_EQ(blocks("13x1x5", 2), 0u);
  EXPECT_EQ(blocks("33x1x1", 1), 0u);
}

TEST(Facts, OfWarpsOf32LanesWhereTheDeviceIsNotListed) {
  const auto blocks = [](const std::string &device, const std::string &block, int warps) {
    std::string text = device + kRegions + "warps\n";
    for (int i = 0; i < warps; ++i)
      text += "warp 0." + std::to_string(i) + " kernel=\"walk\" ns=0..100 cycles=0..100 block=" + block + "\n";
    return ReadFacts({text}).kernel().balance.blocks;
  };
  EXPECT_EQ(blocks("", "32x1x1", 1), 1u);
  EXPECT_EQ(blocks("", "33x1x1", 1), 0u);
  EXPECT_EQ(blocks("", "33x1x1", 2), 1u);
  EXPECT_EQ(blocks("device 0 name=\"GPU\" lanes=64\n", "64x1x1", 1), 1u);
  EXPECT_EQ(blocks("device 0 name=\"GPU\" lanes=64\n", "65x1x1", 1), 0u);
}

TEST(Facts, OfSumsAndDroppedRecords) {
  const ReadFacts summed(
      {std::string(kDevice) + kRegions + "warps\nwarp 0.0 kernel=\"walk\" ns=0..2000 cycles=0..1000\n  total \"a\" count=5 cycles=250\n"});
  EXPECT_TRUE(summed.kernel().recording.isSummed);
  EXPECT_EQ(summed.region(0x21).share, 25);
  EXPECT_EQ(summed.region(0x21).p50, 0); // whose lengths are not known
  EXPECT_EQ(summed.region(0x21).beyondMedian, 0);
  EXPECT_EQ(summed.region(0x21).mean, 50);
  EXPECT_FALSE(summed.region(0x21).probeShare);
  const ReadFacts dropped(
      {std::string(kDevice) + kRegions +
       "warps\nwarp 0.0 kernel=\"walk\" ns=0..2000 cycles=0..1000 produced=8 capacity=2\n  span \"a\" 0..10\n  span \"a\" 20..30\n"});
  EXPECT_EQ(dropped.kernel().recording.recordsKept, 25);
}

TEST(Facts, KernelsAreByTimeAndByDevice) {
  const std::string text = std::string(kDevice) + "device 1 name=\"GPU\" architecture=\"sm_80\" multiprocessors=7 lanes=32 khz=500000\n" +
                           kRegions +
                           "region 0x30 kernel \"other\"\nwarps\nwarp 0.0 kernel=\"walk\" ns=0..100 cycles=0..50\n"
                           "warp 0.0 kernel=\"other\" gridId=2 ns=200..500 cycles=100..250\nwarps device=1\n"
                           "warp 0.0 kernel=\"walk\" gridId=3 ns=0..200 cycles=0..100\n";
  const ReadFacts read({text});
  ASSERT_EQ(read.facts.kernels.size(), 3u);
  EXPECT_EQ(read.kernel(0).name, "other");
  EXPECT_EQ(read.kernel(1).device.sms, 7u);
  EXPECT_EQ(read.kernel(1).timeline.duration, 200);
  EXPECT_EQ(read.kernel(2).device.sms, 100u);
  EXPECT_EQ(read.kernel(2).timeline.duration, 100);
  EXPECT_EQ(ReadFacts({text}, "oth*").facts.kernels.size(), 1u);
}

TEST(Facts, NeedsAreThoseOfTheKernelAndItsBlocks) {
  const auto registers = [](const std::string &needs) {
    const ReadFacts read(
        {std::string(kDevice) + kRegions + needs + "\nwarps\nwarp 0.0 kernel=\"walk\" ns=0..100 cycles=0..50 block=2x3x4\n"});
    return read.kernel().needs ? read.kernel().needs->registers : 0;
  };
  EXPECT_EQ(registers("needs \"walk\" threads=24 registers=40"), 40u);
  EXPECT_EQ(registers("needs \"void walk(int)\" threads=24 registers=40"), 40u);
  EXPECT_EQ(registers("needs \"walk\" threads=25 registers=40"), 0u);
  EXPECT_EQ(registers("needs \"other\" threads=24 registers=40"), 0u);
}

TEST(Facts, TimesAreThoseOfTracesWithoutCounters) {
  const std::string plain = std::string(kDevice) + "needs \"walk\" threads=32 registers=20\n"; // of the program without probes
  const std::string timed =
      std::string(kDevice) + kRegions + "needs \"walk\" threads=32 registers=40\nwarps\nwarp 0.0 kernel=\"walk\" ns=0..100 cycles=0..50\n";
  const std::string counted =
      std::string(kDevice) + kRegions +
      "launch \"walk()\"\nsite 0xb1 load \"in[i]\" region=a function=\"walk\" file=\"k.cu\" line=5 width=4 bytes=4\nwarps\n"
      "warp 0.0 kernel=\"walk\" ns=0..900 cycles=0..450\n"
      "counters 0xb1 accesses=1 lanes=32 bytes=128 distinct-bytes=128 sectors=32 min-sectors=4 lines=32 min-lines=1 strided=1 "
      "stride-bytes=128\n";
  const ReadFacts all({plain, counted, timed});
  EXPECT_EQ(all.kernel().launches.durationNs, 100);
  EXPECT_TRUE(all.facts.hasSites);
  EXPECT_FALSE(all.facts.hasSitesInTimes);
  EXPECT_EQ(all.kernel().plainNeeds->registers, 20u);
  EXPECT_EQ(all.kernel().needs->registers, 40u);
  EXPECT_EQ(all.facts.traces.size(), 2u);
  EXPECT_TRUE(all.kernel().accesses.hasCounters);
  EXPECT_EQ(all.kernel().accesses.scale, 1);
  ASSERT_TRUE(all.kernel().accesses.traffic);
  EXPECT_EQ(all.kernel().accesses.traffic->bytes, 32 * 32);
  EXPECT_EQ(all.kernel().accesses.traffic->reads, 1);
  const ReadFacts alone({counted});
  EXPECT_EQ(alone.kernel().launches.durationNs, 900);
  EXPECT_TRUE(alone.facts.hasSitesInTimes);
  EXPECT_TRUE(alone.facts.areTimesCounted());
  EXPECT_FALSE(alone.facts.isMemoryTimed());
  const ReadFacts bare({plain}); // it is all there is
  EXPECT_TRUE(bare.facts.kernels.empty());
}

TEST(Facts, OfTracesWithWaitsAndWithoutThoseWithCount) {
  const std::string without = std::string(kDevice) + kRegions + "warps\nwarp 0.0 kernel=\"walk\" ns=0..100 cycles=0..50\n";
  const std::string with = std::string(kDevice) + kRegions +
                           "region 0x24 wait \"sync\" operation=barrier object=block-barrier\nwarps\n"
                           "warp 0.0 kernel=\"walk\" ns=0..300 cycles=0..150\n  span \"sync\" 10..20\n";
  const ReadFacts both({without, with, without});
  EXPECT_EQ(both.kernel().launches.durationNs, 300);
  EXPECT_EQ(both.facts.builds.unusedTimes, 2u);
  EXPECT_TRUE(both.facts.hasWaits);
  EXPECT_NE(both.kernel().sync, nullptr);
  EXPECT_EQ(ReadFacts({without, without}).facts.builds.unusedTimes, 0u);
  EXPECT_EQ(ReadFacts({without, without}).kernel().launches.durationNs, 200);
}

TEST(Facts, OfOneKernelTakeNoMorePasses) {
  const std::string text = std::string(kDevice) + kRegions +
                           "region 0x30 kernel \"other\"\nwarps\nwarp 0.0 kernel=\"walk\" ns=0..100 cycles=0..50\n"
                           "warp 0.0 kernel=\"other\" gridId=2 ns=200..500 cycles=100..250\n";
  const auto bytes = packText("kperf 1.15\n" + text, "text");
  ASSERT_TRUE(bytes) << bytes.error().text();
  const std::string path = testing::TempDir() + "facts-of-one-kernel.kperf";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  const auto bytesRead = [&](const std::string &kernel, double leftOutNs) {
    std::vector<Trace> traces;
    traces.push_back(std::move(*Trace::open(path)));
    const std::uint64_t before = ByteSource::bytesRead();
    const auto facts = readFacts(traces, kernel);
    EXPECT_TRUE(facts) << facts.error().text();
    EXPECT_EQ(facts->builds.leftOutNs, leftOutNs);
    return ByteSource::bytesRead() - before;
  };
  const std::uint64_t ofAll = bytesRead("", 0);
  EXPECT_EQ(bytesRead("walk", 300), ofAll);
  std::remove(path.c_str());
}

TEST(CountedLaunches, AreScaledWhereLaunchesAreOfOneSize) {
  EXPECT_EQ(scaleOfCounters({4, 40}, {2, 20}), 2);
  EXPECT_FALSE(scaleOfCounters({0, 40}, {2, 20}));
  EXPECT_FALSE(scaleOfCounters({4, 40}, {0, 20}));
  EXPECT_FALSE(scaleOfCounters({4, 40}, {2, 0}));
  EXPECT_EQ(scaleOfCounters({1, 1009}, {1, 1000}), 1); // within a hundredth
  EXPECT_FALSE(scaleOfCounters({1, 1011}, {1, 1000}));
  EXPECT_EQ(scaleOfCounters({1, 991}, {1, 1000}), 1);
  EXPECT_FALSE(scaleOfCounters({1, 989}, {1, 1000}));
}

} // namespace
} // namespace kperf::decoder
