// From which counters on a sampled sum of sectors is given an error, and what it is: computed by hand from 64 groups.
#include "decoder/memory/SampledAccesses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace kperf::decoder {
namespace {

format::SiteCounterRecord rowOf(std::uint32_t group, std::uint64_t sectors, std::uint32_t oneIn = 4, std::uint32_t groups = 64) {
  format::SiteCounterRecord row{};
  row.sampled = oneIn;
  row.group = static_cast<decltype(row.group)>(group);
  row.groups = static_cast<decltype(row.groups)>(groups);
  row.counts[format::kSectors] = static_cast<std::remove_reference_t<decltype(row.counts[0])>>(sectors);
  return row;
}

/// The first `few` groups counted `low`, the others `high`.
SampledAccesses ofTwo(std::uint32_t few, std::uint64_t low, std::uint64_t high, std::uint32_t oneIn = 4) {
  SampledAccesses out;
  for (std::uint32_t group = 1; group <= 64; ++group)
    out.add(rowOf(group, group <= few ? low : high, oneIn), format::kSectors, 1);
  return out;
}

// 51 and 149 in turns: a mean of 100, and 64 squares of 49, times 64 / 63; of one block in four the variance is 4·3 of that, and Student's
// factor of 63 degrees is 1.99834.
TEST(SampledErrors, IsThatOfTheGroups) {
  const auto error = ofTwo(32, 51, 149).error();
  ASSERT_TRUE(error);
  EXPECT_NEAR(*error, 1.15 * 1.99834 * std::sqrt(12 * 64 * 2401 * 64 / 63.0), 0.1);
  SampledAccesses twice = ofTwo(32, 51, 149);
  twice.add(ofTwo(32, 51, 149));
  ASSERT_TRUE(twice.error());
  EXPECT_NEAR(*twice.error(), 2 * *error, 1e-6); // the same blocks of another run
  SampledAccesses weighed;
  for (std::uint32_t group = 1; group <= 64; ++group)
    weighed.add(rowOf(group, group <= 32 ? 51 : 149), format::kSectors, 2);
  EXPECT_NEAR(*weighed.error(), 2 * *error, 1e-6);
}

// Of n groups with next to nothing and 64 − n with much, as many equal blocks differ as much as 63·(64 − n) / n.
TEST(SampledErrors, SixtyBlocksAreEnough) {
  EXPECT_TRUE(ofTwo(32, 1, 10001).error());  // 63
  EXPECT_FALSE(ofTwo(33, 1, 10001).error()); // 59.2
}

// Blocks that all take 10 differ by how many of them a group has: the variance is the mean. Up to 1.6 times that they are taken for alike.
TEST(SampledErrors, OfEqualBlocksNothingIsKnown) {
  EXPECT_FALSE(ofTwo(32, 50, 100).error()); // 64 · 25² · 64 / 63 are not more than 1.6 · 50 · 4800
  EXPECT_TRUE(ofTwo(32, 51, 100).error());  // of which only one is a divisor: 39000 of 7732
  EXPECT_FALSE(ofTwo(32, 91, 108).error()); // 4697 of 10189
  EXPECT_TRUE(ofTwo(32, 81, 118).error());  // 22251 of 10189
}

TEST(SampledErrors, WholeCountsHaveNone) {
  SampledAccesses none;
  EXPECT_EQ(none.error(), 0);
  none.add(rowOf(1, 100, 1), format::kSectors, 1); // all blocks
  none.add(rowOf(1, 0), format::kSectors, 1);      // of nothing
  EXPECT_EQ(none.error(), 0);
  for (const auto &[group, groups] : {std::pair(0u, 64u), {65u, 64u}, {1u, 1u}}) {
    SampledAccesses whole;
    whole.add(rowOf(group, 100, 2, groups), format::kSectors, 1);
    EXPECT_FALSE(whole.error()) << group; // of which groups is not known
    SampledAccesses both = ofTwo(32, 51, 149);
    both.add(whole);
    EXPECT_FALSE(both.error());
  }
  SampledAccesses last;
  last.add(rowOf(64, 100), format::kSectors, 1);
  EXPECT_FALSE(last.error()); // one block
}

} // namespace
} // namespace kperf::decoder
