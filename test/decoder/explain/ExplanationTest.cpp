// What of facts becomes findings, what is withheld, and how much is printed.
#include "decoder/explain/Explanation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kperf::decoder {
namespace {

ProgramFacts program() {
  ProgramFacts out;
  out.regions = std::make_shared<RegionSet>();
  out.device = "some GPU";
  out.clock = "GPU clock";
  out.traces = {"a.kperf"};
  return out;
}

/// A launch of 16 blocks on 8 multiprocessors, of 10 µs.
KernelFacts kernel(const std::string &name) {
  KernelFacts out{.name = name};
  out.device.name = "some GPU";
  out.launches.count = 1;
  out.launches.durationNs = 10000;
  out.device.sms = 8;
  out.recording.probeCost = 0;
  out.timeline = {.launches = 1, .blocks = 16, .duration = 10000, .even = 10000, .blockTime = 80000, .longest = 5000};
  out.timeline.maxAtOnce = 8;
  out.timeline.maxBlocks = 16;
  return out;
}

Explanation explained(std::vector<KernelFacts> kernels) {
  ProgramFacts facts = program();
  facts.kernels = std::move(kernels);
  return explain(std::move(facts));
}

TEST(Explanation, NothingStandsOut) {
  const Explanation out = explained({kernel("k")});
  ASSERT_EQ(out.kernels.size(), 1u);
  EXPECT_TRUE(out.kernels.front().findings.empty());
  EXPECT_NE(explanationText(out, 80, 40).find("nothing stands out"), std::string::npos);
}

TEST(Explanation, LaunchGaps) {
  KernelFacts facts = kernel("k");
  facts.timeline.launches = 100;
  facts.timeline.duration = facts.timeline.even = 200000;
  facts.timeline.gaps = 300000;
  facts.timeline.gapCount = 99;
  const Explanation out = explained({facts});
  ASSERT_EQ(out.kernels.front().findings.size(), 1u);
  const Explained &found = out.kernels.front().findings.front();
  EXPECT_EQ(found.rule, "launch-gaps");
  EXPECT_DOUBLE_EQ(found.gain.max, 60);
  EXPECT_DOUBLE_EQ(found.gain.min, 0);
}

TEST(Explanation, LastWaveIsWithheldWhereProbesCostMore) {
  KernelFacts facts = kernel("k");
  facts.timeline.even = 9000;
  facts.timeline.longest = 5000;
  ASSERT_EQ(explained({facts}).kernels.front().findings.front().rule, "last-wave");
  ProgramFacts measured = program();
  measured.measuredPercent = 30;
  measured.kernels = {facts};
  const Explanation out = explain(std::move(measured));
  EXPECT_TRUE(out.kernels.front().findings.empty());
  EXPECT_EQ(out.kernels.front().withheld.size(), 1u);
}

TEST(Explanation, IsNoSurerWhereNobodyKnowsWhatProbesCost) {
  KernelFacts facts = kernel("k");
  facts.timeline.even = 5000;
  const Gain known = explained({facts}).kernels.front().findings.front().gain;
  EXPECT_GT(known.min, 10);
  facts.recording.probeCost.reset();
  const Explanation out = explained({facts});
  const Gain unknown = out.kernels.front().findings.front().gain;
  EXPECT_DOUBLE_EQ(unknown.min, 0);
  EXPECT_LT(unknown.likely, known.likely);
  EXPECT_EQ(gainText(unknown), "25 % of the kernel (0 to 50 %), or nothing: what probes cost is not known, and may be all of it");
  EXPECT_NE(explanationJson(out).find("\"probes_percent\":null"), std::string::npos);
  ProgramFacts measured = program(); // all probes together are known to cost less
  measured.measuredPercent = 1;
  measured.kernels = {facts};
  EXPECT_DOUBLE_EQ(explain(std::move(measured)).kernels.front().findings.front().gain.min, known.min);
}

TEST(Explanation, ShortLaunchesTellNothing) {
  KernelFacts facts = kernel("k");
  facts.timeline.duration = 900;
  facts.timeline.even = 500;
  const Explanation out = explained({facts});
  EXPECT_TRUE(out.kernels.front().findings.empty());
  EXPECT_EQ(out.kernels.front().withheld.size(), 1u);
}

TEST(Explanation, TimesOfWhatNeverEndedTellNothing) {
  ProgramFacts stuck = program();
  KernelFacts facts = kernel("k");
  facts.timeline.even = 5000;
  facts.launches.warps = 2;
  facts.recording.unfinished = 1; // as where one left by exit
  stuck.kernels = {facts};
  EXPECT_EQ(explain(stuck).kernels.front().findings.size(), 1u);
  stuck.kernels.front().recording.unfinished = 2;
  Explanation out = explain(stuck);
  EXPECT_TRUE(out.kernels.front().findings.empty());
  ASSERT_EQ(out.kernels.front().withheld.size(), 1u);
  EXPECT_TRUE(out.kernels.front().withheld.front().ends_with("): warps of the kernel never ended")) << out.kernels.front().withheld.front();
  EXPECT_EQ(out.kernels.front().neverEnds, std::vector<std::string>{"none of its 2 warps had finished when it was last seen"});
  EXPECT_NE(explanationText(out, 80, 60).find("  how long it takes is not known, so nothing is said of its times\n"), std::string::npos);
  EXPECT_EQ(out.unknowns.front().what, "how long k takes: none of its 2 warps had finished when it was last seen");
}

TEST(Explanation, SmallGridsNeedNoTimes) {
  ProgramFacts counted = program();
  counted.hasSites = counted.hasSitesInTimes = true;
  counted.kernels = {kernel("k")};
  counted.kernels.front().timeline.maxBlocks = 2;
  counted.kernels.front().timeline.duration = 900;
  const Explanation out = explain(std::move(counted));
  ASSERT_EQ(out.kernels.front().findings.size(), 1u);
  EXPECT_EQ(out.kernels.front().findings.front().rule, "small-grid");
}

TEST(Explanation, SmallGridsNeedSmsThatSomebodyChose) {
  ProgramFacts host = program();
  host.isHost = host.areSmsInvented = true;
  host.kernels = {kernel("k")};
  host.kernels.front().timeline.maxBlocks = 2;
  const Explanation out = explain(std::move(host));
  EXPECT_TRUE(out.kernels.front().findings.empty());
  const auto isSaid = [](const Unknown &unknown) { return unknown.command.find("KPERF_HOST_SMS=N") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(out.unknowns, isSaid));
}

TEST(Explanation, SmallFindingsDoNotContradictThatNothingStandsOut) {
  KernelFacts facts = kernel("k");
  facts.timeline.even = 9600; // a tail of 4 %
  const Explanation out = explained({facts});
  ASSERT_TRUE(out.kernels.front().findings.empty());
  ASSERT_EQ(out.kernels.front().more.size(), 1u);
  const std::string text = explanationText(out, 200, 40);
  EXPECT_NE(text.find("nothing stands out: 1 finding is likely to gain less than 5 % of the kernel"), std::string::npos) << text;
  EXPECT_EQ(text.find("more finding"), std::string::npos) << text;
}

/// On the host target: what accesses of the kernel waste is known, what that costs is not.
Explanation wasteful(double ofTraffic, double ofUnit, bool isWhole = false) {
  static const format::SiteRecord record{};
  ProgramFacts facts = program();
  facts.isHost = facts.hasSites = facts.hasSitesInTimes = true;
  facts.clock = "virtual clock";
  facts.kernels = {{.name = "k"}};
  SiteFacts site{.fault = {.site = {&record, nullptr}, .rule = "mixed-access"}, .access = "in[i]", .place = "k.cu:5", .function = "k"};
  site.ofTraffic = ofTraffic;
  site.ofUnit = ofUnit;
  for (int line = 5; line < 10; ++line) {
    site.place = "k.cu:" + std::to_string(line);
    facts.kernels.front().accesses.sites.push_back(site);
  }
  return explain(std::move(facts), {.isWhole = isWhole});
}

TEST(Explanation, WhatIsLikelyOfAGainDismissesNothingWhereItIsNotKnown) {
  const Explanation out = wasteful(8.4, 23.6);
  EXPECT_EQ(out.kernels.front().findings.size(), 3u);
  EXPECT_EQ(out.kernels.front().more.size(), 2u);
  EXPECT_NE(explanationText(out, 200, 40).find("gain      not known here: 0 to 24 % of the kernel"), std::string::npos);
  EXPECT_EQ(wasteful(2, 5).kernels.front().findings.size(), 3u);
  EXPECT_EQ(wasteful(2, 4.9).kernels.front().findings.size(), 0u);
  EXPECT_NE(explanationText(wasteful(2, 4.9), 200, 40).find("5 findings are each likely to gain less than 5 %"), std::string::npos);
}

TEST(Explanation, IsWholeWhereThatIsWanted) {
  EXPECT_EQ(wasteful(8.4, 23.6, true).kernels.front().findings.size(), 5u);
  EXPECT_EQ(wasteful(2, 4.9, true).kernels.front().findings.size(), 5u); // though little is to be gained
  EXPECT_EQ(wasteful(2, 4.9, true).kernels.front().more.size(), 0u);
  ProgramFacts facts = program();
  facts.kernels.assign(10, kernel("k"));
  EXPECT_EQ(explain(facts).moreKernels, 2u);
  EXPECT_EQ(explain(facts, {.isWhole = true}).kernels.size(), 10u);
}

TEST(Explanation, ProbesOfMostOfTheTimeMustBeCalibrated) {
  std::vector<KernelFacts> kernels = {kernel("long"), kernel("short")};
  kernels[1].launches.durationNs = 100;
  kernels[0].recording.probeCost.reset();
  EXPECT_EQ(costText(explained(kernels)), "what probes cost was not measured");
  kernels[0].recording.probeCost = 10;
  EXPECT_NE(costText(explained(kernels)).find("probes took at least 9.9 %"), std::string::npos);
}

TEST(Explanation, TailsNeedEveryBlock) {
  KernelFacts facts = kernel("k");
  facts.timeline.even = 5000;
  facts.launches.warps = 40;
  facts.launches.warpsLaunched = 41;
  EXPECT_TRUE(explained({facts}).kernels.front().findings.empty());
  facts.launches.warpsLaunched = 40;
  EXPECT_FALSE(explained({facts}).kernels.front().findings.empty());
}

TEST(Explanation, TimesThatHoldTheCountingTellNothing) {
  ProgramFacts counted = program();
  counted.hasSites = counted.hasSitesInTimes = true;
  counted.kernels = {kernel("k")};
  counted.kernels.front().timeline.even = 5000;
  const Explanation out = explain(std::move(counted));
  EXPECT_TRUE(out.kernels.front().findings.empty());
  ASSERT_EQ(out.kernels.front().withheld.size(), 1u);
  EXPECT_NE(out.kernels.front().withheld.front().find("counting of memory accesses"), std::string::npos);
}

/// 100 blocks of 4 warps: the longest takes `times` what the others do, and is warp 0, or each in turn.
KernelFacts uneven(double times, bool isOneWarp) {
  KernelFacts facts = kernel("k");
  facts.timeline.maxAtOnce = 8;
  facts.balance.blocks = 100;
  facts.balance.warpsOfBlock = 4;
  BlockBalance::Row &row = facts.balance.rows[BlockBalance::kWholeLife];
  row.longest = 100000 * times;
  row.mean = 100000 * (3 + times) / 4;
  row.excess = row.longest - row.mean;
  facts.balance.life = row.longest;
  for (std::uint32_t warp = 0; warp < 4; ++warp)
    row.worst[warp] = isOneWarp ? (warp == 0 ? 100 : 0) : 25;
  return facts;
}

TEST(Explanation, WarpsThatEndApartByLuckAreNotSlow) {
  EXPECT_TRUE(explained({uneven(1.4, false)}).kernels.front().findings.empty());
  ASSERT_EQ(explained({uneven(1.4, true)}).kernels.front().findings.size(), 1u);
  ASSERT_EQ(explained({uneven(4, false)}).kernels.front().findings.size(), 1u);
  EXPECT_EQ(explained({uneven(4, false)}).kernels.front().findings.front().rule, "slow-warp");
}

TEST(Explanation, SlowWarpsMayBeTheProbesWhereTheirCostIsNotKnown) {
  KernelFacts facts = uneven(4, true);
  EXPECT_GT(explained({facts}).kernels.front().findings.front().gain.min, 5);
  facts.recording.probeCost.reset();
  const Explained found = explained({facts}).kernels.front().findings.front();
  EXPECT_EQ(found.rule, "slow-warp");
  EXPECT_DOUBLE_EQ(found.gain.min, 0);
  EXPECT_TRUE(found.gain.mayBeProbes);
}

/// What a launch of 8 multiprocessors loses at its end, of blocks (begin, end) in ns.
double lostOf(const std::vector<std::pair<std::uint64_t, std::uint64_t>> &blocks) {
  LaunchTimeline timeline;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    format::WarpHeader warp{};
    warp.block = i;
    warp.startNs = blocks[i].first;
    warp.endNs = blocks[i].second;
    warp.flags = format::kWarpFinished;
    timeline.add(0, 0, warp);
  }
  timeline.finish();
  return timeline.kernel(0).duration - timeline.kernel(0).even;
}

