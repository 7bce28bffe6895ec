// Which sums of a warp can be true together: each rule from both sides.
#include "decoder/span/RegionSums.h"

#include <gtest/gtest.h>

#include <vector>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kLongLife = std::uint64_t{1} << 32; ///< from which on sums of 32 bits are not all there is

std::uint32_t tagOf(format::RecordKind kind) { return static_cast<std::uint32_t>(kind) << format::kKindShift; }

/// One part's sums.
class Part {
public:
  Part() { sums.beginPart(); }
  /// `around`: index of the sum around it, or -1.
  Part &sum(std::uint32_t region, std::uint32_t count, std::uint64_t cycles) {
    sums.take({static_cast<std::uint32_t>(cycles), static_cast<std::uint32_t>(cycles >> 32), count, tagOf(format::RecordKind::Sum)},
              region);
    return *this;
  }
  Part &extremes(std::uint32_t region, std::uint32_t min, std::uint32_t max, int around = -1) {
    sums.take({min, max, static_cast<std::uint32_t>(around + 1), tagOf(format::RecordKind::Extremes)}, region);
    return *this;
  }
  Part &total(std::uint32_t region, std::uint32_t count, std::uint32_t cycles, int around = -1) {
    sums.take({cycles, static_cast<std::uint32_t>(around + 1), count, tagOf(format::RecordKind::Total)}, region);
    return *this;
  }
  /// All records of lengths, of so many entries each of the powers `first` and `second`; but the last `without`.
  Part &lengths(std::uint32_t region, unsigned first, std::uint32_t count, unsigned second = 0, std::uint32_t more = 0,
                unsigned without = 0) {
    std::vector<std::uint32_t> counts(format::kLengthPowers);
    counts[first] += count;
    counts[second] += more;
    for (unsigned i = 0; i < format::kLengthsRecords - without; ++i)
      sums.take({counts[3 * i], counts[3 * i + 1], counts[3 * i + 2], tagOf(format::RecordKind::Lengths)}, region);
    return *this;
  }
  bool isSound(std::uint64_t life) {
    const RegionSums::Verdict verdict = sums.endPart(life);
    EXPECT_TRUE(verdict.sound == 0 || verdict.damaged == 0);
    EXPECT_EQ(verdict.sound == 0, sums.all().empty());
    return verdict.sound > 0;
  }
  RegionSums sums;
};

TEST(RegionSums, AreNotLongerThanTheWarpLived) {
  EXPECT_TRUE(Part().total(7, 1, 100).isSound(100));
  EXPECT_FALSE(Part().total(7, 1, 101).isSound(100));
  EXPECT_FALSE(Part().total(7, 1, 100).isSound(0)); // it did not finish
  EXPECT_TRUE(Part().total(7, 1, 60).total(8, 1, 40).isSound(100));
  EXPECT_FALSE(Part().total(7, 1, 60).total(8, 1, 41).isSound(100)); // side by side
  EXPECT_TRUE(Part().total(7, 1, 60).total(8, 1, 60, 0).isSound(100));
  EXPECT_FALSE(Part().total(7, 1, 60).total(8, 1, 61, 0).isSound(100)); // inside
  EXPECT_FALSE(Part().total(7, 1, 60).total(8, 1, 30, 0).total(9, 1, 31, 0).isSound(100));
  EXPECT_TRUE(Part().total(7, 1, 60).total(8, 1, 30, 0).total(9, 1, 30, 0).isSound(100));
}

TEST(RegionSums, OfNoEntryAreNothing) {
  EXPECT_TRUE(Part().total(7, 0, 0).isSound(100));
  EXPECT_FALSE(Part().total(7, 0, 1).isSound(100));
  EXPECT_TRUE(Part().sum(7, 0, 0).extremes(7, 9, 3).isSound(100)); // whose extremes mean nothing
}

TEST(RegionSums, LieBetweenTheirExtremes) {
  EXPECT_TRUE(Part().sum(7, 3, 30).extremes(7, 10, 12).isSound(100));
  EXPECT_FALSE(Part().sum(7, 3, 29).extremes(7, 10, 12).isSound(100));
  EXPECT_TRUE(Part().sum(7, 3, 36).extremes(7, 10, 12).isSound(100));
  EXPECT_FALSE(Part().sum(7, 3, 37).extremes(7, 10, 12).isSound(100));
  EXPECT_TRUE(Part().sum(7, 1, 10).extremes(7, 10, 10).isSound(100));
  EXPECT_FALSE(Part().sum(7, 0x80000000, 0).extremes(7, 12, 10).isSound(100));
  Part high; // of two words
  ASSERT_TRUE(high.sum(7, 3, 0x200000003).extremes(7, 0xa0000000, 0xb0000000).isSound(0x300000000));
  EXPECT_EQ(high.sums.all()[0].cycles, 0x200000003u);
  EXPECT_EQ(high.sums.all()[0].count, 3u);
  EXPECT_EQ(high.sums.all()[0].min, 0xa0000000u);
  EXPECT_EQ(high.sums.all()[0].max, 0xb0000000u);
  EXPECT_EQ(high.sums.all()[0].around, -1);
  EXPECT_TRUE(high.sums.all()[0].isTimed);
}

