// Runs whose true shift is known: another tool sees each kernel begin and end a little before and behind its first and last warp.
#include "decoder/timeline/LaunchAlignment.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace kperf::decoder {
namespace {

/// One run, as kperf and as another tool saw it.
struct Seen {
  std::vector<KernelRun> launches, others;
  std::vector<std::int64_t> trueShifts;
};

struct Shape {
  unsigned kernels = 4, launches = 200;
  double partsPerMillion = 0;           ///< by which the other's clock is faster
  double seenByUs = 1, seenByOther = 1; ///< share of launches
  bool isRegular = false;               ///< one kernel, equal lengths and gaps
};

constexpr std::int64_t kShiftNs = 1'234'567'890'123;

Seen seenOf(const Shape &shape, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution<std::int64_t>(from, to)(random); };
  const auto happens = [&](double share) { return std::bernoulli_distribution(share)(random); };
  Seen run;
  std::int64_t at = 0;
  for (unsigned i = 0; i < shape.launches; ++i) {
    const auto kernel = static_cast<std::uint32_t>(shape.isRegular ? 0 : between(0, shape.kernels - 1));
    const std::int64_t length = shape.isRegular ? 10'000 : between(2'000, 400'000), lead = between(200, 1'200), rest = between(200, 1'500);
    const std::array<std::uint32_t, 3> grid{kernel + 1, 1, 1}, block{128, 1, 1};
    const std::int64_t shift = kShiftNs + std::llround(static_cast<double>(at) * shape.partsPerMillion / 1e6);
    if (happens(shape.seenByUs)) {
      run.launches.push_back({"app::kernel" + std::to_string(kernel) + "<float>", 0, grid, block, at + lead, at + lead + length});
      run.trueShifts.push_back(shift);
    }
    if (happens(shape.seenByOther))
      run.others.push_back({"void app::kernel" + std::to_string(kernel) + "<float>(float*, int)", 0, grid, block, at + shift,
                            at + shift + lead + length + rest});
    if (happens(0.2)) // a kernel that we know nothing of
      run.others.push_back({"void library_kernel(int)", 0, {1, 1, 1}, {32, 1, 1}, at + shift, at + shift + 500});
    at += lead + length + rest + (shape.isRegular ? 3'000 : between(500, 300'000));
  }
  return run;
}

/// Of the launches that were found, no shift is further from the true one than is said, and none by more than 2 us.
void expectPlaced(const Seen &run, const LaunchAlignment &alignment, std::size_t found) {
  EXPECT_GE(alignment.found, found);
  EXPECT_LE(alignment.maxErrorNs, 2'000);
  EXPECT_FALSE(alignment.isOneOfSeveral);
  ASSERT_EQ(alignment.shiftsNs.size(), run.launches.size());
  for (std::size_t i = 0; i < run.launches.size(); ++i)
    EXPECT_LE(std::abs(alignment.shiftsNs[i] - run.trueShifts[i]), alignment.maxErrorNs) << "launch " << i;
}

TEST(LaunchAlignment, FindsTheShiftToWhatTheKernelsLeave) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Seen run = seenOf({}, seed);
    const LaunchAlignment alignment = alignLaunches(run.launches, run.others);
    expectPlaced(run, alignment, run.launches.size());
    EXPECT_LE(alignment.maxErrorNs, 800) << "neighbours, some 400 us away, bound the shift too";
  }
}

TEST(LaunchAlignment, FollowsAClockThatDrifts) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Seen run = seenOf({.launches = 4000, .partsPerMillion = 20}, seed); // 28 us in 1.4 s
    expectPlaced(run, alignLaunches(run.launches, run.others), run.launches.size());
  }
}

TEST(LaunchAlignment, FindsLongTrainsOfEqualLaunches) {
  const Seen run = seenOf({.launches = 1000, .partsPerMillion = 20, .isRegular = true}, 1);
  expectPlaced(run, alignLaunches(run.launches, run.others), run.launches.size());
}

TEST(LaunchAlignment, TakesRunsOfWhichEitherSideMissesLaunches) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Seen run = seenOf({.seenByUs = 0.3, .seenByOther = 0.8}, seed);
    std::size_t both = 0;
    for (const KernelRun &launch : run.launches)
      both += std::ranges::any_of(run.others, [&](const KernelRun &other) {
        return other.grid == launch.grid && other.beginNs <= launch.beginNs + kShiftNs && other.endNs >= launch.endNs + kShiftNs;
      });
    const LaunchAlignment alignment = alignLaunches(run.launches, run.others);
    EXPECT_GE(alignment.found, both);
    EXPECT_LE(std::abs(alignment.shiftNs - kShiftNs), alignment.maxErrorNs);
  }
}

TEST(LaunchAlignment, SaysWhereEqualLaunchesFitTwice) {
  Seen run = seenOf({.launches = 50, .isRegular = true}, 1);
  EXPECT_FALSE(alignLaunches(run.launches, run.others).isOneOfSeveral) << "all 50 fit one way only";
  run.launches.erase(run.launches.begin(), run.launches.begin() + 10);
  EXPECT_TRUE(alignLaunches(run.launches, run.others).isOneOfSeveral) << "40 of 50 fit in eleven ways";
}

TEST(LaunchAlignment, TakesNoShiftFarFromWhatTheHostSays) {
  constexpr std::int64_t kAway = 500'000'000;
  const Seen run = seenOf({.launches = 50}, 1);
  EXPECT_EQ(alignLaunches(run.launches, run.others, kShiftNs + kAway - 10'000).found, 50U);
  EXPECT_EQ(alignLaunches(run.launches, run.others, kShiftNs - kAway + 10'000).found, 50U);
  EXPECT_EQ(alignLaunches(run.launches, run.others, kShiftNs + kAway + 100'000'000).found, 0U);
  EXPECT_EQ(alignLaunches(run.launches, run.others, kShiftNs - kAway - 100'000'000).found, 0U);
}

TEST(LaunchAlignment, FindsNothingInAnotherProgramsKernels) {
  const Seen run = seenOf({}, 1);
  const LaunchAlignment alignment = alignLaunches(run.launches, std::vector<KernelRun>{{"other", 0, {1, 1, 1}, {128, 1, 1}, 0, 1'000'000}});
  EXPECT_EQ(alignment.found, 0U);
  EXPECT_FALSE(alignment.isOneOfSeveral);
}

TEST(LaunchAlignment, GoesByNamesAloneWhereShapesAreNotSaid) {
  Seen run = seenOf({}, 3);
  for (KernelRun &other : run.others)
    other.grid = other.block = {};
  expectPlaced(run, alignLaunches(run.launches, run.others), run.launches.size());
}

} // namespace
} // namespace kperf::decoder
