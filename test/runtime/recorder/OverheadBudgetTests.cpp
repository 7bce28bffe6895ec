// Launches of simulated programs, whose true overhead is known, and what is estimated from those that were recorded.
#include "runtime/recorder/OverheadBudget.h"

#include "decoder/totals/SampledBlocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace kperf {
namespace {

using runtime::OverheadBudget;

/// What the programs below take for a time that is of no weight beside their launches, as it is.
constexpr double kTimingNs = 2000;

/// Of one launch, in ns: without probes, and what they add.
struct Cost {
  double plain, probes;
};

struct Program {
  double budget = 0.02;
  unsigned kernels = 2;
  unsigned launches = 10000;
  std::function<Cost(unsigned kernel, unsigned launch)> cost;
  std::function<double(std::mt19937_64 &)> noise = [](std::mt19937_64 &) { return 1; };
  unsigned delay = 20;         ///< launches that the host is ahead of the device
  double timingNs = kTimingNs; ///< as it is
};

struct Launch {
  unsigned kernel;
  OverheadBudget::Choice choice;
  double ns;
};

struct Outcome {
  std::vector<double> overhead; ///< percent, of each thousand launches
  std::vector<Launch> launches;
  bool isExceeded;
  double believed; ///< percent

  double farthest(double budget, std::size_t from = 0) const {
    double out = 0;
    for (std::size_t i = from; i < overhead.size(); ++i)
      out = std::max(out, std::abs(overhead[i] - 100 * budget));
    return out;
  }
};

Outcome run(const Program &program, unsigned seed = 1) {
  OverheadBudget budget(program.budget, kTimingNs);
  std::mt19937_64 random(seed);
  std::deque<std::pair<unsigned, Launch>> timed;
  Outcome out{};
  double plain = 0, added = 0;
  for (unsigned i = 0; i < program.launches; ++i) {
    for (; !timed.empty() && timed.front().first + program.delay <= i; timed.pop_front()) {
      const Launch &launch = timed.front().second;
      budget.add(launch.kernel, launch.choice.isRecorded, launch.ns);
    }
    const unsigned kernel = i % program.kernels;
    const Cost cost = program.cost(kernel, i);
    const OverheadBudget::Choice choice = budget.choose(kernel);
    const double ns = (cost.plain + (choice.isRecorded ? cost.probes : 0)) * program.noise(random);
    out.launches.push_back({kernel, choice, ns});
    if (choice.isTimed)
      timed.emplace_back(i, out.launches.back());
    plain += cost.plain;
    added += (choice.isRecorded ? cost.probes : 0) + (choice.isTimed ? program.timingNs : 0);
    if (i % 1000 == 999) {
      out.overhead.push_back(100 * added / plain);
      plain = added = 0;
    }
  }
  out.isExceeded = budget.isExceeded();
  out.believed = 100 * budget.overhead();
  return out;
}

std::size_t recordedOf(const Outcome &outcome, unsigned kernel, std::size_t from = 0) {
  return static_cast<std::size_t>(std::count_if(outcome.launches.begin() + static_cast<std::ptrdiff_t>(from), outcome.launches.end(),
                                                [&](const Launch &launch) { return launch.kernel == kernel && launch.choice.isRecorded; }));
}

double steady(std::mt19937_64 &random) { return std::exp(std::normal_distribution<double>(0, 0.05)(random)); }

/// 3 launches in 100 take five times as long.
double heavyTailed(std::mt19937_64 &random) { return steady(random) * (random() % 100 < 3 ? 5 : 1); }

/// Two kernels, both of which cost otherwise from the 5000th launch on: probes of one come to add more, those of the other less.
Cost changing(unsigned kernel, unsigned launch) {
  if (launch < 5000)
    return kernel == 0 ? Cost{100e3, 100e3} : Cost{40e3, 12e3};
  return kernel == 0 ? Cost{120e3, 40e3} : Cost{40e3, 60e3};
}

TEST(OverheadBudgetTest, EachThousandLaunchesKeepTheBudgetWhereCostsChangeMidway) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Outcome outcome = run({.cost = changing, .noise = steady}, seed);
    EXPECT_LE(outcome.farthest(0.02), 0.5) << seed << ": " << testing::PrintToString(outcome.overhead);
    EXPECT_NEAR(outcome.believed, 2, 0.3);
    EXPECT_FALSE(outcome.isExceeded);
  }
}

TEST(OverheadBudgetTest, LaunchesThatAreHeldUpAreNotTakenForDearOnes) {
  unsigned below = 0;
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (const double percent : run({.cost = changing, .noise = heavyTailed}, seed).overhead) {
      EXPECT_LE(percent, 2.5) << seed;
      below += percent < 1.5;
    }
  EXPECT_LE(below, 20u); // of 200: where two recorded launches in a row were
}