TEST(RegionSums, HoldEachOtherWithoutACircle) {
  EXPECT_FALSE(Part().total(7, 1, 10, 0).isSound(100));
  EXPECT_FALSE(Part().total(7, 1, 10, 1).isSound(100)); // there is no second one
  EXPECT_FALSE(Part().total(7, 1, 10, 1).total(8, 1, 10, 0).isSound(100));
  Part deep;
  deep.total(7, 1, 10).total(8, 1, 10, 0).total(9, 1, 10, 1);
  ASSERT_TRUE(deep.isSound(100));
  EXPECT_EQ(deep.sums.all()[2].around, 1);
  EXPECT_TRUE(Part().total(7, 1, 10, 1).total(8, 1, 10).isSound(100)); // whichever comes first
}

TEST(RegionSums, OfAWarpWithFewerLanesThanRegionsAreThoseThatHaveOne) {
  Part narrow; // the third and fourth had no lane: one is around the first, which is around the second
  narrow.total(7, 1, 60, 2).total(8, 1, 60, 0);
  const RegionSums::Verdict verdict = narrow.sums.endPart(100, true);
  EXPECT_EQ(verdict.sound, 2u);
  ASSERT_EQ(narrow.sums.all().size(), 2u);
  EXPECT_EQ(narrow.sums.all()[0].around, -1);
  EXPECT_EQ(narrow.sums.all()[1].around, 0);
  EXPECT_EQ(Part().total(7, 1, 60, 2).total(8, 1, 61, 0).sums.endPart(100, true).sound, 0u); // what there is has to be right
}

TEST(RegionSums, AreAllOfOneKind) {
  EXPECT_FALSE(Part().sum(7, 1, 10).extremes(7, 10, 10).total(8, 1, 10).isSound(100));
  EXPECT_FALSE(Part().sum(7, 1, 10).isSound(100));                         // its extremes are missing
  EXPECT_FALSE(Part().sum(7, 1, 10).extremes(7, 10, 10, 40).isSound(100)); // beyond what there can be
  EXPECT_FALSE(Part().total(7, 1, 10, 40).isSound(100));
  Part stray; // extremes of another region belong to nothing
  stray.total(7, 1, 10).extremes(8, 10, 10);
  const RegionSums::Verdict verdict = stray.sums.endPart(100);
  EXPECT_EQ(verdict.sound, 1u);
  EXPECT_EQ(verdict.damaged, 1u);
  Part twice; // nor do second ones
  twice.sum(7, 1, 10).extremes(7, 10, 10).extremes(7, 11, 11);
  EXPECT_EQ(twice.sums.endPart(100).damaged, 1u);
  EXPECT_EQ(twice.sums.all()[0].min, 10u);
  Part most;
  for (std::uint32_t region = 0; region < format::kMaxSums; ++region)
    most.total(region, 1, 1);
  EXPECT_TRUE(most.isSound(100));
  Part more;
  for (std::uint32_t region = 0; region <= format::kMaxSums; ++region)
    more.total(region, 1, 1);
  EXPECT_FALSE(more.isSound(100));
  RegionSums none;
  none.beginPart();
  EXPECT_EQ(none.endPart(100).sound, 0u);
  EXPECT_EQ(none.endPart(100).damaged, 0u);
}

TEST(RegionSums, OfOneWarpAreInOnePart) {
  Part part;
  part.total(7, 1, 10);
  EXPECT_EQ(part.sums.endPart(100).sound, 1u);
  part.sums.beginPart();
  part.total(8, 1, 10).lengths(8, 4, 1);
  EXPECT_EQ(part.sums.endPart(100).damaged, 12u);
  ASSERT_EQ(part.sums.all().size(), 1u); // what was there stays
  EXPECT_EQ(part.sums.all()[0].region, 7u);
  EXPECT_TRUE(part.sums.allLengths().empty());
}

