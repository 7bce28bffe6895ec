// What an explanation says that it does not know, what it withholds, and what it says of times, probes and shapes.
#include "decoder/explain/Explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

/// A kernel of one launch of 10 µs and 16 blocks on 8 multiprocessors, of which a tail of half is lost, and a program of it alone.
ProgramFacts halfLost() {
  ProgramFacts out;
  out.regions = std::make_shared<RegionSet>();
  out.device = "some GPU";
  out.clock = "GPU clock";
  out.hasWaits = out.hasSites = true;
  out.measuredPercent = 0;
  KernelFacts kernel{.name = "walk"};
  kernel.launches.count = 1;
  kernel.launches.durationNs = 10000;
  kernel.device.sms = 8;
  kernel.recording.probeCost = 0;
  kernel.timeline = {.launches = 1, .blocks = 16, .duration = 10000, .even = 5000, .blockTime = 80000, .longest = 5000};
  kernel.timeline.maxAtOnce = 8;
  kernel.timeline.maxBlocks = 16;
  out.kernels = {kernel};
  return out;
}

template <typename Set> Explanation explainedWith(Set set) {
  ProgramFacts facts = halfLost();
  set(facts);
  return explain(std::move(facts));
}

/// "what (command)" of all that is not known, one a line.
template <typename Set> std::string unknowns(Set set) {
  std::string out;
  for (const Unknown &unknown : explainedWith(set).unknowns)
    out += unknown.what + " (" + unknown.command + ")\n";
  return out;
}

TEST(ExplanationUnknowns, NothingOfAWholeTrace) {
  EXPECT_EQ(unknowns([](ProgramFacts &) {}), "");
}

TEST(ExplanationUnknowns, OfOperationsWhereBytesAreKnown) {
  const auto moving = [](ProgramFacts &it) {
    it.kernels.resize(1);
    it.kernels.front().accesses.traffic = TrafficFacts{.bytes = 32};
    it.kernels.front().launches.durationNs = 1000;
  };
  EXPECT_NE(
      unknowns(moving).find("operations for each byte that is moved: how many there are is in the program (kperf explain TRACE MEMORY "
                            "--placement=PROGRAM)\n"),
      std::string::npos);
  const auto placed = [&](ProgramFacts &it) { moving(it), it.builds.hasPlacement = true; };
  EXPECT_EQ(unknowns(placed).find("operations"), std::string::npos);
}

TEST(ExplanationUnknowns, OfWhatWasNotRecorded) {
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.hasWaits = false; }),
            "who waits for whom, the critical path: no waits were recorded, or there are none (kperf-cc --probes=region,sync nvcc …)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.isReduced = true, it.hasWaits = false; }),
            "who waited for whom, tails of blocks: the trace is reduced (kperf explain of the trace that it was made from)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.hasSites = false; }),
            "what memory accesses waste: none were counted (kperf-cc --probes=memory nvcc …, then kperf explain TRACE MEMORY)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.builds.mixed = "2 builds"; }),
            "times of one build: these are sums over runs of 2 builds (kperf explain of one build's traces)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.builds.unusedTimes = 1; }),
            "times of 1 trace of a build without waits, which are not added to those with waits (kperf explain of it alone)\n");
  EXPECT_TRUE(unknowns([](ProgramFacts &it) { it.builds.unusedTimes = 2; }).starts_with("times of 2 traces of a build"));
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.hasSitesInTimes = true; }),
            "times without the counting of memory accesses, which costs more than all other probes (kperf explain with a second trace, "
            "built with --probes=region,sync)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.measuredPercent.reset(); }),
            "what the probes cost in all: here they are calibrated only (kperf explain --build=… --run=…)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.losses = {"a block"}; }), "what was lost: a block (kperf info)\n");
}

TEST(ExplanationUnknowns, OfTheHostTarget) {
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.isHost = it.isVirtual = true, it.measuredPercent.reset(); }),
            "times on a GPU: these are what operations are said to take (kperf-cc nvcc … on a machine with a GPU)\n");
  EXPECT_EQ(unknowns([](ProgramFacts &it) { it.isHost = true, it.hasSitesInTimes = true; }),
            "times on a GPU: these are the CPU's (kperf-cc nvcc … on a machine with a GPU)\n");
  EXPECT_TRUE(unknowns([](ProgramFacts &it) { it.isHost = it.isVirtual = true, it.hasWaits = false; }).contains("sync host …"));
  const std::string invented = unknowns([](ProgramFacts &it) {
    it.isHost = it.isVirtual = it.areSmsInvented = true;
    it.kernels.front().timeline.maxBlocks = 1;
  });
  EXPECT_TRUE(invented.starts_with("whether 1 block of walk leaves a GPU idle: the host target's 8 SMs are no GPU's (KPERF_HOST_SMS=N, as "
                                   "many as your GPU has)\n"));
  const auto asks = [](std::uint64_t blocks, std::uint64_t launches) {
    return unknowns([=](ProgramFacts &it) {
             it.isHost = it.isVirtual = it.areSmsInvented = true;
             it.kernels.front().timeline.maxBlocks = blocks;
             it.kernels.front().timeline.launches = launches;
           })
        .contains("blocks of walk leave a GPU idle");
  };
  EXPECT_TRUE(asks(7, 1));
  EXPECT_FALSE(asks(8, 1));
  EXPECT_FALSE(asks(7, 0));
}

