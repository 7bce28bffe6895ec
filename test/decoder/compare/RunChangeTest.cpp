// What is called a change against what is one: hundreds of seeded comparisons of each kind.
#include "decoder/compare/RunChange.h"
#include "test/decoder/Random.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace kperf::decoder {
namespace {

class Draw {
public:
  explicit Draw(std::uint64_t seed) : random(seed) {}
  double normal() { return drawNormal(random); }
  double uniform() { return drawUniform(random, 1e-12, 1); }
  double exponential() { return -std::log(uniform()); }

private:
  std::mt19937_64 random;
};

/// The launches of a run: which of its side, which side, how many runs a side has.
using RunModel = std::function<std::vector<double>(Draw &, unsigned run, unsigned side, unsigned runs)>;

std::vector<double> launches(unsigned count, const std::function<double(unsigned)> &of) {
  std::vector<double> out;
  for (unsigned i = 0; i < count; ++i)
    out.push_back(std::max(0.0, of(i)));
  return out;
}

struct Rates {
  unsigned called = 0, found = 0, held = 0; ///< of kRounds: without a change, with one of 10 %, intervals that hold it
  bool isPossible = true;                   ///< no interval reaches below -100 %
};

constexpr unsigned kRounds = 600;
/// 5 % of them; a binomial count with that p has a standard deviation of 5.3, so chance adds up to 16.
constexpr unsigned kMaxCalled = kRounds * 5 / 100 + 16, kMinHeld = kRounds - kMaxCalled, kMinFound = kRounds * 9 / 10;

Rates ratesOf(const RunModel &run, unsigned runsA, unsigned runsB) {
  Rates out;
  for (unsigned round = 0; round < kRounds; ++round) {
    Draw draw(round * 7919 + runsA * 101 + runsB);
    std::vector<RunValues> a, b;
    for (unsigned i = 0; i < runsA; ++i)
      a.push_back({run(draw, i, 0, runsA)});
    for (unsigned i = 0; i < runsB; ++i)
      b.push_back({run(draw, i, 1, runsB)});
    const RunChange none = changeBetween(a, b);
    for (RunValues &each : b)
      for (double &value : each.launches)
        value *= 1.1;
    const RunChange change = changeBetween(a, b);
    out.called += none.p <= 0.05;
    out.found += change.p <= 0.05;
    out.held += change.interval && change.interval->first <= 10 && 10 <= change.interval->second;
    for (const RunChange &each : {none, change}) {
      EXPECT_TRUE(each.interval);
      out.isPossible &=
          each.interval->first >= -100 && each.interval->first <= each.percent + 1e-9 && each.percent <= each.interval->second + 1e-9;
      EXPECT_EQ(each.p < 0.05 - 1e-6, each.interval->first > 1e-6 || each.interval->second < -1e-6) << each.p;
    }
  }
  return out;
}

void expectRates(const char *name, const RunModel &run, unsigned runsA, unsigned runsB, bool isFound = true) {
  const Rates rates = ratesOf(run, runsA, runsB);
  EXPECT_LE(rates.called, kMaxCalled) << name << ' ' << runsA << " against " << runsB;
  EXPECT_GE(rates.held, kMinHeld) << name << ' ' << runsA << " against " << runsB;
  EXPECT_TRUE(!isFound || rates.found >= kMinFound) << name << ' ' << rates.found;
  EXPECT_TRUE(rates.isPossible) << name;
}

/// Launches that differ by 5 %, after each other in several ways; the runs themselves do not differ.
const std::vector<std::pair<const char *, RunModel>> kLaunches = {
    {"noise", [](Draw &draw, unsigned, unsigned, unsigned) { return launches(20, [&](unsigned) { return 1000 + 50 * draw.normal(); }); }},
    {"skewed",
     [](Draw &draw, unsigned, unsigned, unsigned) { return launches(100, [&](unsigned) { return 1000 + 150 * draw.exponential(); }); }},
    {"outliers",
     [](Draw &draw, unsigned, unsigned, unsigned) {
       return launches(40, [&](unsigned) { return (1000 + 20 * draw.normal()) * (draw.uniform() < 0.05 ? 5 : 1); });
     }},
    {"cold", [](Draw &draw, unsigned, unsigned,
                unsigned) { return launches(20, [&](unsigned i) { return (1000 + 20 * draw.normal()) * (i == 0 ? 3 : 1); }); }},
    {"warming up",
     [](Draw &draw, unsigned, unsigned, unsigned) {
       return launches(60, [&](unsigned i) { return 1000 + 20 * draw.normal() + 50 * std::exp(-double(i) / 10); });
     }},
    {"drift",
     [](Draw &draw, unsigned, unsigned, unsigned) {
       const double rise = 30 * draw.normal();
       return launches(200, [&](unsigned i) { return 1000 + 10 * draw.normal() + rise * i / 200; });
     }},
    {"correlated", [](Draw &draw, unsigned, unsigned, unsigned) {
       double state = draw.normal();
       return launches(200, [&](unsigned) { return 1000 + 50 * (state = 0.7 * state + std::sqrt(1 - 0.49) * draw.normal()); });
     }}};

TEST(RunChange, LaunchesOfOneRunASide) {
  for (const auto &[name, run] : kLaunches)
    expectRates(name, run, 1, 1);
}

/// Runs that differ from each other by 1 to 5 %, each of 20 launches that differ by 5 %.
RunModel runsWith(const std::function<double(Draw &, unsigned run, unsigned side, unsigned runs)> &factor) {
  return [=](Draw &draw, unsigned run, unsigned side, unsigned runs) {
    const double own = 1000 * factor(draw, run, side, runs);
    return launches(20, [&](unsigned) { return own * (1 + 0.05 * draw.normal()); });
  };
}
const RunModel kNormalRuns = runsWith([](Draw &draw, auto...) { return 1 + 0.03 * draw.normal(); });
const RunModel kSkewedRuns = runsWith([](Draw &draw, auto...) { return 1 + 0.02 * draw.exponential(); });
const RunModel kTwoKindsOfRuns = runsWith([](Draw &draw, auto...) { return draw.uniform() < 0.5 ? 1.04 : 1; });
const RunModel kUnequalRuns =
    runsWith([](Draw &draw, unsigned, unsigned side, unsigned) { return 1 + (side ? 0.03 : 0.01) * draw.normal(); });

TEST(RunChange, LaunchesOfARunAreNotIndependent) {
  expectRates("normal", kNormalRuns, 5, 5);
  expectRates("skewed", kSkewedRuns, 5, 5);
  expectRates("two kinds", kTwoKindsOfRuns, 5, 5);
  expectRates("unequal", kUnequalRuns, 5, 5);
  expectRates("normal", kNormalRuns, 10, 10);
}

TEST(RunChange, FewRunsAreNotCertainTooEarly) {
  for (const auto &[a, b] : {std::pair{2u, 2u}, {3u, 3u}, {2u, 5u}, {3u, 10u}, {1u, 5u}, {5u, 1u}}) {
    expectRates("normal", kNormalRuns, a, b, false);
    expectRates("two kinds", kTwoKindsOfRuns, a, b, false);
  }
}

/// All runs of A, then all of B, while the device becomes slower: what goes on is no change.
TEST(RunChange, DriftOverRunsIsNotAChange) {
  const RunModel drifting = [](Draw &draw, unsigned run, unsigned side, unsigned runs) {
    const double own = 1000 * (1 + 0.05 * (double(run) / runs + side) + 0.005 * draw.normal());
    return launches(20, [&](unsigned) { return own * (1 + 0.005 * draw.normal()); });
  };
  const Rates rates = ratesOf(drifting, 5, 5);
  EXPECT_LE(rates.called, kMaxCalled);
  EXPECT_GE(rates.found, kMinFound);
}

/// Taken in turns, runs drift alike on both sides, and what a straight line says of them is no uncertainty.
TEST(RunChange, RunsInTurnsAreComparedInSpiteOfDrift) {
  std::vector<RunValues> a, b;
  for (unsigned i = 0; i < 5; ++i) {
    a.push_back({{1000.0 + 10 * i, 1001.0 + 10 * i}, 1000000000ull * (2 * i + 1)});
    b.push_back({{1100.0 + 10 * i, 1102.0 + 10 * i}, 1000000000ull * (2 * i + 2)});
  }
  const RunChange inTurns = changeBetween(a, b);
  for (RunValues &run : b)
    run.createdUnixNs += 1000000000000;
  const RunChange later = changeBetween(a, b);
  EXPECT_LT(inTurns.p, 0.001);
  EXPECT_GT(later.p, 0.05);
  EXPECT_TRUE(later.isDrifting);
}

/// What happens between the sides can't be told from a change, however little runs of a side differ.
TEST(RunChange, SaysThatSidesWereMadeOneAfterTheOther) {
  const auto sides = [](std::initializer_list<std::uint64_t> before, std::initializer_list<std::uint64_t> after) {
    std::vector<RunValues> a, b;
    for (const std::uint64_t time : before)
      a.push_back({{1000.0 + double(time % 3)}, time});
    for (const std::uint64_t time : after)
      b.push_back({{1100.0 + double(time % 3)}, time});
    return changeBetween(a, b).isInOrder;
  };
  EXPECT_TRUE(sides({1, 2, 3}, {4, 5, 6}));
  EXPECT_TRUE(sides({6, 4, 5}, {3, 1, 2}));
  EXPECT_FALSE(sides({1, 3, 5}, {2, 4, 6}));
  EXPECT_FALSE(sides({1, 2, 4}, {3, 5, 6}));
  EXPECT_FALSE(sides({0, 0, 0}, {4, 5, 6}));
  EXPECT_FALSE(sides({1, 2, 3}, {0, 4, 5}));
}

/// Noise so wild that a symmetric interval would reach below nothing.
TEST(RunChange, IntervalsNeverReachBelowNothing) {
  const RunModel wild = runsWith([](Draw &draw, auto...) { return std::exp(1.5 * draw.normal()); });
  for (const unsigned runs : {1u, 2u, 3u, 5u})
    EXPECT_TRUE(ratesOf(wild, runs, runs).isPossible);
}

// Student's sleep data as two groups: R's t.test(extra ~ group) gives t = -1.8608, df = 17.776, p = 0.07939 of the
// values themselves; here of 10000 + them, where ratios of means are differences within a thousandth, and in another
// order than they are printed in, in which both groups rise.
TEST(RunChange, AgreesWithAPublishedExample) {
  const double first[] = {0.7, 3.4, -1.6, 2.0, -0.2, 0.8, -1.2, 3.7, -0.1, 0.0};
  const double second[] = {1.9, 4.4, 0.8, 3.4, 5.5, 1.1, 0.1, 4.6, 1.6, -0.1};
  std::vector<RunValues> a, b;
  for (const double value : first)
    a.push_back({{10000 + value}});
  for (const double value : second)
    b.push_back({{10000 + value}});
  const RunChange change = changeBetween(a, b);
  EXPECT_NEAR(change.p, 0.07939, 2e-4);
  ASSERT_TRUE(change.interval);
  EXPECT_NEAR(change.interval->first * 100.0075, -0.2055, 2e-3);
  EXPECT_NEAR(change.interval->second * 100.0075, 3.3655, 2e-3);
}

TEST(RunChange, TooFewSayNothing) {
  const std::vector<RunValues> three{{{1, 2, 3}}}, four{{{1, 2, 3, 4}}}, two{{{1}}, {{2}}};
  EXPECT_FALSE(changeBetween(three, four).interval);
  EXPECT_EQ(changeBetween(three, four).p, 1);
  EXPECT_TRUE(changeBetween(four, four).interval);
  EXPECT_TRUE(changeBetween(two, two).interval);
  EXPECT_TRUE(changeBetween(four, four).isOfOneRun);
  EXPECT_FALSE(changeBetween(two, two).isOfOneRun);
}

TEST(RunChange, NothingIsComparedWithNothing) {
  const std::vector<RunValues> zero{{{0, 0, 0, 0}}}, some{{{5, 5, 5, 5}}};
  EXPECT_EQ(changeBetween(zero, zero).percent, 0);
  EXPECT_EQ(changeBetween(zero, zero).p, 1);
  EXPECT_TRUE(std::isinf(changeBetween(zero, some).percent));
  EXPECT_GE(changeBetween(some, zero).interval->first, -100);
}

TEST(RunChange, TrimmedMeanLeavesOutAFifthAtEachEnd) {
  EXPECT_EQ(trimmedMean(std::vector<double>{1000, 2, 3, 4, 0}), 3);
  EXPECT_EQ(trimmedMean(std::vector<double>{1, 3}), 2);
}

// Four launches of 99 and 101 in turns: a line through them rises by 0.4 each, what is left of them are ±0.4 and ±1.2, whose squares
// are 3.2; of four batches with two degrees of freedom the mean has the variance 3.2 / 2 / 4 = 0.4, and a rise of 1.6 is less than chance
// has it. So each side is off by 0.4 / 100², both together have four degrees of freedom, whose factor is 2.776445.
TEST(RunChange, LaunchesOfFourBatches) {
  const std::vector<RunValues> a{{{99, 101, 99, 101}}}, b{{{108.9, 111.1, 108.9, 111.1}}};
  const RunChange change = changeBetween(a, b);
  EXPECT_DOUBLE_EQ(change.before, 100);
  EXPECT_DOUBLE_EQ(change.after, 110);
  EXPECT_NEAR(change.percent, 10, 1e-9);
  ASSERT_TRUE(change.interval);
  const double half = 2.776445 * std::sqrt(8e-5);
  EXPECT_NEAR(change.interval->first, 100 * (1.1 * std::exp(-half) - 1), 1e-4);
  EXPECT_NEAR(change.interval->second, 100 * (1.1 * std::exp(half) - 1), 1e-4);
}

// Launches that rise by 10 each, by 40 in all, are off by 0.15 · 40² of their square: chance has no part in it.
TEST(RunChange, LaunchesThatRise) {
  const std::vector<RunValues> a{{{90, 100, 110, 120}}}, b{{{99, 110, 121, 132}}};
  const RunChange change = changeBetween(a, b);
  ASSERT_TRUE(change.interval);
  const double half = 2.776445 * std::sqrt(2 * 240 / (105.0 * 105.0));
  EXPECT_NEAR(change.interval->first, 100 * (1.1 * std::exp(-half) - 1), 1e-3);
  EXPECT_NEAR(change.interval->second, 100 * (1.1 * std::exp(half) - 1), 1e-3);
}

// Runs of 99 and 101, and of 109 and 111: variances of the means 1 each, relative to their squares; with one degree of freedom each
// Satterthwaite has two at most, whose factor is 4.302653, and so has their common variance.
TEST(RunChange, TwoRunsASide) {
  const std::vector<RunValues> a{{{99}}, {{101}}}, b{{{109}}, {{111}}};
  const RunChange change = changeBetween(a, b);
  ASSERT_TRUE(change.interval);
  const double va = 1 / 1e4, vb = 1 / 12100.0, sum = va + vb, degrees = sum * sum / (va * va + vb * vb);
  EXPECT_NEAR(degrees, 1.982, 1e-3); // 4.33: wider than by two
  EXPECT_GT(change.interval->second, 100 * (1.1 * std::exp(4.302653 * std::sqrt(sum)) - 1));
  EXPECT_LT(change.interval->second, 100 * (1.1 * std::exp(4.36 * std::sqrt(sum)) - 1));
  EXPECT_EQ(change.isOfOneRun, false);
}

// A lone run differs from others as those do from each other: of 99, 100 and 101 the variance is 1, so that it is off by 1 + 1 / 3 of 100²,
// with two degrees of freedom.
TEST(RunChange, OneRunAgainstThree) {
  const std::vector<RunValues> lone{{{110}}}, others{{{99}}, {{100}}, {{101}}};
  const double half = 4.302653 * std::sqrt(4.0 / 3 / 1e4);
  for (const bool isBefore : {true, false}) {
    const RunChange change = isBefore ? changeBetween(lone, others) : changeBetween(others, lone);
    ASSERT_TRUE(change.interval);
    const double ratio = isBefore ? 1 / 1.1 : 1.1;
    EXPECT_NEAR(change.interval->first, 100 * (ratio * std::exp(-half) - 1), 1e-3);
    EXPECT_NEAR(change.interval->second, 100 * (ratio * std::exp(half) - 1), 1e-3);
    EXPECT_TRUE(change.isOfOneRun);
  }
  const std::vector<RunValues> more{{{99, 99}}, {{100, 100}}, {{101, 101}}};
  EXPECT_FALSE(changeBetween(lone, more).interval); // of fewer launches than each of the others, and than four
  EXPECT_TRUE(changeBetween(std::vector<RunValues>{{{110, 110}}}, more).interval);
  EXPECT_TRUE(changeBetween(std::vector<RunValues>{{{110, 110, 110, 110}}},
                            std::vector<RunValues>{{{99, 99, 99, 99, 99}}, {{100, 100, 100, 100, 100}}, {{101, 101, 101, 101, 101}}})
                  .interval);
}

} // namespace
} // namespace kperf::decoder