TEST(OverheadBudgetTest, OtherBudgetsAreKeptToo) {
  for (const double budget : {0.01, 0.05, 0.1})
    EXPECT_LE(run({.budget = budget, .cost = changing, .noise = steady}).farthest(budget, 1), std::max(0.5, 15 * budget)) << budget;
}

TEST(OverheadBudgetTest, OneKernelHasTheWholeBudget) {
  const Outcome outcome = run({.kernels = 1, .cost = [](unsigned, unsigned) { return Cost{50e3, 20e3}; }, .noise = steady});
  EXPECT_LE(outcome.farthest(0.02), 0.5);
}

TEST(OverheadBudgetTest, WhatOneKernelLeavesTheOthersGet) {
  // Of kernel 0 every launch may be recorded for a fortieth of the budget.
  const auto cost = [](unsigned kernel, unsigned) { return kernel == 0 ? Cost{100e3, 50} : Cost{100e3, 100e3}; };
  const Outcome outcome = run({.cost = cost, .timingNs = kTimingNs});
  EXPECT_LE(outcome.farthest(0.02, 1), 0.5) << testing::PrintToString(outcome.overhead);
  EXPECT_GE(recordedOf(outcome, 0), 4500u);
  EXPECT_GE(recordedOf(outcome, 1, 1000), 9 * 500 * 0.02 * 1.5);
}

TEST(OverheadBudgetTest, AKernelThatStopsComingLeavesItsPartToOthers) {
  OverheadBudget budget(0.02, kTimingNs);
  unsigned recorded[2] = {};
  for (unsigned i = 0; i < 20000; ++i) {
    const unsigned kernel = i < 10000 ? i % 2 : 1;
    const OverheadBudget::Choice choice = budget.choose(kernel);
    recorded[i >= 15000] += kernel == 1 && (i < 10000 || i >= 15000) && choice.isRecorded;
    if (choice.isTimed)
      budget.add(kernel, choice.isRecorded, choice.isRecorded ? 80e3 : kernel == 0 ? 79e3 : 40e3);
  }
  EXPECT_NEAR(recorded[1], 5000 * 0.02, 20); // as if it were alone
  EXPECT_GT(recorded[0], 1.2 * recorded[1]); // kernel 0, which is cheap to record, left it more
}

TEST(OverheadBudgetTest, ABudgetThatIsTooSmallIsSaidToBeAndEveryKernelIsSeen) {
  const Outcome outcome = run({.budget = 0.0001, .launches = 20000, .cost = [](unsigned, unsigned) { return Cost{50e3, 50e3}; }});
  EXPECT_TRUE(outcome.isExceeded);
  for (const unsigned kernel : {0u, 1u})
    EXPECT_GE(recordedOf(outcome, kernel, 10000), 4u);
}

TEST(OverheadBudgetTest, HostsThatRunAheadAreFollowedLater) {
  for (const unsigned delay : {0u, 100u, 1000u}) {
    const Outcome outcome = run({.launches = 12000, .cost = changing, .noise = steady, .delay = delay});
    for (std::size_t thousand = 0; thousand < outcome.overhead.size(); ++thousand) {
      const bool isUnseen = delay == 1000 && (thousand < 3 || (thousand >= 5 && thousand < 8));
      EXPECT_NEAR(outcome.overhead[thousand], 2, isUnseen ? 3 : 0.6) << delay << ' ' << thousand;
    }
  }
}

TEST(OverheadBudgetTest, FewLaunchesAreTimed) {
  for (const double plain : {5e3, 50e3, 5e6}) {
    const Outcome outcome = run({.cost = [&](unsigned, unsigned) { return Cost{plain, plain / 10}; }, .noise = steady});
    const auto timed = std::ranges::count_if(outcome.launches, [](const Launch &launch) { return launch.choice.isTimed; });
    EXPECT_LE(timed, 10000 / 6) << plain; // each takes 6 us of the host's time
    EXPECT_LE(outcome.farthest(0.02, 1), 0.5) << plain;
  }
}

TEST(OverheadBudgetTest, TimesThatNeverComeLeaveFewLaunchesRecorded) {
  const Outcome outcome = run({.cost = changing, .delay = 20000});
  EXPECT_NEAR(static_cast<double>(recordedOf(outcome, 0)), 100, 20); // probes might double the time
  EXPECT_LE(std::ranges::count_if(outcome.launches, [](const Launch &launch) { return launch.choice.isTimed; }), 16);
}

