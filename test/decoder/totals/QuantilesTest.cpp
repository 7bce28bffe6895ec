// Quantiles against sorted values.
#include "decoder/totals/Quantiles.h"

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
      EXPECT_NEAR(static_cast<double>(quantiles.at(q)), truth, truth * Quantiles::kRelativeError) << q << " of spread " << spread;
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

TEST(Quantiles, OfPowersOfTwoAreRanges) {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> values, counts(kperf::format::kLengthPowers);
  std::lognormal_distribution<double> draw(6, 1.5);
  Quantiles quantiles, recorded;
  std::uint64_t sum = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t value = i % 100 == 0 ? 0 : static_cast<std::uint64_t>(draw(random));
    values.push_back(value);
    if (i % 3 == 0) {
      recorded.add(value);
      continue;
    }
    sum += value;
    ++counts[kperf::decoder::powerOf(value)];
  }
  quantiles.addSum(2000, sum, std::nullopt);
  EXPECT_FALSE(quantiles.areBounded());
  quantiles.addPowers(std::span<const std::uint64_t>(counts));
  EXPECT_TRUE(quantiles.areBounded());
  quantiles.add(recorded); // some of them are known as such
  EXPECT_TRUE(quantiles.areBounded());
  EXPECT_FALSE(quantiles.areKnown());
  for (const double q : {0.001, 0.1, 0.5, 0.9, 0.95, 0.99, 1.0}) {
    const std::uint64_t truth = exact(values, q);
    const auto range = quantiles.within(q);
    EXPECT_LE(range.min, truth) << q;
    EXPECT_GE(range.max, truth) << q;
    EXPECT_TRUE(range.max == 0 || range.max < 2 * range.min) << q;
  }
  Quantiles copy;
  copy.add(quantiles);
  EXPECT_EQ(copy.within(0.5).max, quantiles.within(0.5).max);
  EXPECT_TRUE(copy.areBounded());
}

TEST(Quantiles, OfPowersOfTwoEndWithTheExtremes) {
  const std::vector<std::uint32_t> counts = [] {
    std::vector<std::uint32_t> out(kperf::format::kLengthPowers);
    out[7] = 3; // 64 to 127
    out[32] = 1;
    return out;
  }();
  Quantiles quantiles;
  quantiles.addSum(4, 5000000000, Quantiles::Extremes{70, 4000000000});
  quantiles.addPowers(std::span<const std::uint32_t>(counts));
  EXPECT_EQ(quantiles.within(0.5).min, 70u);
  EXPECT_EQ(quantiles.within(0.5).max, 127u);
  EXPECT_EQ(quantiles.within(1).min, std::uint64_t{1} << 31);
  EXPECT_EQ(quantiles.within(1).max, 4000000000u);
}

TEST(Quantiles, OfNothingAreZero) {
  EXPECT_EQ(Quantiles().at(0.5), 0u);
  EXPECT_EQ(Quantiles().min(), 0u);
}
