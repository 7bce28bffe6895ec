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
  KernelFacts out{.name = name, .device = "some GPU"};
  out.launches = 1;
  out.durationNs = 10000;
  out.sms = 8;
  out.timeline = {.launches = 1, .blocks = 16, .duration = 10000, .even = 10000, .blockTime = 80000, .longest = 5000};
  out.timeline.mostAtOnce = 8;
  out.timeline.mostBlocks = out.timeline.leastBlocks = 16;
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
  EXPECT_DOUBLE_EQ(found.gain.most, 60);
  EXPECT_DOUBLE_EQ(found.gain.least, 0);
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

TEST(Explanation, ShortLaunchesTellNothing) {
  KernelFacts facts = kernel("k");
  facts.timeline.duration = 900;
  facts.timeline.even = 500;
  const Explanation out = explained({facts});
  EXPECT_TRUE(out.kernels.front().findings.empty());
  EXPECT_EQ(out.kernels.front().withheld.size(), 1u);
}

TEST(Explanation, IsBoundedWhateverTheNames) {
  std::vector<KernelFacts> kernels;
  for (int i = 0; i < 50; ++i) {
    kernels.push_back(kernel("void kernel" + std::to_string(i) + "(" + std::string(3000, i % 2 ? '\x01' : '"') + ")"));
    kernels.back().timeline.even = 5000;
    kernels.back().timeline.mostBlocks = 4;
    kernels.back().recordsKept = 50;
  }
  const Explanation out = explained(std::move(kernels));
  EXPECT_LE(explanationJson(out).size(), 4096u);
  const std::string text = explanationText(out, 80, 40);
  EXPECT_LE(std::ranges::count(text, '\n'), 40);
  EXPECT_NE(text.find("more kernels: --kernel=GLOB"), std::string::npos);
}

} // namespace
} // namespace kperf::decoder
