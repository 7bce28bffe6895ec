// Quantiles against sorted values.
#include "decoder/Quantiles.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using kperf::decoder::Quantiles;

namespace {

std::uint64_t exact(std::vector<std::uint64_t> values, double q) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size()))) - 1];
}

} // namespace

TEST(Quantiles, AreExactWhileValuesAreFew) {
  Quantiles quantiles;
  for (const std::uint64_t value : {7, 1, 9, 3, 5})
    quantiles.add(value);
  EXPECT_TRUE(quantiles.isExact());
  EXPECT_EQ(quantiles.at(0.5), 5u);
  EXPECT_EQ(quantiles.at(0.99), 9u);
  EXPECT_EQ(quantiles.min(), 1u);
  EXPECT_EQ(quantiles.max(), 9u);
  EXPECT_DOUBLE_EQ(quantiles.mean(), 5);
}

TEST(Quantiles, StayWithinTheirErrorOnManyValues) {
  std::mt19937_64 random(1);
  for (const double spread : {1.0, 4.0, 12.0}) {
    Quantiles quantiles;
    std::vector<std::uint64_t> values;
    std::lognormal_distribution<double> draw(8, spread);
    for (int i = 0; i < 50000; ++i) {
      values.push_back(static_cast<std::uint64_t>(std::min(draw(random), 1e18)));
      quantiles.add(values.back());
    }
    EXPECT_FALSE(quantiles.isExact());
    for (const double q : {0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 0.9999, 1.0}) {
      const auto truth = static_cast<double>(exact(values, q));
      EXPECT_NEAR(static_cast<double>(quantiles.at(q)), truth, truth * Quantiles::kRelativeError)
          << q << " of spread " << spread;
    }
  }
}

TEST(Quantiles, TakeTheWholeRangeOf64Bits) {
  Quantiles quantiles;
  for (int i = 0; i < 1000; ++i) {
    quantiles.add(0);
    quantiles.add(~std::uint64_t{0});
  }
  EXPECT_EQ(quantiles.at(0.5), 0u);
  EXPECT_EQ(quantiles.max(), ~std::uint64_t{0});
  EXPECT_GT(quantiles.at(0.51), ~std::uint64_t{0} / 256 * 255);
}

TEST(Quantiles, SayWhetherTheExtremesAreThoseOfAllValues) {
  Quantiles known, unknown;
  known.add(7);
  known.addSum(2, 30, Quantiles::Extremes{5, 25});
  EXPECT_TRUE(known.areExtremesKnown());
  EXPECT_EQ(known.min(), 5u);
  EXPECT_EQ(known.max(), 25u);
  unknown.addSum(3, 60, std::nullopt);
  EXPECT_FALSE(unknown.areExtremesKnown());
  known.add(unknown);
  EXPECT_FALSE(known.areExtremesKnown());
  EXPECT_EQ(known.count(), 6u);
  EXPECT_EQ(known.sum(), 97u);
  EXPECT_EQ(known.unknownCount(), 5u);
  EXPECT_EQ(known.at(0.99), 7u);
}

TEST(Quantiles, OfNothingAreZero) {
  EXPECT_EQ(Quantiles().at(0.5), 0u);
  EXPECT_EQ(Quantiles().min(), 0u);
}
