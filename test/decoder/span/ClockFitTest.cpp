// The rate of the SM clock from a timer that ticks in 32 ns.
#include "decoder/totals/LaunchLedger.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace kperf;
using decoder::ClockPair;
using decoder::ClockRate;

namespace {

constexpr double kGigahertz = 1.98;
constexpr std::uint64_t kEpochNs = 1'763'000'000'000'000'000;

/// `warps` warps on 132 SMs, each about `ns` long, starting within `spread` ns; SMs count from different zeros.
std::vector<ClockPair> pairs(unsigned warps, double ns, double spread, std::uint32_t tick, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> draw(0, 1);
  const auto ticks = [&](double at) { return (kEpochNs + static_cast<std::uint64_t>(at)) / tick * tick; };
  std::vector<ClockPair> out;
  for (unsigned i = 0; i < warps; ++i) {
    const auto sm = static_cast<std::uint16_t>(i % 132);
    const double start = 1e6 + spread * draw(random), end = start + ns * (0.7 + 0.6 * draw(random));
    const std::uint64_t zero = 0x9'8765'4321 * (sm + 1);
    out.push_back({zero + static_cast<std::uint64_t>(start * kGigahertz), ticks(start), zero + static_cast<std::uint64_t>(end * kGigahertz),
                   ticks(end), sm});
  }
  return out;
}

double deviation(const ClockRate &rate) { return std::abs(rate.nsPerCycle * kGigahertz - 1); }

} // namespace

TEST(ClockFit, FindsTheRateOfAShortKernelToATenThousandth) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto list = pairs(132 * 16, 20'000, 5'000, 32, seed);
    const auto rate = decoder::fitClocks(list, 32).sums.rate(32);
    ASSERT_TRUE(rate);
    EXPECT_LT(deviation(*rate), 1e-4) << "seed " << seed;
    EXPECT_LT(deviation(*rate), 5 * rate->relativeError) << "the stated error is honest, seed " << seed;
    EXPECT_NEAR(rate->residualNs, 32 / std::sqrt(12.0), 1.5);
  }
}

TEST(ClockFit, IsNotMovedByWarpsThatWereHeldUpBetweenTheTwoReads) {
  auto list = pairs(132 * 16, 20'000, 5'000, 32);
  for (std::size_t i = 0; i < list.size(); i += 20)
    (i % 40 ? list[i].startNs : list[i].endNs) += 3'000'000;
  const auto rate = decoder::fitClocks(list, 32).sums.rate(32);
  ASSERT_TRUE(rate);
  EXPECT_LT(deviation(*rate), 1e-4);
}

TEST(ClockFit, PlacesEverySmOnOneTimeline) {
  auto list = pairs(132 * 16, 20'000, 5'000, 32);
  const auto fit = decoder::fitClocks(list, 32);
  ASSERT_EQ(fit.origins.size(), 132u);
  for (const decoder::ClockOrigin &origin : fit.origins) {
    const std::uint64_t zero = 0x9'8765'4321 * (origin.sm + 1);
    const double truth = static_cast<double>(origin.cycles - zero) / kGigahertz;
    // A truncated timer is half a tick early on average.
    EXPECT_NEAR(static_cast<double>(origin.ns - kEpochNs) + origin.fraction, truth - 16, 12) << "SM " << origin.sm;
  }
}

