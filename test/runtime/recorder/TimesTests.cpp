// What launches took with probes and without: what the trace says of it, and what is made of many times.
#include "test/runtime/RecorderFixture.h"

#include "decoder/plan/KernelCost.h"
#include "decoder/totals/LaunchTimes.h"
#include "runtime/file/TimeTable.h"
#include "runtime/recorder/OverheadBudget.h"

#include <cmath>
#include <vector>

namespace kperf::test {
namespace {

TEST(TimesOf, AFifthOnEitherSideDoesNotCount) {
  std::vector<std::uint64_t> ns = {4, 100, 2, 1, 3};
  const format::LaunchTimesRecord five = runtime::timesOf(ns);
  EXPECT_EQ(five.launches, 5u);
  EXPECT_EQ(five.totalNs, 110u);
  EXPECT_DOUBLE_EQ(five.middleNs, 3);                 // of 2, 3 and 4
  EXPECT_DOUBLE_EQ(five.errorNs, std::sqrt(4 / 6.0)); // 2, 2, 3, 4, 4: squares of 4 about 3
  ns = {10, 20, 60, 110};                             // fewer than five: all of them count
  EXPECT_DOUBLE_EQ(runtime::timesOf(ns).middleNs, 50);
  EXPECT_DOUBLE_EQ(runtime::timesOf(ns).errorNs, std::sqrt((1600 + 900 + 100 + 3600) / 12.0));
  ns = {7};
  EXPECT_DOUBLE_EQ(runtime::timesOf(ns).middleNs, 7);
  EXPECT_DOUBLE_EQ(runtime::timesOf(ns).errorNs, 0);
}

class TimesTest : public RecorderTest {
protected:
  bool make(Recorder &recorder, std::uint64_t plainNs, std::uint64_t probesNs, std::uint32_t blocks = 2) {
    const kperf_launch made{7, "_Z4gemmv", &kRegions, {blocks, 1, 1}, {64, 1, 1}, 16, 0, KPERF_PLAIN_TOO};
    FakeGpu::now += 1000;
    const bool isRecorded = recorder.beforeLaunch(module, made);
    FakeGpu::now += plainNs + (isRecorded ? probesNs : 0);
    recorder.afterLaunch(module, made);
    return isRecorded;
  }
  std::vector<format::LaunchTimesRecord> timesIn(const decoder::Trace &trace) {
    struct : decoder::TraceVisitor {
      std::vector<format::LaunchTimesRecord> all;
      void launchTimes(std::span<const format::LaunchTimesRecord> rows) override { all.insert(all.end(), rows.begin(), rows.end()); }
    } found;
    EXPECT_TRUE(trace.visit(found).has_value());
    return found.all;
  }
};

/// The first launch of each kind may wait for its code: here it takes a second.
TEST_F(TimesTest, OfBothKindsByWhatMakesLaunchesAlike) {
  environment.timesLaunches = true;
  environment.sampleLaunches = 2;
  Recorder recorder(environment);
  recorder.add(module);
  bool seen[2] = {};
  for (int i = 0; i < 40; ++i) { // of each two in a row one is recorded
    const bool isFirst = !seen[0] || !seen[1];
    seen[make(recorder, isFirst ? 1000000000 : 1000, 230)] = true;
  }
  make(recorder, 5000, 0, 9);
  recorder.finish();
  const decoder::Trace trace = open();
  const auto rows = timesIn(trace);
  ASSERT_EQ(rows.size(), 3u);
  std::uint64_t launches[2] = {};
  for (const format::LaunchTimesRecord &row : rows) {
    EXPECT_EQ(trace.string(row.kernel), "gemm()");
    EXPECT_EQ(row.block[0], 64u);
    EXPECT_EQ(row.dynamicSharedBytes, 16u);
    EXPECT_EQ(row.run, 0u);
    const bool isPlain = (row.flags & format::kTimesPlain) != 0;
    if (row.grid[0] == 9) {
      EXPECT_EQ(row.launches, 1u);
      continue;
    }
    EXPECT_DOUBLE_EQ(row.middleNs, isPlain ? 1000 : 1230);
    launches[isPlain] += row.launches;
  }
  EXPECT_GE(launches[0], 18u);
  EXPECT_GE(launches[1], 18u);
  decoder::LaunchTimes times;
  ASSERT_TRUE(times.add(trace).has_value());
  const auto measured = times.of("gemm");
  ASSERT_TRUE(measured.has_value());
  EXPECT_NEAR(measured->percent, 23, 1e-9);
  EXPECT_TRUE(measured->isOfOneRun);
}

TEST_F(TimesTest, AFirstLaunchCountsWhereThereIsNoOther) {
  environment.timesLaunches = true;
  Recorder recorder(environment);
  recorder.add(module);
  make(recorder, 700, 50);
  recorder.finish();
  const auto rows = timesIn(open());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows[0].middleNs, 750);
  EXPECT_EQ(rows[0].flags, 0u);
}

TEST_F(TimesTest, ThoseOfABudgetAreKeptToo) {
  environment.overheadBudget = 0.02;
  Recorder recorder(environment);
  recorder.add(module);
  for (int i = 0; i < 5000; ++i)
    make(recorder, 100000, 30000);
  recorder.finish();
  const decoder::Trace trace = open();
  std::uint64_t timed[2] = {};
  for (const format::LaunchTimesRecord &row : timesIn(trace)) {
    const bool isPlain = (row.flags & format::kTimesPlain) != 0;
    timed[isPlain] += row.launches;
    EXPECT_DOUBLE_EQ(row.middleNs, isPlain ? 100000 : 130000);
  }
  EXPECT_GE(timed[0], 10u);
  EXPECT_GE(timed[1], 10u);
}

/// What a plan says of launches that a budget chooses is what the runtime's choice comes to.
TEST(ChosenPercent, IsWhatABudgetLeavesOfLaunches) {
  for (const double percent : {0.5, 3.0, 12.0, 60.0, 100.0})
    for (const unsigned launches : {1u, 2u, 9u, 25u, 64u, 256u, 1000u, 20000u}) {
      runtime::OverheadBudget budget(0.02, /*timingNs=*/1);
      double recorded = 0;
      for (unsigned i = 0; i < launches; ++i) {
        const auto choice = budget.choose(0);
        recorded += choice.isRecorded;
        if (choice.isTimed)
          budget.add(0, choice.isRecorded, choice.isRecorded ? 1e6 * (1 + percent / 100) : 1e6);
      }
      const double added = percent * recorded / launches, said = decoder::chosenPercent(percent, 2, launches, 0);
      EXPECT_NEAR(said, added, std::max(0.4, 0.35 * added)) << percent << " % in " << launches << " launches";
    }
}

} // namespace
} // namespace kperf::test
