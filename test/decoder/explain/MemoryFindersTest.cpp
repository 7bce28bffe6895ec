// What memory accesses are found to cost, and how that is held against the hardware: each threshold from both sides.
#include "test/decoder/explain/HandmadeFacts.h"

#include "decoder/explain/Roofline.h"
#include "decoder/explain/SiteFinding.h"

namespace kperf::decoder {
namespace {

using Facts = HandmadeFacts;

/// A kernel of 10 µs with a strided load that wastes half of the sectors and 40 % of all passes, for which its unit needs 3 µs.
Facts strided(const char *rule = "strided-access", format::SiteKind kind = format::SiteKind::Load) {
  static std::vector<std::unique_ptr<format::SiteRecord>> records;
  records.push_back(std::make_unique<format::SiteRecord>());
  records.back()->kind = kind;
  Facts out;
  out.kernel.launches.durationNs = 10000;
  out.kernel.accesses.scale = 1;
  SiteFacts site{.fault = {.site = {records.back().get(), nullptr}, .rule = rule, .cause = "apart", .fix = "closer", .effect = "1 sector"},
                 .access = "in[i]",
                 .place = "k.cu:5",
                 .function = "walk"};
  site.ofTraffic = 40;
  site.ofUnit = 50;
  site.unitTime = 3000;
  site.memoryTime = 2000;
  out.kernel.accesses.sites.push_back(site);
  return out;
}
Facts stridedLoad() { return strided(); }

TEST(SiteFinding, SaysWhatIsWastedAndWhatThatTakes) {
  Facts facts = strided();
  const Explained found = facts.one(findSectors);
  EXPECT_EQ(found.rule, "strided-access");
  EXPECT_EQ(found.what, "in[i] in walk");
  EXPECT_EQ(found.place, "k.cu:5");
  EXPECT_EQ(found.evidence, "apart; memory moves more than these sectors, for they lie apart");
  EXPECT_EQ(found.why,
            "50.0 % of the kernel's sectors are wasted there; at the rate of the hardware they take 30.0 % of the kernel's time");
  EXPECT_EQ(found.remedy, "closer");
  EXPECT_EQ(found.confirm, "1 sector in kperf memory");
  EXPECT_FALSE(found.noise && *found.noise > 0);
  expectGain(found, 0, 30, 75); // of the half that is left half goes too, for memory is read by 64 bytes
}

TEST(SiteFinding, WhatIsLeftDependsOnWhatIsAccessed) {
  expectGain(strided("strided-access", format::SiteKind::Store).one(findSectors), 0, 30, 87.5); // a quarter of the half stays
  expectGain(strided("irregular-access").one(findSectors), 0, 30, 75);
  expectGain(strided("misaligned-access").one(findSectors), 0, 30, 50); // its neighbours asked for those
  expectGain(strided("partial-warp").one(findSectors), 0, 30, 50);
  expectGain(strided("bank-conflict").one(findBankConflicts), 0, 30, 50);
  expectGain(strided("same-address").one(findHotAtomic), 0, 30, 50);
  EXPECT_TRUE(strided("bank-conflict").all(findSectors).empty());
  EXPECT_TRUE(strided("same-address").all(findSectors).empty());
  EXPECT_TRUE(strided().all(findBankConflicts).empty());
  EXPECT_TRUE(strided().all(findHotAtomic).empty());
}

TEST(SiteFinding, ShareAndBoundAreOfOneUnit) {
  const auto why = [](const char *rule, FindIn find) {
    Facts facts = strided(rule);
    facts.program.isHost = true;
    const Explained found = facts.one(find);
    EXPECT_EQ(found.gain.max, 50);
    return found.why.substr(0, found.why.find(';'));
  };
  EXPECT_EQ(why("misaligned-access", findSectors), "50.0 % of the kernel's sectors are wasted there");
  EXPECT_EQ(why("bank-conflict", findBankConflicts), "50.0 % of the kernel's passes over shared memory are wasted there");
  EXPECT_EQ(why("same-address", findHotAtomic), "50.0 % of the kernel's turns of atomics are wasted there");
}

TEST(SiteFinding, GainsAreNoMoreThanOtherRegionsAndTheClockLeave) {
  const auto gain = [](void (*set)(Facts &, SiteFacts &)) {
    Facts facts = strided();
    set(facts, facts.kernel.accesses.sites.front());
    return facts.one(findSectors);
  };
  expectGain(gain([](Facts &, SiteFacts &site) { site.elsewhere = 60; }), 0, 30, 40);
  expectGain(gain([](Facts &, SiteFacts &site) { site.elsewhere = 80; }), 0, 20, 20);
  expectGain(gain([](Facts &, SiteFacts &site) { site.memoryTime = 4000; }), 0, 40, 75); // the longer of the two
  expectGain(gain([](Facts &, SiteFacts &site) { site.unitTime = 0; }), 0, 37.5, 75);    // half, where no rate is known
  expectGain(gain([](Facts &it, SiteFacts &) { it.kernel.launches.durationNs = 0; }), 0, 37.5, 75);
  EXPECT_FALSE(gain([](Facts &, SiteFacts &site) { site.unitTime = 0; }).gain.isOfTime);
  EXPECT_FALSE(gain([](Facts &, SiteFacts &) {}).gain.isOfTime);
  const Explained counted = gain([](Facts &it, SiteFacts &) { it.program.hasSitesInTimes = true; });
  expectGain(counted, 0, 20, 50); // of passes: half of 40, and the unit's 50
  EXPECT_FALSE(counted.gain.isOfTime);
  EXPECT_EQ(counted.gain.shareOf, PassUnit::Sectors);
  EXPECT_EQ(counted.gain.expected(), 50); // what is likely is not known: the most says whether it is worth saying
  const Explained onHost = gain([](Facts &it, SiteFacts &) { it.program.isHost = true; });
  expectGain(onHost, 0, 20, 50);
  EXPECT_EQ(onHost.gain.shareOf, PassUnit::Sectors);
  const Explained timed = gain([](Facts &, SiteFacts &) {});
  EXPECT_FALSE(timed.gain.shareOf);
  EXPECT_EQ(timed.gain.expected(), 30);
}

TEST(SiteFinding, SaysWhyItIsNotKnownWhatTheyTake) {
  const auto why = [](void (*set)(Facts &, SiteFacts &)) {
    Facts facts = strided();
    set(facts, facts.kernel.accesses.sites.front());
    const std::string text = facts.one(findSectors).why;
    return text.substr(text.find("; ") + 2);
  };
  EXPECT_EQ(why([](Facts &it, SiteFacts &) { it.program.isHost = true; }),
            "what that takes is not known here: the host target's memory takes no time");
  EXPECT_EQ(why([](Facts &it, SiteFacts &) { it.program.hasSitesInTimes = true; }),
            "what that takes is not known: the kernel's time holds the counting");
  EXPECT_EQ(why([](Facts &it, SiteFacts &) { it.kernel.accesses.scale.reset(); }),
            "what that takes is not known: other launches were counted than were timed");
  const std::string noRate = "what that takes is not known: no rate is known of it";
  EXPECT_EQ(why([](Facts &, SiteFacts &site) { site.unitTime = 0; }), noRate);
  EXPECT_EQ(why([](Facts &it, SiteFacts &) { it.kernel.launches.durationNs = 0; }), noRate);
  EXPECT_EQ(why([](Facts &, SiteFacts &site) { site.unitTime = 200; }),
            "at the rate of the hardware they take 20.0 % of the kernel's time");
  EXPECT_EQ(why([](Facts &, SiteFacts &site) { site.unitTime = 200, site.memoryTime = 0; }),
            "at the rate of the hardware they take 2.0 % of the kernel's time");
  EXPECT_EQ(why([](Facts &, SiteFacts &site) { site.unitTime = 199, site.memoryTime = 0; }),
            "at the rate of the hardware they take 2.0 % of the kernel's time: other work hides them");
}

TEST(SiteFinding, SitesOfOneLineAreOneFinding) {
  Facts facts = strided();
  SiteFacts second = facts.kernel.accesses.sites.front();
  second.access = "in[i + 1]";
  second.ofTraffic = 10;
  second.ofUnit = 20;
  second.unitTime = 500;
  second.memoryTime = 2500;
  facts.kernel.accesses.sites.push_back(second);
  Explained found = facts.one(findSectors);
  EXPECT_EQ(found.what, "in[i] and 1 more in walk");
  EXPECT_EQ(found.evidence, "apart (of in[i] alone); memory moves more than these sectors, for they lie apart");
  // 50 % of all passes, 70 % of the unit's, 3500 and 4500 ns: of 30 % that are left half goes too.
  EXPECT_EQ(found.why,
            "70.0 % of the kernel's sectors are wasted there; at the rate of the hardware they take 45.0 % of the kernel's time");
  expectGain(found, 0, 45, 85);
  Facts ofUnit = strided(); // the units' times are added as the memory's are
  ofUnit.kernel.accesses.sites = facts.kernel.accesses.sites;
  for (SiteFacts &site : ofUnit.kernel.accesses.sites)
    site.memoryTime = 0;
  expectGain(ofUnit.one(findSectors), 0, 35, 85);
  facts.kernel.accesses.sites.back().ofUnit = 70;
  expectGain(facts.one(findSectors), 0, 45, 100);
  facts.kernel.accesses.sites.back().place = "k.cu:6";
  EXPECT_EQ(facts.all(findSectors).size(), 2u);
  EXPECT_TRUE(finds(stridedLoad, findSectors, [](Facts &it) { it.kernel.accesses.sites.front().ofTraffic = 2; }));
  EXPECT_FALSE(finds(stridedLoad, findSectors, [](Facts &it) { it.kernel.accesses.sites.front().ofTraffic = 1.9; }));
}

TEST(SiteFinding, SitesOfOneArrayAreOneFinding) {
  Facts facts = strided();
  SiteFacts &site = facts.kernel.accesses.sites.front();
  site.fault.others.resize(2);
  EXPECT_EQ(facts.one(findSectors).what, "in[i] and 2 more in walk");
  EXPECT_TRUE(facts.one(findSectors).evidence.starts_with("apart (all 3 together)")) << facts.one(findSectors).evidence;
  facts.kernel.accesses.sites.push_back(strided().kernel.accesses.sites.front()); // another array in that line
  EXPECT_EQ(facts.one(findSectors).what, "in[i] and 3 more in walk");
  EXPECT_TRUE(facts.one(findSectors).evidence.starts_with("apart (of in[i] and 2 more)")) << facts.one(findSectors).evidence;
}

/// Blocks of 4 warps with 200 registers a thread, of which a multiprocessor holds 2: 8 of 64 warps. A warp reads 20 times in 15000 cycles,
/// and all of them 10 GB/s of 100 of the memory's.
Facts fewWarps() {
  Facts out;
  out.kernel.device.sms = 10;
  out.kernel.device.architecture = "sm_90";
  out.kernel.device.memoryBytesPerNs = 100;
  out.kernel.device.limits.residentWarps = 64;
  out.kernel.launches.durationNs = 10000;
  out.kernel.launches.nsPerCycle = 0.5;
  out.kernel.launches.warpsLaunched = 100;
  out.kernel.timeline.maxBlocks = 25;
  out.kernel.balance.blocks = 25;
  out.kernel.balance.rows[BlockBalance::kWholeLife].mean = 25 * 15000;
  out.kernel.accesses.traffic = TrafficFacts{.reads = 2000, .shared = 8000, .bytes = 100000};
  format::KernelRecord needs{};
  needs.blockThreads = 128;
  needs.registers = 200;
  needs.residentBlocks = 2;
  needs.staticSharedBytes = 100;
  needs.dynamicSharedBytes = 24;
  out.kernel.needs = out.kernel.plainNeeds = needs;
  return out;
}

TEST(OccupancyFinder, SaysHowManyWarpsFitAndWhatTheyWaitFor) {
  Facts facts = fewWarps();
  Explained found = facts.one(findOccupancy);
  EXPECT_EQ(found.what, "an SM holds 8 warps of at most 64, for 200 registers a thread");
  EXPECT_EQ(found.place, "");
  // 20 reads of 600 cycles are 12000 of 15000.
  EXPECT_EQ(found.evidence,
            "2 blocks of 128 threads, 200 registers, 124 B shared; a warp reads 20 times in 15000 cycles, of which waits may be "
            "80 %; 10 GB/s");
  EXPECT_EQ(found.remedy,
            "fewer values that live at once (smaller tiles of a thread), or __launch_bounds__ with the blocks that are to fit");
  EXPECT_EQ(found.doubt, "");
  EXPECT_NEAR(*found.noise, 8.75, 1e-9);
  expectGain(found, 0, 43.75, 87.5); // an eighth of the warps, and of the memory a tenth: 87.5
  facts.region(0x21);
  EXPECT_EQ(facts.one(findOccupancy).place, "dir/k.cu:12");
  facts.kernel.device.memoryBytesPerNs = 20;
  expectGain(facts.one(findOccupancy), 0, 25, 50); // half of the memory
  facts.kernel.device.memoryBytesPerNs = 9;        // what is over its rate comes of caches
  expectGain(facts.one(findOccupancy), 0, 43.75, 87.5);
  facts.kernel.device.memoryBytesPerNs = 10; // all of it: nothing to gain
  EXPECT_TRUE(facts.all(findOccupancy).empty());
  facts.kernel.device.memoryBytesPerNs = 0; // not known; the L2 gives 2 sectors of 32 bytes a cycle and multiprocessor: 1280 B/ns
  facts.kernel.accesses.traffic->bytes = 3200000;
  expectGain(facts.one(findOccupancy), 0, 37.5, 75); // a quarter of it
  // Of four times as many launches a quarter was timed, and has these reads.
  facts.kernel.launches.warpsLaunched *= 4;
  facts.kernel.launches.timedShare = 0.25;
  EXPECT_TRUE(facts.one(findOccupancy).evidence.contains("a warp reads 20 times in 15000 cycles")) << facts.one(findOccupancy).evidence;
  facts.kernel.plainNeeds.reset();
  EXPECT_EQ(facts.one(findOccupancy).doubt, "these registers are with probes; --build and --run ask without");
}

TEST(OccupancyFinder, SaysWhatLimits) {
  const auto limit = [](std::uint32_t registers, std::uint32_t shared, std::uint32_t resident, std::uint32_t threads = 128) {
    Facts facts = fewWarps();
    format::KernelRecord &needs = *facts.kernel.plainNeeds;
    needs.registers = registers;
    needs.staticSharedBytes = 0;
    needs.dynamicSharedBytes = shared;
    needs.residentBlocks = resident;
    needs.blockThreads = threads;
    facts.kernel.timeline.maxBlocks = 1000;
    facts.kernel.accesses.traffic->reads = 2500; // a warp only waits
    const std::vector<Explained> found = facts.all(findOccupancy);
    return found.empty() ? "" : found.front().what.substr(found.front().what.find("for ") + 4);
  };
  const std::string unknown = "a reason that is not known", blocks = "as many blocks as one can hold";
  // 65536 registers: of 168 a thread 12 warps, of 169 (176 · 32, in units of 256) 11, which are 8 of 4 schedulers.
  EXPECT_EQ(limit(168, 0, 3), "168 registers a thread");
  EXPECT_EQ(limit(168, 0, 2), unknown);
  EXPECT_EQ(limit(169, 0, 2), "169 registers a thread");
  EXPECT_EQ(limit(0, 0, 3), unknown);
  // 65536 B for 3 blocks at least, with a KiB of each: 20821 B.
  EXPECT_EQ(limit(32, 20822, 2), "20822 B of shared memory a block");
  EXPECT_EQ(limit(32, 20821, 2), unknown);
  EXPECT_EQ(limit(32, 0, 16, 32), blocks);
  EXPECT_EQ(limit(32, 0, 24, 32), blocks);
  EXPECT_EQ(limit(32, 0, 17, 32), unknown);
  EXPECT_EQ(limit(32, 0, 15, 33), unknown); // 2 warps each
  EXPECT_EQ(limit(32, 0, 16, 33), "");      // half of all warps fit
}

TEST(OccupancyFinder, NeedsFewWarpsThatWait) {
  const auto changed = [](auto set) { return finds(fewWarps, findOccupancy, set); };
  EXPECT_TRUE(changed([](Facts &it) { it.kernel.timeline.maxBlocks = 21; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.timeline.maxBlocks = 20; })); // all fit at once
  EXPECT_TRUE(changed([](Facts &it) { it.kernel.device.limits.residentWarps = 17; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.device.limits.residentWarps = 16; })); // half of them
  EXPECT_TRUE(
      changed([](Facts &it) { it.kernel.accesses.traffic->reads = 5000, it.kernel.accesses.traffic->shared = 0; })); // 300 cycles each
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.accesses.traffic->reads = 5001, it.kernel.accesses.traffic->shared = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.accesses.traffic->shared = 8001; })); // more than four for each read
  // Of 4 schedulers 8 warps that compute for 37.5 % keep three quarters busy: 15.625 reads of 600 cycles.
  EXPECT_TRUE(changed([](Facts &it) { it.kernel.accesses.traffic->reads = 1563, it.kernel.accesses.traffic->shared = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.accesses.traffic->reads = 1562, it.kernel.accesses.traffic->shared = 0; }));
}