TEST(ClockFit, RefusesBaselinesTooShortForTheTick) {
  auto two = pairs(2, 300, 0, 32);
  EXPECT_FALSE(decoder::fitClocks(two, 32).sums.rate(32));
  auto coarse = pairs(8, 20'000, 0, 1'000'000);
  EXPECT_FALSE(decoder::fitClocks(coarse, 1'000'000).sums.rate(1'000'000));
  EXPECT_FALSE(decoder::RateSums().rate(32));
}

TEST(ClockFit, ChoosesTheBestRateThereIs) {
  using Source = ClockRate::Source;
  auto list = pairs(132, 20'000, 0, 32);
  const decoder::RateSums good = decoder::fitClocks(list, 32).sums, none;
  EXPECT_EQ(chooseRate(format::Target::Host, good, good, 32, 0).source, Source::Unit);
  EXPECT_EQ(chooseRate(format::Target::Cuda, good, none, 32, 1).source, Source::Fit);
  EXPECT_EQ(chooseRate(format::Target::Cuda, none, good, 32, 1).source, Source::Fit);
  const ClockRate nominal = chooseRate(format::Target::Cuda, none, none, 32, 1'000'000);
  EXPECT_EQ(nominal.source, Source::Nominal);
  EXPECT_DOUBLE_EQ(nominal.nsPerCycle, 1);
  EXPECT_FALSE(chooseRate(format::Target::Cuda, none, none, 32, 0).isKnown());
}

TEST(ClockFit, SurvivesNonsense) {
  std::vector<ClockPair> list{{0, 0, ~0ull, ~0ull, 0}, {5, ~0ull, 6, 0, 0}, {7, 7, 7, 7, 1}, {1ull << 63, 0, 1ull << 63, 1ull << 62, 1}};
  EXPECT_EQ(decoder::fitClocks(list, 0).origins.size(), 2u);
}

TEST(ClockFit, RefusesARateThatIsNoNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE((decoder::RateSums{infinity, infinity, infinity, 9, 1}.rate(1)));
  EXPECT_FALSE((decoder::RateSums{1e-300, 1e300, 0, 9, 1}.rate(1)));
  EXPECT_TRUE((decoder::RateSums{1e12, 5e11, 2.5e11, 9, 1}.rate(1)));
}

TEST(ClockFit, ErrorsAreThoseOfTheFitOrOfTheTimersTick) {
  // Half a nanosecond for a cycle, and squares of 700 that are left over.
  const decoder::RateSums sums{1e12, 5e11, 2.5e11 + 700, 9, 1};
  const auto fine = sums.rate(1), none = sums.rate(0), coarse = sums.rate(120);
  ASSERT_TRUE(fine && none && coarse);
  EXPECT_DOUBLE_EQ(fine->nsPerCycle, 0.5);
  EXPECT_DOUBLE_EQ(fine->residualNs, 10); // of 7 degrees of freedom
  EXPECT_DOUBLE_EQ(fine->relativeError, 10 / 5e5);
  EXPECT_DOUBLE_EQ(none->relativeError, 10 / 5e5);
  EXPECT_DOUBLE_EQ(coarse->relativeError, 120 / std::sqrt(12.0) / 5e5);
  EXPECT_DOUBLE_EQ((decoder::RateSums{1e12, 5e11, 2.5e11, 9, 1}.rate(0)->relativeError),
                   1 / std::sqrt(12.0) / 5e5); // a tick is 1 ns at least
  EXPECT_DOUBLE_EQ((decoder::RateSums{1e12, 5e11, 2.5e11 + 700, 2, 1}.rate(1)->residualNs), std::sqrt(700.0));
  EXPECT_DOUBLE_EQ((decoder::RateSums{1e12, 5e11, 2.5e11 + 700, 9, 3}.rate(1)->residualNs), std::sqrt(140.0));
  EXPECT_DOUBLE_EQ((decoder::RateSums{1e12, 5e11, 2.5e11 - 700, 9, 1}.rate(1)->residualNs), 0);
  EXPECT_TRUE((decoder::RateSums{1e8, 5e7, 2.5e7 + 7 * 625, 9, 1}.rate(1))); // 25 of 5000: half a percent
  EXPECT_FALSE((decoder::RateSums{1e8, 5e7, 2.5e7 + 7 * 676, 9, 1}.rate(1)));
  for (const auto &[cyclesCycles, cyclesNs] : {std::pair(0.0, 5e11), {-1e12, 5e11}, {1e12, 0.0}, {1e12, -5e11}})
    EXPECT_FALSE((decoder::RateSums{cyclesCycles, cyclesNs, 2.5e11, 9, 1}.rate(1)));
}

TEST(ClockFit, SumsAreOfTheDistancesFromTheMean) {
  std::vector<ClockPair> list{{10, 100, 1010, 600, 5}, {2010, 1100, 3010, 1600, 5}, {70, 7, 1070, 507, 4}};
  const decoder::ClockFit fit = decoder::fitClocks(list, 1);
  EXPECT_EQ(fit.sums.points, 6u);
  EXPECT_EQ(fit.sums.groups, 2u);
  // 500² and 1500², twice each, and of the other SM 500² twice; in ns half of it.
  EXPECT_DOUBLE_EQ(fit.sums.cyclesCycles, 5'500'000);
  EXPECT_DOUBLE_EQ(fit.sums.cyclesNs, 2'750'000);
  EXPECT_DOUBLE_EQ(fit.sums.nsNs, 1'375'000);
  ASSERT_EQ(fit.origins.size(), 2u);
  EXPECT_EQ(fit.origins[0].sm, 4u);
  EXPECT_EQ(fit.origins[0].cycles, 570u);
  EXPECT_EQ(fit.origins[0].ns, 257u);
  EXPECT_EQ(fit.origins[1].sm, 5u);
  EXPECT_EQ(fit.origins[1].cycles, 1510u);
  EXPECT_EQ(fit.origins[1].ns, 850u);
  EXPECT_DOUBLE_EQ(fit.origins[1].fraction, 0);
  list = {{10, 100, 1011, 600, 5}, {2010, 1100, 3010, 1600, 5}}; // a mean of 1500.25 and 750: in whole cycles an eighth of a ns before
  const decoder::ClockOrigin origin = decoder::fitClocks(list, 1).origins.at(0);
  EXPECT_EQ(origin.cycles, 1510u);
  EXPECT_EQ(origin.ns, 849u);
  EXPECT_DOUBLE_EQ(origin.fraction, 0.875);
}

TEST(ClockFit, PointsFarFromTheLineAreLeftOut) {
  const auto kept = [](std::uint64_t late, std::uint32_t tick) {
    std::vector<ClockPair> list{{0, 0, 1000, 500, 1}, {0, 0, 1000, 500 + late, 1}, {0, 0, 1000, 500, 1}};
    return decoder::fitClocks(list, tick).sums.points;
  };
  EXPECT_EQ(kept(4, 1), 6u);
  EXPECT_EQ(kept(5, 1), 5u);
  EXPECT_EQ(kept(5, 2), 6u);
  // The line has the slope of the longer warps: those of half the longest's length, and above.
  std::vector<ClockPair> list{{0, 0, 1000, 500, 1}, {0, 0, 499, 499, 1}, {0, 0, 499, 499, 1}};
  EXPECT_EQ(decoder::fitClocks(list, 1).sums.points, 4u); // without the ends of the short ones
  list = {{0, 0, 1000, 500, 1}, {0, 0, 500, 500, 1}, {0, 0, 500, 500, 1}};
  EXPECT_EQ(decoder::fitClocks(list, 1).sums.points, 5u); // without the end of the long one
}

namespace {

format::WarpHeader warpOf(std::uint64_t gridId, std::uint64_t block, std::uint64_t startNs, std::uint64_t endNs) {
  format::WarpHeader warp{};
  warp.gridId = gridId;
  warp.block = block;
  warp.startNs = startNs;
  warp.endNs = endNs;
  warp.startCycles = startNs * 2;
  warp.endCycles = endNs * 2;
  warp.gridX = 2;
  warp.gridY = warp.gridZ = warp.blockY = warp.blockZ = 1;
  warp.blockX = 33;
  return warp;
}

} // namespace

TEST(LaunchLedger, SumsUpLaunches) {
  decoder::LaunchLedger ledger;
  ledger.setDevice(0, {32, 32});
  ledger.add(0, 7, warpOf(1, 0, 1000, 5000), true);
  ledger.add(0, 7, warpOf(1, 1, 2000, 9000), true);
  ledger.add(0, 7, warpOf(2, 0, 20000, 24000), true);
  ledger.finish();
  const auto &group = ledger.group(7);
  EXPECT_EQ(group.launches, 2u);
  EXPECT_EQ(group.warpsRecorded, 3u);
  EXPECT_EQ(group.warpsLaunched, 8u); // two blocks of two warps, twice
  EXPECT_DOUBLE_EQ(group.durationNs, 12000);
  EXPECT_EQ(ledger.earliestNs(), 1000u);
  EXPECT_EQ(ledger.group(99).launches, 0u);
}

TEST(LaunchLedger, ClosesOldLaunchesAndCountsThemOnce) {
  decoder::LaunchLedger ledger(true);
  for (std::uint64_t grid = 1; grid <= 20000; ++grid)
    for (unsigned block = 0; block < 2; ++block)
      ledger.add(0, 0, warpOf(grid, block, grid * 100'000, grid * 100'000 + 50'000), true);
  ledger.finish();
  EXPECT_EQ(ledger.group(0).launches, 20000u);
  const auto rate = ledger.deviceClock(0).rate(32);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->nsPerCycle, 0.5, 1e-6);
  EXPECT_TRUE(ledger.placement(0, 5));
  EXPECT_FALSE(ledger.placement(0, 20001));
}

TEST(LaunchLedger, ThinsOutTheWarpsOfHugeLaunches) {
  decoder::LaunchLedger ledger;
  for (std::uint64_t block = 0; block < 100'000; ++block)
    ledger.add(0, 0, warpOf(1, block, block * 10, block * 10 + 50'000), true);
  ledger.finish();
  EXPECT_EQ(ledger.group(0).warpsRecorded, 100'000u);
  EXPECT_LE(ledger.group(0).clock.points, 2u * 8192);
  EXPECT_GE(ledger.group(0).clock.points, 4096u);
}
