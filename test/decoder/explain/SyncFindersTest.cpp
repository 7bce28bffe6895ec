// What waits, asynchronous work and divergent regions are found to cost: each threshold from both sides, and the numbers that are said.
#include "test/decoder/explain/HandmadeFacts.h"

namespace kperf::decoder {
namespace {

using Facts = HandmadeFacts;
using Kind = PathStep::Kind;

/// 4 blocks of 2 warps each enter a barrier 8 times a warp, every 250 / 8 cycles of a block; on the path it takes a quarter.
Facts barriers() {
  Facts out;
  out.gains(Kind::Wait, out.at(0x11), 25);
  out.sync.blocks = 4;
  out.kernel.launches.warps = 8;
  out.sync.waits[out.at(0x11)] = {.count = 64, .waited = 48};
  out.region(0x11).probeShare = 4;
  out.kernel.regions.back().share = 30;
  return out;
}

TEST(BarriersFinder, SaysHowOftenAndWhatTheyTake) {
  Facts facts = barriers();
  Explained found = facts.one(findBarriers);
  EXPECT_EQ(found.what, "wait 'sync' is entered 8 times by each warp, every 31.2 cycles"); // 1000 / 4 / 8
  EXPECT_EQ(found.place, "k.cu:5");
  EXPECT_EQ(found.evidence, "64 entries, 48 of them waited for another warp; their own time is 25.0 % of the critical path, and its "
                            "probes take 4.0 %");
  EXPECT_EQ(found.why, "each costs its latency, although nobody comes late");
  EXPECT_EQ(found.noise, 4);
  expectGain(found, 0, 10.9375, 25.875); // one of 8 has to stay, and its probes go
  facts.sync.waits[facts.at(0x11)].count = 256;
  found = facts.one(findBarriers); // 32 times, in steps of less than 500 cycles: what it takes of the warps' time counts, less its probes
  EXPECT_EQ(found.evidence, "256 entries, 48 of them waited for another warp; their own time is 25.0 % of the critical path, and without "
                            "probes they take 26.0 % of the warp-time");
  EXPECT_EQ(found.why, "each costs its latency, and each time all wait for whichever warp is last");
  expectGain(found, 0, 12.59375, 25.1875); // 26 · 31 / 32
}

TEST(BarriersFinder, NoGainIsAboveItsEvidenceWhateverProbesCost) {
  for (const std::optional<double> probes : {std::optional<double>(), std::optional<double>(0), std::optional<double>(40)})
    for (const std::uint64_t count : {64u, 256u}) {
      Facts facts = barriers();
      facts.gains(Kind::Wait, facts.at(0x11), 76);
      facts.sync.waits[facts.at(0x11)].count = count;
      facts.kernel.regions.back().share = 80;
      facts.kernel.regions.back().probeShare = facts.kernel.recording.probeCost = probes;
      const bool isShort = count == 256 && 80 - probes.value_or(0) > 76; // then it is the time in it without probes
      const double evidence = isShort ? 80 - probes.value_or(0) : 76;
      const double most = evidence * (1 - 8.0 / static_cast<double>(count)) + (isShort ? 0 : probes.value_or(0));
      EXPECT_NEAR(facts.one(findBarriers).gain.max, std::min(100.0, most), 1e-9);
    }
}

TEST(BarriersFinder, ShortStepsBeginAtThirtyTwoEntriesAndEndAtFiveHundredCycles) {
  const auto saysTime = [](std::uint64_t count, std::uint64_t blocks, double share) {
    Facts facts = barriers();
    facts.sync.waits[facts.at(0x11)].count = count;
    facts.sync.blocks = blocks;
    facts.sync.cycles = 16000 * blocks; // 500 in each of 32 steps
    facts.kernel.regions.back().share = share;
    const std::vector<Explained> found = facts.all(findBarriers);
    return !found.empty() && found.front().evidence.contains("without probes");
  };
  EXPECT_TRUE(saysTime(256, 1, 30));
  EXPECT_FALSE(saysTime(248, 1, 30));
  EXPECT_TRUE(saysTime(256, 1, 6.5)); // 2.5 % is more than the path's 1.56
  EXPECT_FALSE(saysTime(256, 1, 4));
  Facts facts = barriers();
  facts.sync.waits[facts.at(0x11)].count = 256;
  facts.sync.cycles = 64100; // 501 cycles a step
  EXPECT_TRUE(facts.all(findBarriers).empty());
}

TEST(BarriersFinder, NeedsFourEntriesAndTwoPercent) {
  EXPECT_TRUE(finds(barriers, findBarriers, [](Facts &it) { it.sync.waits[it.at(0x11)].count = 32; }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.sync.waits[it.at(0x11)].count = 31; }));
  EXPECT_TRUE(finds(barriers, findBarriers, [](Facts &it) { it.gains(Kind::Wait, it.at(0x11), 2); }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.gains(Kind::Wait, it.at(0x11), 1); }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.kernel.launches.warps = 0; }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.hasWaits = false; }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { // not of an mbarrier
    it.sync.waits = {{it.at(0x10), {.count = 64, .waited = 48}}};
    it.gains(Kind::Wait, it.at(0x10), 25);
  }));
}

