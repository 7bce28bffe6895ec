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

TEST(Quantiles, AreByNearestRank) {
  Quantiles quantiles;
  for (const std::uint64_t value : {10, 20, 30, 40})
    quantiles.add(value);
  EXPECT_EQ(quantiles.at(0), 10u); // there is no rank 0
  EXPECT_EQ(quantiles.at(0.25), 10u);
  EXPECT_EQ(quantiles.at(0.26), 20u);
  EXPECT_EQ(quantiles.at(0.75), 30u);
  EXPECT_EQ(quantiles.at(1), 40u);
  EXPECT_EQ(quantiles.within(0.26).min, 20u); // of known values no range
  EXPECT_EQ(quantiles.within(0.26).max, 20u);
}

TEST(Quantiles, BucketsAreAHundredAndTwentyEighthOfAPowerOfTwo) {
  Quantiles quantiles;
  for (std::uint64_t value = 0; value < 255; ++value)
    quantiles.add(value);
  EXPECT_TRUE(quantiles.isExact());
  quantiles.add(255);
  EXPECT_FALSE(quantiles.isExact());                           // 256 of them
  for (const std::uint64_t value : {0, 1, 127, 128, 254, 255}) // below 256 each has a bucket
    EXPECT_EQ(quantiles.at(static_cast<double>(value + 1) / 256), value);
  std::uint64_t next = 0;
  quantiles.forValues([&](std::uint64_t value, std::uint64_t count) {
    EXPECT_EQ(value, next++);
    EXPECT_EQ(count, 1u);
  });
  EXPECT_EQ(next, 256u);
  Quantiles wide; // 600 to 603 share one, whose middle is 601
  for (int i = 0; i < 255; ++i)
    wide.add(600);
  wide.add(603);
  EXPECT_EQ(wide.at(0.5), 601u);
  EXPECT_EQ(wide.at(1), 601u);
  wide.add(599);
  wide.add(604);
  EXPECT_EQ(wide.at(0.001), 599u);
  EXPECT_EQ(wide.at(1), 604u);
  Quantiles same; // never beyond the extremes
  for (int i = 0; i < 256; ++i)
    same.add(603);
  EXPECT_EQ(same.at(0.5), 603u);
  same.forValues([](std::uint64_t value, std::uint64_t count) {
    EXPECT_EQ(value, 600u);
    EXPECT_EQ(count, 256u);
  });
}

TEST(Quantiles, AddUpWhatIsKnownInAnyWay) {
  Quantiles some, many, all;
  some.add(7);
  some.addSum(2, 30, Quantiles::Extremes{5, 25});
  for (int i = 0; i < 256; ++i)
    many.add(2);
  many.addSum(3, 300, Quantiles::Extremes{1, 200});
  all.add(some);
  EXPECT_EQ(all.sum(), 37u);
  EXPECT_EQ(all.count(), 3u);
  EXPECT_EQ(all.min(), 5u);
  EXPECT_EQ(all.max(), 25u);
  all.add(many);
  EXPECT_EQ(all.sum(), 37 + 512 + 300u);
  EXPECT_EQ(all.count(), 3 + 256 + 3u);
  EXPECT_EQ(all.unknownCount(), 5u);
  EXPECT_EQ(all.min(), 1u);
  EXPECT_EQ(all.max(), 200u);
  EXPECT_EQ(all.at(1), 7u); // of those that are known
  EXPECT_EQ(all.at(0.99), 2u);
}

TEST(Quantiles, CountsOfMoreThan32BitsAreKept) {
  const std::vector<kperf::format::LengthBucket> full = {{5, 0xffffffff}, {5, 0xffffffff}, {6, 1}};
  Quantiles quantiles, copy;
  quantiles.addBuckets(full, {5, 6}, 5 * 0x1fffffffeull + 6);
  copy.add(quantiles);
  EXPECT_EQ(copy.count(), 0x1ffffffffull);
  EXPECT_EQ(copy.sum(), 5 * 0x1fffffffeull + 6);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> values;
  copy.forValues([&](std::uint64_t value, std::uint64_t count) { values.emplace_back(value, count); });
  EXPECT_EQ(values, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{5, 0x1fffffffeull}, {6, 1}}));
  quantiles.addBuckets({}, {0, 1000}, 77); // of no value
  EXPECT_EQ(quantiles.max(), 6u);
  EXPECT_EQ(quantiles.sum(), 5 * 0x1fffffffeull + 6);
}

TEST(Quantiles, RangesChangeAtTheRankOfTheirPower) {
  std::vector<std::uint32_t> counts(kperf::format::kLengthPowers);
  counts[0] = 1; // of 0
  counts[7] = 2; // 64 to 127
  counts[9] = 1; // 256 to 511
  Quantiles quantiles;
  quantiles.addSum(4, 500, std::nullopt);
  quantiles.addPowers(std::span<const std::uint32_t>(counts));
  const auto range = [&](double q) { return std::pair(quantiles.within(q).min, quantiles.within(q).max); };
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(range(0.25), Range(0, 0));
  EXPECT_EQ(range(0.26), Range(64, 127));
  EXPECT_EQ(range(0.75), Range(64, 127));
  EXPECT_EQ(range(0.76), Range(256, 511));
  EXPECT_EQ(range(1), Range(256, 511));
  quantiles.add(100); // known as such: of 5 values the fourth is in 64 to 127
  EXPECT_EQ(range(0.8), Range(64, 127));
  EXPECT_EQ(range(0.81), Range(256, 511));
  std::vector<std::pair<unsigned, std::uint64_t>> powers;
  quantiles.forPowers([&](unsigned power, std::uint64_t count) { powers.emplace_back(power, count); });
  EXPECT_EQ(powers, (std::vector<std::pair<unsigned, std::uint64_t>>{{0, 1}, {7, 3}, {9, 1}}));
  Quantiles damaged; // extremes that lie elsewhere do not count
  damaged.addSum(3, 500, Quantiles::Extremes{1000, 2000});
  damaged.addPowers(std::span<const std::uint32_t>(std::vector<std::uint32_t>(counts)).first(counts.size()));
  EXPECT_EQ(damaged.within(0.6).min, 64u);
  EXPECT_EQ(damaged.within(0.6).max, 127u);
}