TEST(RegionSums, OfWarpsThatLivedForLongHaveNoTime) {
  Part shortLife;
  ASSERT_TRUE(shortLife.total(7, 3, 90).isSound(kLongLife - 1));
  EXPECT_TRUE(shortLife.sums.all()[0].isTimed);
  EXPECT_EQ(shortLife.sums.all()[0].cycles, 90u);
  Part longLife;
  ASSERT_TRUE(longLife.total(7, 3, 90).total(8, 1, 91, 0).isSound(kLongLife)); // what is inside may have wrapped
  EXPECT_FALSE(longLife.sums.all()[0].isTimed);
  EXPECT_EQ(longLife.sums.all()[0].cycles, 0u);
  EXPECT_EQ(longLife.sums.all()[0].count, 3u);
  Part entered;
  ASSERT_TRUE(entered.total(7, 0, 0).isSound(kLongLife)); // of no entry it is known
  EXPECT_TRUE(entered.sums.all()[0].isTimed);
  Part withExtremes;
  ASSERT_TRUE(withExtremes.sum(7, 1, 90).extremes(7, 90, 90).isSound(kLongLife)); // as it is of 64 bits
  EXPECT_TRUE(withExtremes.sums.all()[0].isTimed);
}

TEST(RegionSums, LengthsAreThoseOfAllEntries) {
  // Power 4 is 8 to 15: three entries take 24 to 45 cycles.
  EXPECT_TRUE(Part().total(7, 3, 24).lengths(7, 4, 3).isSound(100));
  EXPECT_FALSE(Part().total(7, 3, 23).lengths(7, 4, 3).isSound(100));
  EXPECT_TRUE(Part().total(7, 3, 45).lengths(7, 4, 3).isSound(100));
  EXPECT_FALSE(Part().total(7, 3, 46).lengths(7, 4, 3).isSound(100));
  EXPECT_FALSE(Part().total(7, 3, 30).lengths(7, 4, 2).isSound(100));
  EXPECT_FALSE(Part().total(7, 3, 30).lengths(7, 4, 4).isSound(100));
  EXPECT_TRUE(Part().total(7, 3, 8).lengths(7, 4, 1, 0, 2).isSound(100));            // two of no cycle
  EXPECT_FALSE(Part().total(7, 3, 30).lengths(7, 4, 3, 0, 0, 1).isSound(100));       // one record is missing
  EXPECT_FALSE(Part().total(7, 3, 30).lengths(7, 4, 3).total(8, 1, 8).isSound(100)); // all have some, or none
  EXPECT_TRUE(Part().total(7, 3, 30).lengths(7, 4, 3).total(8, 1, 8).lengths(8, 4, 1).isSound(100));
  EXPECT_FALSE(Part().total(7, 3, 30).lengths(7, 4, 3).total(8, 1, 8).lengths(8, 4, 2).isSound(100));
  EXPECT_TRUE(Part().total(7, 3, 1).lengths(7, 4, 3).isSound(kLongLife)); // the sum may have wrapped
  Part kept;
  ASSERT_TRUE(kept.total(7, 3, 40).lengths(7, 4, 2, 5, 1).isSound(100));
  ASSERT_EQ(kept.sums.allLengths().size(), format::kLengthPowers);
  EXPECT_EQ(kept.sums.allLengths()[4], 2u);
  EXPECT_EQ(kept.sums.allLengths()[5], 1u);
}

TEST(RegionSums, LengthsHoldTheExtremes) {
  const auto isSound = [](std::uint32_t min, std::uint32_t max) { // of two entries, in 8 to 15
    return Part().sum(7, 2, min + max).extremes(7, min, max).lengths(7, 4, 2).isSound(100);
  };
  EXPECT_TRUE(isSound(8, 15));
  EXPECT_TRUE(isSound(15, 15));
  EXPECT_FALSE(isSound(16, 16));
  EXPECT_FALSE(isSound(7, 7));
  EXPECT_FALSE(Part().sum(7, 2, 19).extremes(7, 4, 15).lengths(7, 2, 1, 3, 1).isSound(100)); // 2 to 3 and 4 to 7: no 15
}

TEST(RegionSums, LengthsBelongToWhatStandsBeforeThem) {
  Part other;
  other.total(7, 1, 8).lengths(8, 4, 1);
  const RegionSums::Verdict verdict = other.sums.endPart(100);
  EXPECT_EQ(verdict.sound, 1u);
  EXPECT_EQ(verdict.damaged, format::kLengthsRecords);
  Part twice;
  twice.total(7, 1, 8).lengths(7, 4, 1).lengths(7, 4, 1);
  EXPECT_EQ(twice.sums.endPart(100).damaged, format::kLengthsRecords);
  Part early; // before the extremes
  early.sum(7, 1, 8).lengths(7, 4, 1).extremes(7, 8, 8);
  EXPECT_EQ(early.sums.endPart(100).damaged, format::kLengthsRecords);
  Part first;
  first.lengths(7, 4, 1);
  EXPECT_EQ(first.sums.endPart(100).sound, 0u);
}

} // namespace
} // namespace kperf::decoder