TEST(Facts, GainsAreThoseOfWholePaths) {
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.sync.incomplete = 1; }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.sync.cycles = 0; }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.sync.steps.begin()->second.replayed = 0; }));
  EXPECT_FALSE(finds(barriers, findBarriers, [](Facts &it) { it.sync.steps.clear(); }));
  Facts facts = barriers();
  facts.kernel.sync = &facts.sync;
  EXPECT_EQ(facts.kernel.gainOf(Kind::Wait, facts.at(0x11)), 25);
  EXPECT_EQ(facts.kernel.gainOf(Kind::Wait, facts.at(0x10)), 0); // not on any path
  facts.sync.steps.begin()->second.replayed = 0;
  EXPECT_EQ(facts.kernel.gainOf(Kind::Wait, facts.at(0x11)), std::nullopt);
}

/// 8 copies of 100 cycles each, of which 40 are exposed, in blocks that live for 1000 cycles in all.
Facts copies(std::uint64_t exposed, std::uint64_t percent, std::uint64_t length = 100) {
  Facts out;
  out.gains(Kind::Flight, out.at(0x12), percent);
  out.sync.blocks = 1;
  FlightSum &sum = out.sync.flights[out.at(0x12)];
  for (int i = 0; i < 8; ++i)
    sum.lengths.add(length);
  sum.exposed = 8 * exposed;
  return out;
}

TEST(ExposedCopyFinder, SaysHowManyStagesWouldHideIt) {
  Facts facts = copies(40, 24);
  const Explained found = facts.one(findExposedCopy);
  EXPECT_EQ(found.what, "'issue' is in flight while its warps wait");
  EXPECT_EQ(found.place, "k.cu:7");
  EXPECT_EQ(found.evidence, "100 cycles in flight on average, 40 % of that exposed; 24.0 % of the critical path");
  // An issue every 125 cycles, of which 40 are waits: 100 / 85 is over 1, so 2, and one.
  EXPECT_EQ(found.remedy, "issue it earlier: 3 stages in flight would cover its length at this pace");
  EXPECT_NEAR(*found.noise, 2.4, 1e-9);
  expectGain(found, 6, 18, 24);
}

TEST(ExposedCopyFinder, OfARingSaysHowManySlotsHideIt) {
  Facts facts = copies(40, 24);
  facts.sync.rings = {.slots = {{facts.at(0x12), {.there = 2, .enough = 4}}}, .rings = 1, .cycles = 1000, .then = 850};
  const Explained found = facts.one(findExposedCopy);
  EXPECT_EQ(found.remedy, "issue it earlier: with 4 slots in place of 2 nothing waits for one");
  expectGain(found, 6, 15, 24);
  facts.sync.rings.then = 981;
  EXPECT_EQ(facts.one(findExposedCopy).remedy, "issue it earlier, or make it shorter: more slots in its ring would save next to nothing");
  expectGain(facts.one(findExposedCopy), 6, 6, 24);
}

