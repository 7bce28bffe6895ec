// By how much launches were slower with probes: of times whose ratio and interval are known.
#include "decoder/totals/LaunchTimes.h"
#include "decoder/text/Pack.h"
#include "decoder/totals/Student.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace kperf::decoder {
namespace {

constexpr const char *kHead = R"x(kperf 1.22
device 0 name="GPU"
region 0x20 kernel "ns::walk" function="ns::walk" file="k.cu" line=1
)x";

Trace traceOf(const std::string &rows, const char *head = kHead) {
  auto bytes = packText(head + rows, "text");
  EXPECT_TRUE(bytes) << bytes.error().text();
  auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
  EXPECT_TRUE(trace) << trace.error().text();
  return std::move(*trace);
}

/// A row of the kernel's times.
std::string row(unsigned launches, double middle, double error, bool isPlain, const std::string &more = "",
                const std::string &kernel = "void ns::walk(float*)") {
  return "times \"" + kernel + "\" launches=" + std::to_string(launches) + " total=1 middle=" + std::to_string(middle) +
         " error=" + std::to_string(error) + (isPlain ? " flags=plain" : "") + " " + more + "\n";
}

std::optional<MeasuredOverhead> measured(const std::vector<std::string> &runs, const std::string &kernel = "ns::walk") {
  LaunchTimes times;
  for (const std::string &each : runs)
    EXPECT_TRUE(times.add(traceOf(each)));
  return times.of(kernel);
}

TEST(LaunchTimes, OfOneRunHaveTheirIntervalByTheTimes) {
  const auto found = measured({row(50, 1230, 3, false) + row(100, 1000, 4, true)});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->percent, 23, 1e-9);
  EXPECT_EQ(found->probed, 50u);
  EXPECT_EQ(found->plain, 100u);
  EXPECT_DOUBLE_EQ(found->plainNs, 1000);
  EXPECT_TRUE(found->isOfOneRun);
  ASSERT_TRUE(found->interval);
  // 50 launches without two fifths are 30, of which 29 are free.
  const double factor = std::exp(studentFactor(29) * std::hypot(3, 4 * 1.23) / 1230);
  EXPECT_NEAR(found->interval->first, 100 * (1.23 / factor - 1), 1e-9);
  EXPECT_NEAR(found->interval->second, 100 * (1.23 * factor - 1), 1e-9);
}

TEST(LaunchTimes, OfFewLaunchesOrOfOneKindSayNothing) {
  EXPECT_TRUE(measured({row(3, 1100, 1, false) + row(3, 1000, 1, true)}));
  EXPECT_FALSE(measured({row(2, 1100, 1, false) + row(3, 1000, 1, true)}));
  EXPECT_FALSE(measured({row(3, 1100, 1, false) + row(2, 1000, 1, true)}));
  EXPECT_FALSE(measured({row(30, 1100, 1, false)}));
  EXPECT_FALSE(measured({row(30, 1100, 1, true)}));
  EXPECT_FALSE(measured({}));
}

TEST(LaunchTimes, AreComparedGridByGrid) {
  const std::string small = "grid=2x1x1", large = "grid=90x1x1";
  const auto found = measured(
      {row(50, 200, 1, false, small) + row(50, 100, 1, true, small) + row(10, 11000, 1, false, large) + row(10, 10000, 1, true, large)});
  ASSERT_TRUE(found); // 100 launches of 100 ns and 20 of 10000, by kinds alike
  EXPECT_NEAR(found->percent, 100 * ((100 * 200 + 20 * 11000) / (100 * 100 + 20 * 10000.0) - 1), 1e-9);
  // Launches with probes of one grid and without of another say nothing of each other.
  EXPECT_FALSE(measured({row(50, 200, 1, false, small) + row(50, 100, 1, true, large)}));
  // Nor where most ran in grids that have one kind alone.
  EXPECT_FALSE(measured({row(5, 200, 1, false, small) + row(5, 100, 1, true, small) + row(50, 100, 1, true, large)}));
}

/// The second run is slower as a whole, and has another share of its launches with probes: each run counts alike on both sides.
TEST(LaunchTimes, OfRunsWithBothKindsDoNotMixUpRuns) {
  const auto found = measured({row(40, 1100, 1, false) + row(10, 1000, 1, true), row(10, 2200, 1, false) + row(40, 2000, 1, true)});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->percent, 10, 1e-9);
  EXPECT_TRUE(found->isOfOneRun);
  // A run of one kind does not count beside them.
  EXPECT_NEAR(measured({row(40, 1100, 1, false) + row(10, 1000, 1, true), row(100, 7000, 1, true)})->percent, 10, 1e-9);
}

TEST(LaunchTimes, OfSeparateRunsDifferByWhatRunsDo) {
  const auto found = measured({row(10, 1090, 0.5, false), row(10, 1110, 0.5, false), row(10, 995, 0.5, true), row(10, 1005, 0.5, true)});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->percent, 10, 1e-9);
  EXPECT_FALSE(found->isOfOneRun);
  ASSERT_TRUE(found->interval); // deviations of 10 and 5, of two runs each, one of which is free
  const double factor = std::exp(studentFactor(1) * std::hypot(10, 5 * 1.1) / 1100);
  EXPECT_NEAR(found->interval->second, 100 * (1.1 * factor - 1), 1e-9);
  EXPECT_FALSE(measured({row(10, 1090, 0.5, false), row(10, 995, 0.5, true)})->interval); // nobody knows what runs differ by
}

/// A build without probes (--probes=launches) has no row of the kernel in its region table.
TEST(LaunchTimes, OfABuildWithoutProbesAreWithoutThem) {
  LaunchTimes times;
  EXPECT_TRUE(times.add(traceOf(row(10, 1100, 1, false))));
  EXPECT_TRUE(times.add(traceOf(row(10, 1000, 1, false), "kperf 1.22\ndevice 0 name=\"GPU\"\n")));
  ASSERT_TRUE(times.of("ns::walk"));
  EXPECT_NEAR(times.of("ns::walk")->percent, 10, 1e-9);
}

TEST(LaunchTimes, AreOfTheKernelThatIsMeant) {
  const auto both = [](const std::string &kernel, double ns) {
    return row(9, ns, 1, false, "", kernel) + row(9, 1000, 1, true, "", kernel);
  };
  const std::string four = both("void ns::walk<4>(float*)", 1400), eight = both("void ns::walk<8>(float*)", 1800);
  EXPECT_NEAR(measured({four + eight}, "void ns::walk<8>(float*)")->percent, 80, 1e-9);
  EXPECT_NEAR(measured({four + eight}, "ns::walk<4>")->percent, 40, 1e-9);
  EXPECT_FALSE(measured({four + eight}, "ns::walk")); // which of them?
  EXPECT_FALSE(measured({both("walk()", 1100)}, "ns::walk"));
}

TEST(LaunchTimes, StayWhatTheyAreInRows) {
  LaunchTimes times;
  EXPECT_TRUE(times.add(traceOf(row(5, 1200, 3, false) + row(5, 1000, 4, true) + row(15, 1400, 1, false))));
  const auto rows = times.rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].first, "void ns::walk(float*)");
  EXPECT_EQ(rows[0].second.launches, 20u);
  EXPECT_DOUBLE_EQ(rows[0].second.middleNs, 1350);
  EXPECT_DOUBLE_EQ(rows[0].second.errorNs, std::hypot(5 * 3, 15 * 1) / 20);
  EXPECT_EQ(rows[1].second.flags, format::kTimesPlain);
}

} // namespace
} // namespace kperf::decoder