TEST(OccupancyFinder, SaysNothingWithoutItsFacts) {
  const auto changed = [](auto set) { return finds(fewWarps, findOccupancy, set); };
  EXPECT_TRUE(changed([](Facts &it) { it.hasWaits = true; }));
  EXPECT_FALSE(changed([](Facts &it) { it.hasWaits = true, it.sync.flights[it.at(0x12)]; })); // copies' waits were timed
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.needs.reset(); }));
  EXPECT_FALSE(changed([](Facts &it) { it.program.isHost = true; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.accesses.traffic.reset(); }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.balance.rows.clear(); }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.balance.blocks = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.launches.warpsLaunched = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.launches.durationNs = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.device.sms = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.plainNeeds->residentBlocks = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.device.limits.residentWarps = 0; }));
  EXPECT_FALSE(changed([](Facts &it) { it.kernel.device.architecture = "gfx90a"; }));
}

TEST(LocalMemoryFinder, SaysWhatIsKeptWhere) {
  Facts facts;
  facts.kernel.needs = format::KernelRecord{.registers = 64, .localBytes = 32};
  Explained found = facts.one(findLocalMemory);
  EXPECT_EQ(found.what, "each thread keeps 32 B in local memory");
  EXPECT_EQ(found.place, "");
  EXPECT_EQ(found.evidence, "64 registers and 32 B of local memory a thread");
  EXPECT_EQ(found.doubt, "with probes, which may have added that; --build and --run ask without");
  EXPECT_TRUE(found.why.starts_with("spilled registers, or arrays"));
  EXPECT_FALSE(found.gain.isKnown);
  facts.kernel.plainNeeds = format::KernelRecord{.registers = 255, .localBytes = 40};
  facts.region(0x21);
  found = facts.one(findLocalMemory);
  EXPECT_EQ(found.place, "dir/k.cu:12");
  EXPECT_EQ(found.evidence, "255 registers and 40 B of local memory a thread; with probes 64 and 32 B");
  EXPECT_EQ(found.doubt, "");
  EXPECT_TRUE(found.why.starts_with("it needs more registers than a thread can have"));
  facts.kernel.plainNeeds->registers = 254;
  EXPECT_TRUE(facts.one(findLocalMemory).why.starts_with("spilled registers, or arrays"));
  facts.kernel.plainNeeds->localBytes = 31; // ends of a kernel, which cost nothing
  EXPECT_TRUE(facts.all(findLocalMemory).empty());
  facts.kernel.needs.reset();
  facts.kernel.plainNeeds.reset();
  EXPECT_TRUE(facts.all(findLocalMemory).empty());
}