TEST(ExposedCopyFinder, StagesAndGainsHaveLimits) {
  EXPECT_NE(copies(120, 24, 130).one(findExposedCopy).remedy.find("27 stages"), std::string::npos); // 130 / 5, and one
  EXPECT_NE(copies(124, 24, 500).one(findExposedCopy).remedy.find("64 stages"), std::string::npos); // of 501
  EXPECT_NE(copies(125, 24, 40).one(findExposedCopy).remedy.find("41 stages"), std::string::npos);  // at least a cycle between two
  EXPECT_NE(copies(25, 24, 100).one(findExposedCopy).remedy.find("2 stages"), std::string::npos);   // 100 / 100, and one
  expectGain(copies(40, 99).one(findExposedCopy), 24.75, 74.25, 99);
}

TEST(ExposedCopyFinder, NeedsWaitsOfTwoPercent) {
  EXPECT_EQ(copies(40, 2).all(findExposedCopy).size(), 1u);
  EXPECT_EQ(copies(40, 1).all(findExposedCopy).size(), 0u);
  EXPECT_EQ(copies(0, 24).all(findExposedCopy).size(), 0u);
  Facts facts = copies(40, 24);
  facts.sync.blocks = 0;
  EXPECT_EQ(facts.all(findExposedCopy).size(), 0u);
  facts.sync.blocks = 1;
  facts.sync.flights.begin()->second.lengths = {};
  EXPECT_EQ(facts.all(findExposedCopy).size(), 0u); // none
  facts.hasWaits = false;
  EXPECT_EQ(facts.all(findExposedCopy).size(), 0u);
  Facts both = copies(40, 1);
  both.sync.flights[both.at(0x13)].lengths.add(100);
  both.sync.flights[both.at(0x13)].exposed = 40;
  both.gains(Kind::Flight, both.at(0x13), 24);
  EXPECT_EQ(both.one(findExposedCopy).place, "k.cu:9"); // the first is too small, the second is not
}

/// A region that one warp of 4 is in for 300 of 1000 cycles on the path, while the others wait at a barrier.
Facts serial() {
  Facts out;
  out.gains(Kind::Region, out.at(0x21), 30);
  out.kernel.balance.blocks = 1;
  out.kernel.balance.warpsOfBlock = 4;
  out.kernel.balance.rows[out.at(0x21)] = {.alone = 300, .longest = 300, .mean = 300, .cycles = 300};
  out.sync.waits[out.at(0x11)] = {.count = 4, .waited = 3, .cycles = 250, .latency = 50};
  out.region(0x21).probeShare = 1;
  return out;
}

TEST(SerialSectionFinder, SaysWhatAnEvenShareWouldSave) {
  Facts facts = serial();
  const Explained found = facts.one(findSerialSection);
  EXPECT_EQ(found.what, "region 'load' runs in one warp of 4 at a time, while the others wait");
  EXPECT_EQ(found.place, "dir/k.cu:12");
  EXPECT_EQ(found.evidence, "30.0 % of the critical path would go with it, in 1.0 warps at once; waits at barriers took 250 cycles in all");
  EXPECT_EQ(found.noise, 1);
  expectGain(found, 5.625, 16.875, 22.5); // of 30 three quarters are 22.5
  facts.gains(Kind::Region, facts.at(0x21), 100);
  facts.kernel.balance.warpsOfBlock = 100;
  facts.sync.waits[facts.at(0x11)].cycles = 5000;
  expectGain(facts.one(findSerialSection), 24.75, 74.25, 99);
}

