// Launches that KPERF_OVERHEAD_BUDGET chooses from: those of a program, and what the trace has of them.
#include "test/runtime/RecorderFixture.h"

#include "decoder/span/RegionSet.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/totals/LaunchWeights.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

namespace kperf::test {
namespace {

class BudgetTest : public RecorderTest {
protected:
  /// A launch of one block on a device that does one thing at a time. Whether it was recorded.
  bool make(Recorder &recorder, const char *kernel, std::uint64_t plainNs, std::uint64_t probesNs, uint32_t flags = 0,
            uint32_t hasPlain = KPERF_PLAIN_TOO) {
    const kperf_launch made{7, kernel, nullptr, {1, 1, 1}, {64, 1, 1}, 0, flags, hasPlain};
    const bool isRecorded = recorder.beforeLaunch(module, made);
    FakeGpu::now += plainNs + (isRecorded ? probesNs : 0);
    recorder.afterLaunch(module, made);
    return isRecorded;
  }
};

TEST_F(BudgetTest, EachThousandLaunchesKeepItAndTheTraceSaysHowEachWasChosen) {
  environment.overheadBudget = 0.02;
  Recorder recorder(environment);
  recorder.add(module);
  for (int thousand = 0; thousand < 10; ++thousand) {
    double plain = 0, probes = 0;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t ns = i % 2 ? 400000 : thousand < 5 ? 100000 : 300000;
      const std::uint64_t more = i % 2 ? (thousand < 5 ? 100000 : 400000) : 90000;
      plain += static_cast<double>(ns);
      probes += make(recorder, i % 2 ? "_Z1bv" : "_Z1av", ns, more) ? static_cast<double>(more) : 0;
    }
    EXPECT_NEAR(100 * probes / plain, 2, 0.5) << thousand;
  }
  recorder.finish();
  const decoder::Trace trace = open();
  const Contents contents = read(trace);
  ASSERT_EQ(contents.launchRecords.size(), 10000u);
  std::map<std::pair<std::string, uint32_t>, std::pair<unsigned, unsigned>> ofEach; ///< by kernel and N: launches, and those recorded
  for (const format::LaunchRecord &row : contents.launchRecords) {
    auto &[all, recorded] = ofEach[{std::string(trace.string(row.kernel)), row.flags >> format::kLaunchOneInShift}];
    ++all;
    recorded += (row.flags & format::kLaunchPlain) == 0;
  }
  for (const auto &[key, counts] : ofEach) {
    ASSERT_GE(key.second, 1u);
    EXPECT_NEAR(counts.second, static_cast<double>(counts.first) / key.second, 1) << key.first << " 1 in " << key.second;
  }
  EXPECT_GE(ofEach.size(), 6u);
}

TEST_F(BudgetTest, WhatIsReadBackOfAllLaunchesIsWhatTheyDid) {
  environment.overheadBudget = 0.02;
  environment.bufferBytes = 1 << 24;
  Recorder recorder(environment);
  recorder.add(module);
  double cycles = 0;
  for (std::uint64_t grid = 1; grid <= 8000; ++grid) {
    const std::uint64_t ns = (grid < 3000 ? 20000 : 90000) + grid * 7919 % 1000;
    cycles += static_cast<double>(ns);
    if (!make(recorder, "_Z4gemmv", ns, 10000))
      continue;
    for (uint32_t index = 0; index < 2; ++index) {
      format::WarpHeader *warp = FakeGpu::takeSlot(0, static_cast<uint32_t>(grid) % FakeGpu::config.part_count);
      ASSERT_NE(warp, nullptr);
      warp->gridId = grid, warp->kernel = 0x11, warp->warp = index;
      warp->gridX = warp->gridY = warp->gridZ = warp->blockY = warp->blockZ = 1, warp->blockX = 64;
      warp->startCycles = warp->startNs = 1000, warp->endCycles = warp->endNs = 1000 + ns;
      warp->flags = format::kWarpFinished;
    }
  }
  recorder.finish();
  std::vector<decoder::Trace> traces;
  traces.push_back(open());
  decoder::RegionSet regions;
  decoder::TotalsSink totals(regions, "", false);
  decoder::LaunchWeights weights;
  ASSERT_TRUE(decoder::decodeTotals(traces, regions, totals, &weights).has_value());
  EXPECT_TRUE(weights.areKnownOf("gemm"));
  ASSERT_EQ(totals.kernels().size(), 1u);
  EXPECT_EQ(totals.launches().group(0).launches, 8000u);
  EXPECT_EQ(totals.launches().group(0).warpsLaunched, 16000u);
  EXPECT_NEAR(static_cast<double>(totals.kernels()[0].warps), 16000, 1);
  EXPECT_NEAR(static_cast<double>(totals.kernels()[0].cycles), 2 * cycles, 0.01 * 2 * cycles);
  EXPECT_NEAR(totals.launches().group(0).durationNs, cycles, 0.01 * cycles);
}

TEST_F(BudgetTest, NobodyWaitsForTimes) {
  environment.overheadBudget = 0.02;
  FakeGpu::areEventsOver = false;
  Recorder recorder(environment);
  recorder.add(module);
  int recorded = 0;
  for (int i = 0; i < 100000; ++i)
    recorded += make(recorder, i % 2 ? "_Z1bv" : "_Z1av", 100000, 100000);
  EXPECT_LE(FakeGpu::eventsMade, 2 * 64u);
  EXPECT_NEAR(recorded, 2000, 200); // as if probes doubled the time
  FakeGpu::areEventsOver = true;
  for (int i = 0; i < 10000; ++i)
    make(recorder, "_Z1av", 300000, 30000);
  recorded = 0;
  for (int i = 0; i < 10000; ++i)
    recorded += make(recorder, "_Z1av", 300000, 30000);
  EXPECT_NEAR(recorded, 2000, 400); // 2 % of 300 us are a fifth of 30 us
}

TEST_F(BudgetTest, OfMoreLaunchesThanTheListHoldsItHasThoseThatAreRecorded) {
  environment.overheadBudget = 0.02;
  Recorder recorder(environment);
  recorder.add(module);
  constexpr unsigned kLaunches = 1'100'000;
  unsigned recorded = 0;
  for (unsigned i = 0; i < kLaunches; ++i)
    recorded += make(recorder, "_Z1av", 100000, 50000);
  recorder.finish();
  const Contents contents = read(open());
  EXPECT_EQ(std::ranges::count_if(contents.launchRecords, [](const auto &row) { return (row.flags & format::kLaunchPlain) == 0; }),
            recorded);
  const auto unlisted = std::ranges::find(contents.lossRecords, format::LossKind::LaunchesUnlisted, &format::LossRecord::kind);
  ASSERT_NE(unlisted, contents.lossRecords.end());
  EXPECT_EQ(unlisted->count + contents.launchRecords.size(), kLaunches);
}

TEST_F(BudgetTest, LaunchesThatLeaveNoChoiceAreRecordedAndThatIsSaidOnce) {
  environment.overheadBudget = 0.02;
  Recorder recorder(environment);
  recorder.add(module);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(make(recorder, "_Z1kv", 100, 100, 0, 0));
    EXPECT_TRUE(make(recorder, "_Z1cv", 100, 100, format::kLaunchCaptured));
    EXPECT_FALSE(make(recorder, "_Z1pv", 100, 100, 0, KPERF_PLAIN_ONLY));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "kperf: KPERF_OVERHEAD_BUDGET is not heeded for kernels that the program has in one version only, "
            "such as k(): kperf-cc nvcc makes two\n");
  EXPECT_EQ(FakeGpu::eventsMade, 0u);
  recorder.finish();
  for (const format::LaunchRecord &row : read(open()).launchRecords)
    EXPECT_EQ(row.flags >> format::kLaunchOneInShift, 0u);
}

