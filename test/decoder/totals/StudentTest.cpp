// Student's distribution against printed tables.
#include "decoder/totals/Student.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

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

// In closed form: of one degree 1 − 2·atan(t)/π, of two 1 − t/√(2 + t²), of four 1 − sin θ·(1 + cos²θ/2) with tan θ = t/2.
TEST(Student, ChanceIsThatOfClosedForms) {
  for (const double t : {0.01, 0.1, 0.5, 1.0, 1.5, 3.0, 10.0, 1000.0}) {
    EXPECT_NEAR(studentTwoSided(t, 1), 1 - 2 * std::atan(t) / std::numbers::pi, 1e-12) << t;
    EXPECT_NEAR(studentTwoSided(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-12) << t;
    const double sine = t / std::sqrt(4 + t * t), cosine = 2 / std::sqrt(4 + t * t);
    EXPECT_NEAR(studentTwoSided(t, 4), 1 - sine * (1 + cosine * cosine / 2), 1e-12) << t;
  }
}

// Of many degrees it is the normal distribution's, and nowhere does it jump.
TEST(Student, ChanceOfManyDegreesIsNearTheNormal) {
  for (const double t : {0.3, 1.0, 2.5}) {
    EXPECT_NEAR(studentTwoSided(t, 999999), studentTwoSided(t, 1000001), 1e-6) << t;
    EXPECT_NEAR(studentTwoSided(t, 1000001), std::erfc(t / std::sqrt(2.0)), 1e-12) << t;
    EXPECT_NEAR(studentTwoSided(t, 5e5), std::erfc(t / std::sqrt(2.0)), 2e-6) << t;
  }
}