TEST(SerialSectionFinder, IsOfOneWarpAtATimeOnly) {
  const auto row = [](Facts &it) -> BlockBalance::Row & { return it.kernel.balance.rows[it.at(0x21)]; };
  EXPECT_TRUE(finds(serial, findSerialSection, [&](Facts &it) { row(it).cycles = 450; })); // one and a half at once
  EXPECT_FALSE(finds(serial, findSerialSection, [&](Facts &it) { row(it).cycles = 451; }));
  // In turn: nobody is alone, and all take as long, but for less than a tenth.
  EXPECT_TRUE(finds(serial, findSerialSection, [&](Facts &it) { row(it).alone = 0, row(it).excess = 29; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [&](Facts &it) { row(it).alone = 0, row(it).excess = 30; }));
  EXPECT_TRUE(finds(serial, findSerialSection, [&](Facts &it) { row(it).alone = 151, row(it).excess = 30; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [&](Facts &it) { row(it).alone = 150, row(it).excess = 30; }));
}

TEST(SerialSectionFinder, NeedsWholeBlocksAndOthersThatWait) {
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.hasWaits = false; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.kernel.balance.blocks = 0; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.kernel.balance.leftOut = 1; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.kernel.balance.warpsOfBlock = 1; }));
  EXPECT_TRUE(finds(serial, findSerialSection, [](Facts &it) { it.kernel.balance.warpsOfBlock = 2; }));
  EXPECT_TRUE(finds(serial, findSerialSection, [](Facts &it) { it.sync.waits[it.at(0x11)].cycles = 200; })); // half of its 300, and 50
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.sync.waits[it.at(0x11)].cycles = 199; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { // a latency that is longer than the wait leaves nothing of it
    it.sync.waits[it.at(0x11)] = {.count = 4, .waited = 3, .cycles = 250, .latency = 300};
  }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.sync.waits = {{it.at(0x10), {.count = 4, .cycles = 999}}}; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.sync.steps.begin()->second.cycles = 0; }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.sync.steps.clear(); }));
  EXPECT_FALSE(finds(serial, findSerialSection, [](Facts &it) { it.sync.steps.begin()->second.gain = 20; })); // 2 % · 3 / 4
}

/// A region whose 16 of 32 lanes idle for 40 % of the kernel.
Facts divergent() {
  Facts out;
  out.kernel.launches.block[0] = 64;
  out.kernel.launches.block[1] = out.kernel.launches.block[2] = 1;
  RegionFacts &load = out.region(0x21);
  load.count = 7;
  load.share = 40;
  load.lanes = 16;
  load.probeShare = 3;
  return out;
}

TEST(DivergenceFinder, SaysWhichRegionAndHowManyLanes) {
  Facts facts = divergent();
  Explained found = facts.one(findDivergence);
  EXPECT_EQ(found.what, "16.0 of 32 lanes are active in region 'load'");
  EXPECT_EQ(found.place, "dir/k.cu:12");
  EXPECT_EQ(found.evidence, "7 entries, 40.0 % of the warp-time, with 16.0 lanes on average");
  EXPECT_EQ(found.noise, 3);
  expectGain(found, 0, 10, 20);
  RegionFacts &multiply = facts.region(0x22);
  multiply.count = 9;
  multiply.share = 48;
  multiply.lanes = 8;
  multiply.probeShare = 2;
  found = facts.one(findDivergence); // 36 there, and 20
  EXPECT_EQ(found.what, "8.0 of 32 lanes are active in region 'multiply', and few in 1 more");
  EXPECT_EQ(found.noise, 5);
  expectGain(found, 0, 28, 56);
  facts.kernel.recording.hasCostlyAtomics = true; // those of fewer lanes may take less: all but what is idle most
  found = facts.one(findDivergence);
  expectGain(found, 0, 28, 75);
  EXPECT_TRUE(found.evidence.ends_with("without them it may be all of the time")) << found.evidence;
  facts.kernel.regions.back().probeShare.reset();
  EXPECT_EQ(facts.one(findDivergence).noise, std::nullopt);
  facts.kernel.recording.hasCostlyAtomics = false;
  facts.kernel.regions.back().share = 110;
  expectGain(facts.one(findDivergence), 0, 51.25, 100);
}