TEST_F(BudgetTest, HowItWasKeptIsSaidAtTheEnd) {
  const auto saidOf = [&](double budget, std::uint64_t probesNs, bool quiet) {
    environment.overheadBudget = budget;
    environment.quiet = quiet;
    Recorder recorder(environment);
    recorder.add(module);
    for (int i = 0; i < 5000; ++i)
      make(recorder, "_Z1av", 100000, probesNs);
    testing::internal::CaptureStderr();
    recorder.finish();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(saidOf(0.02, 100000, true), "");
  const std::string kept = saidOf(0.02, 100000, false);
  EXPECT_NE(kept.find(" % of the time of launches, by those that were timed (KPERF_OVERHEAD_BUDGET=2%)"), std::string::npos) << kept;
  const std::string exceeded = saidOf(0.0001, 1000000, true);
  EXPECT_NE(exceeded.find("KPERF_OVERHEAD_BUDGET=0.01% is too little to record 1 launch in 1024 of each kernel"), std::string::npos)
      << exceeded;
}

TEST_F(BudgetTest, GridsOfOtherSizesAreOtherKernelsToIt) {
  environment.overheadBudget = 0.02;
  Recorder recorder(environment);
  recorder.add(module);
  unsigned recorded[2] = {};
  for (int i = 0; i < 20000; ++i) {
    const bool isLarge = i % 2;
    const kperf_launch made{7, "_Z1kv", nullptr, {isLarge ? 4096u : 8u, 1, 1}, {64, 1, 1}, 0, 0, KPERF_PLAIN_TOO};
    const bool isRecorded = recorder.beforeLaunch(module, made);
    FakeGpu::now += isLarge ? 600000 + isRecorded * 60000 : 150000 + isRecorded * 150000;
    recorder.afterLaunch(module, made);
    recorded[isLarge] += isRecorded;
  }
  EXPECT_NEAR(recorded[1], 10000 * 0.02 * 10, 400);
  EXPECT_NEAR(recorded[0], 10000 * 0.02, 40);
}

TEST(BudgetSettingTest, APercentageIsReadAndWhatIsNoneIsSaid) {
  const auto read = [](const char *text) {
    setenv("KPERF_OVERHEAD_BUDGET", text, 1);
    testing::internal::CaptureStderr();
    const double budget = Environment::read().overheadBudget;
    unsetenv("KPERF_OVERHEAD_BUDGET");
    return std::pair(budget, testing::internal::GetCapturedStderr());
  };
  EXPECT_EQ(read("2%"), std::pair(0.02, std::string()));
  EXPECT_EQ(read("0.5").first, 0.005);
  for (const char *text : {"%", "0", "-1", "101%", "2%%", "two", "nan"}) {
    EXPECT_EQ(read(text).first, 0);
    EXPECT_NE(read(text).second.find("expected a percentage above 0 and up to 100, such as 2%; it is not heeded"), std::string::npos)
        << text;
  }
  setenv("KPERF_SAMPLE_LAUNCHES", "8", 1);
  EXPECT_EQ(read("2%"),
            std::pair(0.0, std::string("kperf: KPERF_OVERHEAD_BUDGET is not heeded beside KPERF_SAMPLE_LAUNCHES; unset one of them\n")));
  unsetenv("KPERF_SAMPLE_LAUNCHES");
}

} // namespace
} // namespace kperf::test