TEST(LaunchTimeline, LosesWhatIsMissingAtTheEndOnly) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
  for (std::uint64_t i = 0; i < 8; ++i)
    blocks.emplace_back(0, 1000);
  EXPECT_DOUBLE_EQ(lostOf(blocks), 0);
  blocks.emplace_back(1000, 2000); // one block more than fit
  EXPECT_NEAR(lostOf(blocks), 1000 * 7.0 / 8, 1);
  blocks.back().second = 11000; // that takes ten times as long
  EXPECT_NEAR(lostOf(blocks), 10000 * 7.0 / 8, 1);
}

TEST(LaunchTimeline, TimeBetweenBlocksIsNoEnd) {
  // Each multiprocessor idles for 500 ns between two blocks of 500 ns, at other times than the next one: all run at once only in one wave.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
  for (std::uint64_t wave = 0; wave < 50; ++wave)
    for (std::uint64_t sm = 0; sm < 8; ++sm) {
      const std::uint64_t begin = 1000 * wave + (wave == 3 ? 0 : 120 * sm);
      blocks.emplace_back(begin, begin + 500);
    }
  EXPECT_LT(lostOf(blocks), 1000);
}

TEST(Explanation, IsBoundedWhateverTheNames) {
  std::vector<KernelFacts> kernels;
  for (int i = 0; i < 50; ++i) {
    kernels.push_back(kernel("void kernel" + std::to_string(i) + "(" + std::string(3000, i % 2 ? '\x01' : '"') + ")"));
    kernels.back().timeline.even = 5000;
    kernels.back().timeline.maxBlocks = 4;
    kernels.back().recording.recordsKept = 50;
    kernels.back().accesses.traffic = TrafficFacts{.reads = 1, .bytes = 123456789, .footprint = 123456789, .reuse = 123456789};
    kernels.back().device.memoryBytesPerNs = kernels.back().device.limits.l2Bytes = 123456789;
    kernels.back().plainNeeds = format::KernelRecord{.localBytes = 1000};
  }
  const Explanation out = explained(std::move(kernels));
  EXPECT_LE(explanationJson(out).size(), 4096u);
  const std::string text = explanationText(out, 80, 40);
  EXPECT_LE(std::ranges::count(text, '\n'), 40);
  EXPECT_NE(text.find("more kernels: --kernel=GLOB"), std::string::npos);
}

} // namespace
} // namespace kperf::decoder
