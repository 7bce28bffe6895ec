// The rank test against published examples and against its own definition.
#include "decoder/totals/RankTest.h"

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