TEST(ExplanationUnknowns, OfAKernel) {
  const auto of = [](auto set) { return unknowns([&](ProgramFacts &it) { set(it.kernels.front()); }); };
  EXPECT_EQ(of([](KernelFacts &it) { it.recording.recordsKept = 99.4; }),
            "all of walk: 99 % of its records were kept (KPERF_RECORDS=…, more than there were, when the program runs)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.recording.recordsKept = 99.4, it.recording.recordsNeeded = 32; }),
            "all of walk: 99 % of its records were kept (KPERF_RECORDS=32 when the program runs)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.recording.recordsKept = 99.5; }), "");
  EXPECT_EQ(of([](KernelFacts &it) { it.recording.roomFound = 31.9; }),
            "all of walk: 32 % of what was to be recorded found room (KPERF_BUFFER_MB=…)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.recording.samplingInterval = 2, it.launches.warpsLaunched = 1; }),
            "tails of walk: one block in 2 was recorded (KPERF_SAMPLE=1)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.launches.warps = 4, it.launches.warpsLaunched = 5; }),
            "all of walk: 4 of 5 warps were recorded (KPERF_BUFFER_MB=…)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.launches.warps = it.launches.warpsLaunched = 5; }), "");
  EXPECT_EQ(of([](KernelFacts &it) { it.unattributed = 50.5, it.outside = 51; }),
            "51 % of the warp-time of walk is in no region (KPERF_SCOPE, or kperf-cc --auto=loops,barriers)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.unattributed = 50, it.outside = 60; }), "");
  EXPECT_EQ(of([](KernelFacts &it) { it.launches.durationNs = 0; }),
            "how long walk takes: no warp of it was recorded (kperf-cc --auto=kernels nvcc …, then kperf explain TRACE MEMORY)\n");
  EXPECT_EQ(
      of([](KernelFacts &it) { it.accesses.hasCounters = true; }),
      "what the memory accesses of walk take: its launches that were timed and those that were counted differ in size, or are not known "
      "(both builds with the same input)\n");
  EXPECT_EQ(of([](KernelFacts &it) { it.accesses.hasCounters = true, it.accesses.scale = 1; }), "");
  EXPECT_EQ(of([](KernelFacts &it) { it.recording.isSummed = true; }),
            "tails of walk: its entries were summed up (kperf-cc without --aggregate)\n");
  static KernelSync sync;
  sync.blocks = 4;
  sync.incomplete = 1;
  EXPECT_EQ(of([](KernelFacts &it) { it.sync = &sync; }),
            "the critical path of walk: in 1 of 4 blocks it breaks (kperf overlap says where)\n");
  sync.incomplete = 0;
  EXPECT_EQ(of([](KernelFacts &it) { it.sync = &sync; }), "");
}

/// The only finding's reason to be withheld; "" where it is said.
template <typename Set> std::string withheld(Set set) {
  const Explanation out = explainedWith([&](ProgramFacts &it) { set(it, it.kernels.front()); });
  const KernelExplanation &kernel = out.kernels.front();
  EXPECT_EQ(kernel.findings.size() + kernel.withheld.size() + kernel.more.size(), 1u);
  return kernel.withheld.empty() ? "" : kernel.withheld.front().substr(kernel.withheld.front().find('('));
}

TEST(ExplanationWithholds, WhatProbesOrClocksMayHaveMade) {
  // The tail's gain is 50 % at most.
  EXPECT_EQ(withheld([](ProgramFacts &, KernelFacts &) {}), "");
  EXPECT_EQ(withheld([](ProgramFacts &it, KernelFacts &) { it.measuredPercent = 49.9; }), "");
  EXPECT_EQ(withheld([](ProgramFacts &it, KernelFacts &) { it.measuredPercent = 50; }),
            "(last-wave, up to 50 %): its probes may have made that");
  EXPECT_EQ(withheld([](ProgramFacts &, KernelFacts &it) { it.recording.probeCost = 49; }), ""); // 24.5 % of the kernel are in the half
  EXPECT_EQ(withheld([](ProgramFacts &, KernelFacts &it) { it.recording.probeCost = 50; }),
            "(last-wave, up to 50 %): its probes may have made that");
  EXPECT_EQ(withheld([](ProgramFacts &it, KernelFacts &) { it.clock = "wall clock"; }),
            "(last-wave): the CPU's times tell nothing of a GPU's, where it would show");
  EXPECT_EQ(withheld([](ProgramFacts &it, KernelFacts &) { it.hasSitesInTimes = true; }),
            "(last-wave): its times hold the counting of memory accesses");
  EXPECT_EQ(
      withheld([](ProgramFacts &, KernelFacts &it) { it.timeline.duration = 999, it.timeline.even = 499.5, it.timeline.blockTime = 5e4; }),
      "(tail-block): its launches take less than 1 µs each, and to start one takes longer: with a larger input times tell more");
  EXPECT_EQ(withheld([](ProgramFacts &, KernelFacts &it) { it.timeline.duration = 1000, it.timeline.even = 500; }), "");
}

TEST(Explanation, GainsOfFivePercentAreWorthSaying) {
  const auto smaller = [](double even) {
    return explainedWith([&](ProgramFacts &it) { it.kernels.front().timeline.even = even; }).kernels.front().more.size();
  };
  EXPECT_EQ(smaller(9340), 1u); // three quarters of 6.6 %
  EXPECT_EQ(smaller(9330), 0u);
  EXPECT_EQ(smaller(10000), 0u); // none
}

TEST(Explanation, FindingsAreSaidByGainThreeOfAKernel) {
  const Explanation out = explainedWith([](ProgramFacts &it) {
    KernelFacts &kernel = it.kernels.front();
    kernel.device.sms = 64; // small-grid: 16 of 64, 37.5 % likely, as likely as the tail's
    kernel.timeline.gapCount = 8;
    kernel.timeline.gaps = 190000;                                              // 95 %, 47.5 % likely
    kernel.plainNeeds = format::KernelRecord{.registers = 9, .localBytes = 64}; // of a gain that is not known
    kernel.timeline.even = 4000;                                                // 60 %, 45 % likely
  });
  std::vector<std::string> rules;
  for (const Explained &found : out.kernels.front().findings)
    rules.push_back(found.rule);
  EXPECT_EQ(rules, (std::vector<std::string>{"launch-gaps", "last-wave", "small-grid"}));
  EXPECT_EQ(out.kernels.front().more.size(), 1u);
}

TEST(Explanation, SaysHowLaunchesLook) {
  const auto shape = [](auto set) { return explainedWith([&](ProgramFacts &it) { set(it.kernels.front()); }).kernels.front().shape; };
  const auto sizes = [](KernelFacts &it) {
    for (unsigned i = 0; i < 3; ++i) {
      it.launches.grid[i] = i + 1;
      it.launches.block[i] = i + 4;
    }
  };
  EXPECT_EQ(shape(sizes), "1 launch, grid 1x2x3, block 4x5x6");
  EXPECT_EQ(shape([&](KernelFacts &it) {
              sizes(it);
              it.launches.count = 2;
              it.launches.gridVaries = true;
              it.needs = format::KernelRecord{.registers = 32, .localBytes = 8, .residentBlocks = 1};
            }),
            "2 launches, grid various, block 4x5x6, 32 registers, 8 B local, 1 block an SM (with probes)");
  EXPECT_EQ(shape([&](KernelFacts &it) {
              sizes(it);
              it.needs = format::KernelRecord{.registers = 32, .localBytes = 8, .residentBlocks = 1};
              it.plainNeeds = format::KernelRecord{.registers = 30, .localBytes = 0, .residentBlocks = 2};
            }),
            "1 launch, grid 1x2x3, block 4x5x6, 30 registers, 0 B local, 2 blocks an SM");
  EXPECT_EQ(shape([](KernelFacts &it) { it.launches.count = 0, it.launches.durationNs = 0; }), "its time was not recorded");
  EXPECT_EQ(shape([](KernelFacts &it) { it.launches.durationNs = 0; }), "1 launch, grid 0x0x0, block 0x0x0");
}

TEST(Explanation, SaysWhatProbesCost) {
  EXPECT_EQ(costText(explainedWith([](ProgramFacts &it) { it.measuredPercent = 2.5; })),
            "probes cost +2.5 % (measured against the program without them)");
  const auto cost = [](double known, double unknown) { // 10 % of a kernel of `known` ns
    return costText(explainedWith([&](ProgramFacts &it) {
      it.measuredPercent.reset();
      it.kernels.push_back(it.kernels.front());
      it.kernels[0].launches.durationNs = known;
      it.kernels[0].recording.probeCost = 10;
      it.kernels[1].launches.durationNs = unknown;
      it.kernels[1].recording.probeCost.reset();
    }));
  };
  EXPECT_EQ(cost(90, 10), "probes took at least 10.0 % of the time (calibrated: records alone)"); // nine tenths are known
  EXPECT_EQ(cost(89, 11), "what probes cost was not measured");
  EXPECT_EQ(cost(0, 0), "what probes cost was not measured");
  EXPECT_EQ(costText(explainedWith([](ProgramFacts &it) { it.measuredPercent.reset(), it.hasSitesInTimes = true; })),
            "probes took at least 0.0 % of the time (calibrated: records alone, without those of memory accesses)");
  const auto onTheHost = [](bool isVirtual) {
    return costText(explainedWith([&](ProgramFacts &it) {
      it.measuredPercent.reset();
      it.hasSitesInTimes = it.isHost = true;
      it.isVirtual = isVirtual;
    }));
  };
  EXPECT_EQ(onTheHost(false), "probes took 0.0 % of the time (calibrated, without those of memory accesses)");
  EXPECT_EQ(onTheHost(true), "probes took 0.0 % of the time (calibrated)"); // that clock stands still meanwhile
}

TEST(Explanation, SaysLastWhatIsNotKnownOfShortKernels) {
  const auto unknowns = [](double share) {
    return explainedWith([&](ProgramFacts &it) {
             it.kernels.front().recording.recordsKept = 50;
             KernelFacts shorter = it.kernels.front();
             it.kernels.front().launches.durationNs = 100 - share;
             shorter.name = "shorter";
             shorter.launches.durationNs = share;
             it.kernels.push_back(shorter);
             it.hasWaits = false;
           })
        .unknowns;
  };
  const auto isLast = [](const std::vector<Unknown> &all) { return all.back().what.starts_with("all of shorter"); };
  EXPECT_FALSE(isLast(unknowns(1)));
  EXPECT_TRUE(isLast(unknowns(0.5)));
  EXPECT_EQ(unknowns(1).size(), unknowns(0.5).size());
  EXPECT_FALSE(isLast(unknowns(0))); // how long it takes is not known
}

TEST(Explanation, SaysWhatWasRecordedByWhichClock) {
  ProgramFacts facts = halfLost();
  EXPECT_EQ(recordedText(facts), "waits, memory accesses");
  facts.kernels.front().regions.resize(1);
  EXPECT_EQ(recordedText(facts), "regions, waits, memory accesses");
  facts.kernels.push_back({}); // one without regions does not change that
  EXPECT_EQ(recordedText(facts), "regions, waits, memory accesses");
  facts.hasWaits = facts.hasSites = false;
  EXPECT_EQ(recordedText(facts), "regions");
  facts.kernels.clear();
  EXPECT_EQ(recordedText(facts), "launches only");
  EXPECT_EQ(clockText(facts), "some GPU, GPU clock");
  facts.device = "";
  EXPECT_EQ(clockText(facts), "GPU, GPU clock");
  facts.isHost = true;
  EXPECT_EQ(clockText(facts), "host target, GPU clock");
}

TEST(Explanation, EightKernelsAreExplainedAndTheOthersCounted) {
  const auto of = [](std::size_t count) { return explainedWith([=](ProgramFacts &it) { it.kernels.assign(count, it.kernels.front()); }); };
  EXPECT_EQ(of(8).kernels.size(), 8u);
  EXPECT_EQ(of(8).moreKernels, 0u);
  EXPECT_EQ(of(10).kernels.size(), 8u);
  EXPECT_EQ(of(10).moreKernels, 2u);
  EXPECT_DOUBLE_EQ(of(10).kernels.front().share, 10);
  EXPECT_DOUBLE_EQ(explainedWith([](ProgramFacts &it) { it.kernels.front().launches.durationNs = 0; }).kernels.front().share, 0);
}

TEST(Explanation, IsATableForPages) {
  const Explanation out = explainedWith([](ProgramFacts &it) { it.losses = {"a block"}; });
  const Table table = explanationTable(out);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows.front().size(), table.columns.size());
  EXPECT_EQ(table.notes,
            (std::vector<std::string>{"some GPU, GPU clock; recorded: waits, memory accesses; probes cost +0.0 % (measured against "
                                      "the program without them)",
                                      "not known: what was lost: a block (kperf info)"}));
  const Explanation nothing = explainedWith([](ProgramFacts &it) { it.kernels.front().timeline.even = 10000; });
  EXPECT_EQ(explanationTable(nothing).notes.back(), "nothing stands out");
}

} // namespace
} // namespace kperf::decoder
