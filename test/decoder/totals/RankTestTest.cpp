// The rank test against published examples and against its own definition.
#include "decoder/totals/RankTest.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using kperf::decoder::shiftBetween;

// Hollander & Wolfe (1973), page 69: permeability of the human chorioamnion; wilcox.test of R gives W = 35, one-sided
// p = 0.1272.
TEST(RankTest, AgreesWithAPublishedExample) {
  const std::vector<double> a = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const std::vector<double> b = {1.15, 0.88, 0.90, 0.74, 1.21};
  const auto shift = shiftBetween(a, b);
  EXPECT_NEAR(shift.p, 2 * 0.1272, 1e-3);
  EXPECT_NEAR(shift.estimate, -0.305, 1e-9);
  ASSERT_TRUE(shift.interval);
  EXPECT_NEAR(shift.interval->first, -0.76, 1e-9);
  EXPECT_NEAR(shift.interval->second, 0.15, 1e-9);
}

TEST(RankTest, SmallestPIsThatOfCompleteSeparation) {
  const auto shift = shiftBetween(std::vector<double>{1, 2, 3, 4}, std::vector<double>{5, 6, 7, 8});
  EXPECT_NEAR(shift.p, 2.0 / 70, 1e-12);
  EXPECT_TRUE(shift.interval);
  EXPECT_FALSE(shiftBetween(std::vector<double>{1, 2, 3}, std::vector<double>{5, 6, 7}).interval);
}

TEST(RankTest, EqualValuesAreNoEvidence) {
  const std::vector<double> same(10, 5.0);
  const auto shift = shiftBetween(same, same);
  EXPECT_EQ(shift.p, 1);
  EXPECT_EQ(shift.estimate, 0);
  EXPECT_EQ(shift.interval->first, 0);
  EXPECT_EQ(shift.interval->second, 0);
}

TEST(RankTest, IntervalHoldsTheTruthAsOftenAsItSays) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> draw(100, 5);
  for (const std::size_t count : {std::size_t{6}, std::size_t{15}, std::size_t{60}}) {
    unsigned held = 0, rejected = 0;
    constexpr unsigned kRounds = 400;
    for (unsigned round = 0; round < kRounds; ++round) {
      std::vector<double> a, b;
      for (std::size_t i = 0; i < count; ++i) {
        a.push_back(draw(random));
        b.push_back(draw(random) + 3);
      }
      const auto shift = shiftBetween(a, b);
      held += shift.interval->first <= 3 && 3 <= shift.interval->second;
      for (double &value : b)
        value -= 3;
      rejected += shiftBetween(a, b).p < 0.05;
    }
    EXPECT_GE(held, kRounds * 92 / 100) << count;
    EXPECT_LE(rejected, kRounds * 8 / 100) << count;
  }
}

namespace {

std::vector<double> numbers(int from, int count, int step) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i)
    out.push_back(from + i * step);
  return out;
}

} // namespace

// Of 5 and 5 values the chance of rank sums that leave out U = 0, 1, 2 is 4 of 252 (H. B. Mann, D. R. Whitney, 1947: 0.016), and with 3 it
// is 7 of 252, more than 2.5 %: two differences are left out at each end.
TEST(RankTest, IntervalLeavesOutWhatTwoAndAHalfPercentDo) {
  const auto shift = shiftBetween(numbers(0, 5, 1), numbers(10, 5, 10)); // differences 6, 7, 8, 9, 10, 16, …, 46, 47, 48, 49, 50
  ASSERT_TRUE(shift.interval);
  EXPECT_EQ(shift.interval->first, 8);
  EXPECT_EQ(shift.interval->second, 48);
  EXPECT_EQ(shift.estimate, 28); // the thirteenth of 25
  EXPECT_NEAR(shift.p, 2.0 / 252, 1e-12);
  const auto four = shiftBetween(numbers(1, 4, 1), numbers(5, 4, 1)); // U = 0 alone: one of 70
  ASSERT_TRUE(four.interval);
  EXPECT_EQ(four.interval->first, 1);
  EXPECT_EQ(four.interval->second, 7);
  EXPECT_EQ(four.estimate, 4);
}

// Of 41 values and more by the normal distribution: of 21 and 20 the mean of U is 210 and its variance 21·20·42/12 = 1470.
TEST(RankTest, ManyValuesAreComparedByTheNormalDistribution) {
  const auto shift = shiftBetween(numbers(0, 21, 1), numbers(100, 20, 100));
  EXPECT_NEAR(shift.p / std::erfc(209.5 / std::sqrt(2 * 1470.0)), 1, 1e-9); // U = 420, less half for continuity
  ASSERT_TRUE(shift.interval);
  // 210 − 1.96·38.34 = 134.9: of 420 differences 133 are left out at each end. 21 are of each of the 20 values.
  EXPECT_EQ(shift.interval->first, 700 - 20 + 7);
  EXPECT_EQ(shift.interval->second, 1400 - 20 + 13);
  EXPECT_EQ(shift.estimate, (1000 + 1080) / 2.0);
  // 40 are counted out: 2 of all ways to choose 20 of them.
  EXPECT_NEAR(shiftBetween(numbers(0, 20, 1), numbers(100, 20, 1)).p * 137846528820 / 2, 1, 1e-9);
}

// 31 zeros and 10 ones: ranks 16 and 36.5; of b 10·16 + 10·36.5 = 525 for 420 expected; the variance 35·(42 − (31³ − 31 + 10³ −
// 10)/(41·40)).
TEST(RankTest, TiesMakeTheVarianceSmaller) {
  std::vector<double> a(21, 0.0), b(10, 0.0);
  b.insert(b.end(), 10, 1.0);
  EXPECT_NEAR(shiftBetween(a, b).p / std::erfc(104.5 / std::sqrt(2 * 813.75)), 1, 1e-9);
  EXPECT_EQ(shiftBetween(std::vector<double>(21, 5.0), std::vector<double>(21, 5.0)).p, 1);
}

// Ranks 1.5, 1.5, 3 and 4; of the six pairs for b, sums 3, 4.5, 5.5, 4.5, 5.5 and 7, of which 3 and 7 are as far from 5 as 3 is.
TEST(RankTest, TiesOfFewValuesAreCountedOut) {
  EXPECT_NEAR(shiftBetween(std::vector<double>{2, 3}, std::vector<double>{1, 1}).p, 2.0 / 6, 1e-12);
  EXPECT_NEAR(shiftBetween(std::vector<double>{1, 2}, std::vector<double>{1, 3}).p, 1, 1e-12);
}

TEST(RankTest, MedianIsTheMeanOfTheMiddleTwo) {
  using kperf::decoder::median;
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median(std::vector<double>{3}), 3);
  EXPECT_EQ(median(std::vector<double>{9, 1}), 5);
  EXPECT_EQ(median(std::vector<double>{9, 1, 4}), 4);
  EXPECT_EQ(median(std::vector<double>{9, 1, 4, 8}), 6);
}