TEST(DivergenceFinder, NeedsIdleLanesAndTwoPercent) {
  const auto load = [](Facts &it) -> RegionFacts & { return it.kernel.regions.front(); };
  EXPECT_TRUE(finds(divergent, findDivergence, [&](Facts &it) { load(it).lanes = 24; })); // three quarters
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { load(it).lanes = 24.1; }));
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { load(it).lanes = 0; })); // not known
  EXPECT_TRUE(finds(divergent, findDivergence, [&](Facts &it) { load(it).share = 4; }));
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { load(it).share = 3.9; }));
  EXPECT_TRUE(finds(divergent, findDivergence, [&](Facts &it) { it.gains(Kind::Region, it.at(0x21), 4); }));
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { it.gains(Kind::Region, it.at(0x21), 3); })); // on the path
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { load(it).kind = format::RegionKind::Wait; }));
  EXPECT_TRUE(
      finds(divergent, findDivergence, [&](Facts &it) { it.kernel.launches.block[0] = 22; })); // 16 of 22 are less than three quarters
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { it.kernel.launches.block[0] = 21; }));
  EXPECT_TRUE(finds(divergent, findDivergence, [&](Facts &it) { it.kernel.launches.block[0] = 11, it.kernel.launches.block[1] = 2; }));
  EXPECT_TRUE(finds(divergent, findDivergence, [&](Facts &it) { it.kernel.launches.block[0] = 11, it.kernel.launches.block[2] = 2; }));
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { it.kernel.device.warpLanes = 16; }));
  EXPECT_TRUE(finds(divergent, findDivergence, [&](Facts &it) { // records say of 32 of a wavefront's lanes whether they were there
    it.kernel.device.warpLanes = 64;
    load(it).lanes = 24;
  }));
  EXPECT_FALSE(finds(divergent, findDivergence, [&](Facts &it) { it.kernel.device.warpLanes = 64, load(it).lanes = 25; }));
}

/// 100 entries of 10 cycles at the median and 20 in the longest hundredth, which take 30 % of the time beyond it.
Facts rare() {
  Facts out;
  RegionFacts &load = out.region(0x21);
  load.count = 100;
  load.p50 = 10;
  load.p99 = 20;
  load.beyondMedian = 30;
  load.probeShare = 1;
  return out;
}

TEST(RareEntriesFinder, SaysWhatTheyTakeBeyondTheMedian) {
  Facts facts = rare();
  const Explained found = facts.one(findRareEntries);
  EXPECT_EQ(found.what, "few entries of region 'load' take far longer than the others");
  EXPECT_EQ(found.place, "dir/k.cu:12");
  EXPECT_EQ(found.evidence, "p50 10 cycles, p99 20 cycles, of 100 entries; beyond the median they take 30.0 % of the warp-time");
  EXPECT_EQ(found.noise, 1);
  expectGain(found, 0, 15, 30);
  facts.kernel.balance.life = 400;
  facts.kernel.balance.rows[facts.at(0x21)].excess = 40; // 10 % of that are uneven warps'
  expectGain(facts.one(findRareEntries), 0, 10, 20);
  facts.gains(Kind::Region, facts.at(0x21), 12);
  expectGain(facts.one(findRareEntries), 0, 6, 12);
  facts.gains(Kind::Region, facts.at(0x21), 50);
  expectGain(facts.one(findRareEntries), 0, 10, 20);
  facts.kernel.balance.life = 0;
  facts.kernel.regions.front().beyondMedian = 99;
  facts.hasWaits = false;
  expectGain(facts.one(findRareEntries), 0, 49.5, 99);
}

TEST(RareEntriesFinder, NeedsManyEntriesAndTwiceTheMedian) {
  const auto load = [](Facts &it) -> RegionFacts & { return it.kernel.regions.front(); };
  EXPECT_FALSE(finds(rare, findRareEntries, [&](Facts &it) { load(it).count = 99; }));
  EXPECT_FALSE(finds(rare, findRareEntries, [&](Facts &it) { load(it).p99 = 19; }));
  EXPECT_FALSE(finds(rare, findRareEntries, [&](Facts &it) { load(it).p50 = 0; })); // summed up
  EXPECT_TRUE(finds(rare, findRareEntries, [&](Facts &it) { load(it).p50 = 1; }));
  EXPECT_FALSE(finds(rare, findRareEntries, [&](Facts &it) { load(it).kind = format::RegionKind::Wait; }));
  EXPECT_TRUE(finds(rare, findRareEntries, [&](Facts &it) { load(it).beyondMedian = 2; }));
  EXPECT_FALSE(finds(rare, findRareEntries, [&](Facts &it) { load(it).beyondMedian = 1.9; }));
  Facts facts = rare();
  facts.kernel.regions.front().count = 1;
  RegionFacts &second = facts.region(0x22);
  second = facts.kernel.regions.front();
  second.region = facts.at(0x22);
  second.count = 100;
  EXPECT_EQ(facts.one(findRareEntries).what, "few entries of region 'multiply' take far longer than the others");
}

} // namespace
} // namespace kperf::decoder