TEST(OverheadBudgetTest, OneLaunchOfEachRoundIsRecordedAtAnyPlace) {
  std::map<std::uint32_t, std::map<std::uint32_t, unsigned>> places; ///< by length, how often each place was the recorded one
  for (unsigned kernel = 0; kernel < 500; ++kernel) {
    OverheadBudget budget(0.03);
    for (unsigned i = 0; i < kernel; ++i)
      budget.choose(i);
    for (unsigned i = 0, at = 0, recorded = 0, length = 1; i < 400; ++i) {
      const OverheadBudget::Choice choice = budget.choose(kernel);
      if (at == 0)
        length = choice.oneIn, recorded = 0;
      ASSERT_EQ(choice.oneIn, length); // known before the first of them
      recorded += choice.isRecorded;
      places[length][at] += choice.isRecorded;
      if (++at == length) {
        ASSERT_EQ(recorded, 1u);
        at = 0;
      }
    }
  }
  ASSERT_EQ(places.size(), 3u); // 1, 8, and what 3 % is where probes double a launch's time
  for (const auto &[length, counts] : places) {
    double sum = 0, squares = 0;
    for (const auto &[place, count] : counts)
      sum += count;
    for (std::uint32_t place = 0; place < length; ++place)
      squares += std::pow((counts.contains(place) ? counts.at(place) : 0) - sum / length, 2) / (sum / length);
    EXPECT_LE(squares, length + 4 * std::sqrt(2.0 * length)) << length; // chi-squared
  }
}

/// The total of all launches' times without noise in the choice of one: those that were recorded, as the report weighs them.
decoder::Estimate estimateOf(const Outcome &outcome, unsigned kernel) {
  std::vector<decoder::SampleStratum> strata;
  std::vector<decoder::BySampleGroup> sums;
  std::map<std::uint32_t, std::size_t> of;
  double whole = 0;
  format::WarpHeader warp{};
  for (const Launch &launch : outcome.launches) {
    if (launch.kernel != kernel)
      continue;
    ++warp.gridId;
    if (launch.choice.oneIn == 1) {
      whole += launch.ns;
      continue;
    }
    const auto [entry, isNew] = of.try_emplace(launch.choice.oneIn, strata.size());
    if (isNew) {
      strata.push_back({launch.choice.oneIn, true, 0, {}, 1});
      sums.emplace_back();
    }
    ++strata[entry->second].launched;
    if (!launch.choice.isRecorded)
      continue;
    const std::size_t group = decoder::sampleGroupOf(warp);
    ++strata[entry->second].blocks[group];
    sums[entry->second][group] += launch.ns;
  }
  decoder::Estimate estimate = decoder::estimateTotal(strata, sums);
  estimate.value += whole;
  return estimate;
}

TEST(OverheadBudgetTest, WhatWasRecordedTellsWhatAllLaunchesTook) {
  unsigned told = 0, held = 0;
  double off = 0, offWithoutWeights = 0;
  constexpr unsigned kSeeds = 400;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    // Probes take nothing here, so that the time of a launch is the same whether it is recorded; to the budget they seem to.
    OverheadBudget budget(0.02, kTimingNs);
    std::mt19937_64 random(seed);
    Outcome outcome{};
    double truth = 0, recorded = 0, unweighed = 0;
    const unsigned start = random() % 1000;
    for (unsigned i = 0; i < 10000; ++i) {
      const OverheadBudget::Choice choice = budget.choose(0);
      const double ns = (i < 4000 + start ? 20e3 : 90e3) * std::exp(std::normal_distribution<double>(0, 0.4)(random));
      outcome.launches.push_back({0, choice, ns});
      truth += ns;
      if (choice.isRecorded)
        ++recorded, unweighed += ns;
      if (choice.isTimed)
        budget.add(0, choice.isRecorded, ns + (choice.isRecorded ? 10e3 : 0));
    }
    const decoder::Estimate estimate = estimateOf(outcome, 0);
    off += (estimate.value / truth - 1) / kSeeds;
    offWithoutWeights += (unweighed / recorded * 10000 / truth - 1) / kSeeds;
    told += estimate.error.has_value();
    held += estimate.error && std::abs(estimate.value - truth) <= *estimate.error;
  }
  EXPECT_NEAR(off, 0, 0.004);
  EXPECT_GT(std::abs(offWithoutWeights), 0.05); // more launches are recorded while they are long
  EXPECT_GT(told, kSeeds / 2);                  // of others few launches make up most of the sum
  EXPECT_GE(held, told * 0.95);
}

} // namespace
} // namespace kperf
