// What a probe costs, from the runtime's calibration.
#include "decoder/totals/ProbeCost.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/text/Pack.h"

#include <gtest/gtest.h>

#include <string>

namespace kperf::decoder {
namespace {

/// The cost by a calibration warp with these spans.
class Calibrated final : public WarpSink {
public:
  explicit Calibrated(const std::string &spans) {
    auto bytes = packText("kperf 1.5\ndevice 0 name=\"GPU\" tick=32\nregion 0x1 calibration \"calibration\"\n"
                          "region 0x2 calibration \"own empty\"\nregion 0x3 calibration \"own enclosing\"\n"
                          "region 0x4 calibration \"shared empty\"\nregion 0x5 calibration \"shared enclosing\"\n"
                          "warps\nwarp 0.0 ns=0..50000 cycles=0..100000 kernel=\"calibration\"\n" +
                              spans,
                          "text");
    EXPECT_TRUE(bytes) << bytes.error().text();
    const auto trace = Trace::read(ByteSource::memory(std::move(*bytes)));
    EXPECT_TRUE(trace) << trace.error().text();
    regions.add(*trace);
    EXPECT_TRUE(SpanDecoder(regions, *this).run(*trace));
  }
  void warp(const WarpSpans &) override {}
  void calibration(const WarpSpans &warp) override { samples.add(warp, regions); }
  ProbeCost cost() const { return samples.cost(); }

private:
  RegionSet regions;
  ProbeCostSamples samples;
};

std::string empties(const char *name, std::initializer_list<int> lengths) {
  std::string out;
  int at = 1000;
  for (const int length : lengths) {
    out += "  span \"" + std::string(name) + "\" " + std::to_string(at) + ".." + std::to_string(at + length) + "\n";
    at += 100;
  }
  return out;
}

TEST(ProbeCost, IsTheMedianOfEmptyRegionsAndOfThoseAroundThem) {
  // Inside: the fourth of 2, 2, 3, 4, 5, 8, 8. Around: 7 regions and the enclosing one's own 4 take 74.
  const ProbeCost cost = Calibrated(empties("own empty", {8, 2, 4, 3, 5, 2, 8}) + "  span \"own enclosing\" 5000..5074\n").cost();
  EXPECT_TRUE(cost.isKnown);
  EXPECT_EQ(cost.inside[0], 4);
  EXPECT_EQ(cost.around[0], 10);
  EXPECT_EQ(cost.spread[0], 3); // half from 2, the second of seven, to 8, the sixth
  EXPECT_EQ(cost.inside[1], 0);
  EXPECT_EQ(cost.around[1], 0);
}

TEST(ProbeCost, IsTheSameHoweverManyRegionsAnEnclosingOneHolds) {
  const std::string four = empties("own empty", {4, 4, 4, 4}), enclosing = "  span \"own enclosing\" 5000..5044\n";
  EXPECT_EQ(Calibrated(four + four + enclosing + enclosing).cost().around[0], 10); // since 1.20
  EXPECT_EQ(Calibrated(four + four + four + four + "  span \"own enclosing\" 5000..5164\n").cost().around[0], 10);
}

TEST(ProbeCost, OfReservedRecordsIsAnother) {
  const ProbeCost cost = Calibrated(empties("shared empty", {6}) + "  span \"shared enclosing\" 5000..5008\n").cost();
  EXPECT_TRUE(cost.isKnown);
  EXPECT_EQ(cost.inside[1], 6);
  EXPECT_EQ(cost.around[1], 6); // 2 would be less than inside
  EXPECT_EQ(cost.inside[0], 0);
}

TEST(ProbeCost, NeedsBothKinds) {
  EXPECT_FALSE(Calibrated("").cost().isKnown);
  EXPECT_FALSE(Calibrated(empties("own empty", {4})).cost().isKnown);
  EXPECT_FALSE(Calibrated("  span \"own enclosing\" 5000..5164\n").cost().isKnown);
}

TEST(ProbeCost, IsSummedByKind) {
  const ProbeCost cost{.inside = {2, 3}, .around = {10, 20}, .spread = {}, .isKnown = true};
  const ProbeCounts counts{.own = 5, .shared = 7};
  EXPECT_EQ(counts.times(cost.inside), 31);
  EXPECT_EQ(cost.beside(counts), 190 - 31);
  ProbeCounts sum = counts;
  sum += {.own = 1, .shared = 2};
  EXPECT_EQ(sum.own, 6u);
  EXPECT_EQ(sum.shared, 9u);
  EXPECT_EQ(unpacked(packedProbe(true, false) + 2 * packedProbe(true, true)).own, 1u);
  EXPECT_EQ(unpacked(packedProbe(true, false) + 2 * packedProbe(true, true)).shared, 2u);
  EXPECT_EQ(packedProbe(false, true), 0u);
}

} // namespace
} // namespace kperf::decoder