TEST(Roofline, HoldsTrafficAgainstTheDevice) {
  Facts facts = fewWarps();
  facts.kernel.device.limits.l2Bytes = 2048;
  facts.kernel.accesses.traffic = TrafficFacts{.bytes = 102400, .region = facts.at(0x21), .ofRegion = 25600, .footprint = 4096};
  facts.region(0x21).share = 40;
  auto roofline = rooflineOf(facts.kernel, facts.program);
  EXPECT_EQ(rooflineText(*roofline, true), "100.0 KiB in sectors, 10 GB/s, 10.2 % of device memory's 100 GB/s");
  EXPECT_EQ(rooflineText(*roofline, false),
            "100.0 KiB in sectors, 10 GB/s, 10.2 % of device memory's 100 GB/s; region 'load' moves 25 % of it in "
            "40 % of the time, 6.400 GB/s; it touches 4096.0 B, the L2 holds 2048.0 B");
  roofline->reuse = 2048;
  EXPECT_TRUE(rooflineText(*roofline, false).ends_with("; lines come back after 2048.0 B (median), within the L2's 2048.0 B"));
  roofline->reuse = 2049;
  EXPECT_TRUE(rooflineText(*roofline, false).ends_with("; lines come back after 2049.0 B (median), beyond the L2's 2048.0 B"));
  roofline->l2Bytes = 0;
  EXPECT_TRUE(rooflineText(*roofline, false).ends_with("in 40 % of the time, 6.400 GB/s"));
  roofline->peakBytesPerNs = roofline->bytesPerNs;
  EXPECT_NE(rooflineText(*roofline, true).find("100.0 % of device memory's 10 GB/s"), std::string::npos);
  roofline->peakBytesPerNs = 8;
  EXPECT_EQ(rooflineText(*roofline, true), "100.0 KiB in sectors, 10 GB/s, more than device memory's 8.000 GB/s: caches serve the rest");
  roofline->peakBytesPerNs = 0;
  EXPECT_EQ(rooflineText(*roofline, true), "100.0 KiB in sectors, 10 GB/s");
  roofline->bytesPerNs = 10;
  EXPECT_EQ(rooflineText(*roofline, true), "100.0 KiB in sectors, 10 GB/s");
  roofline->bytesPerNs = 9.5;
  EXPECT_EQ(rooflineText(*roofline, true), "100.0 KiB in sectors, 9.500 GB/s");
  facts.kernel.accesses.traffic->region = facts.at(0x20); // the kernel as a whole is no region to name
  facts.region(0x20);
  EXPECT_EQ(rooflineOf(facts.kernel, facts.program)->region, "");
  facts.kernel.launches.durationNs = 0;
  EXPECT_FALSE(rooflineOf(facts.kernel, facts.program));
  facts.kernel.launches.durationNs = 1;
  facts.kernel.accesses.traffic->bytes = 0;
  EXPECT_FALSE(rooflineOf(facts.kernel, facts.program));
}

} // namespace
} // namespace kperf::decoder
