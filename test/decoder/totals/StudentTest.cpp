// Student's distribution against printed tables.
#include "decoder/totals/Student.h"

#include <gtest/gtest.h>
#include <limits>

using kperf::decoder::studentFactor;
using kperf::decoder::studentTwoSided;

// Abramowitz and Stegun, table 26.10.
TEST(Student, FactorIsThatOfTables) {
  EXPECT_NEAR(studentFactor(1), 12.706, 0.001);
  EXPECT_NEAR(studentFactor(2), 4.303, 0.001);
  EXPECT_NEAR(studentFactor(3), 3.182, 0.001);
  EXPECT_NEAR(studentFactor(10), 2.228, 0.001);
  EXPECT_NEAR(studentFactor(63), 1.998, 0.001);
  EXPECT_NEAR(studentFactor(std::numeric_limits<double>::infinity()), 1.960, 0.001);
}

TEST(Student, ChanceIsThatOfTables) {
  EXPECT_NEAR(studentTwoSided(63.657, 1), 0.01, 1e-5);
  EXPECT_NEAR(studentTwoSided(3.169, 10), 0.01, 1e-5);
  EXPECT_NEAR(studentTwoSided(-3.169, 10), 0.01, 1e-5);
  EXPECT_NEAR(studentTwoSided(1.645, 1e9), 0.1, 1e-4);
  EXPECT_EQ(studentTwoSided(0, 4), 1);
  EXPECT_EQ(studentTwoSided(std::numeric_limits<double>::infinity(), 4), 0);
}

TEST(Student, MoreDegreesNeverNeedAWiderInterval) {
  double before = std::numeric_limits<double>::infinity();
  for (double degrees = 0.5; degrees < 3e6; degrees *= 1.1) {
    const double factor = studentFactor(degrees);
    EXPECT_LE(factor, before + 1e-6) << degrees;
    before = factor;
  }
}
