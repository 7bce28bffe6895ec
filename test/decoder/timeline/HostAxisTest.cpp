// Where a device's times stand on the host's clock, and in which lanes ranges stand, of made-up clocks and threads.
#include "decoder/timeline/HostAxis.h"
#include "decoder/trace/Writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kHostBegin = 1'800'000'000'000'000'000;

Trace traceOf(Writer &writer) { return std::move(*Trace::read(ByteSource::memory(writer.finish()))); }

HostAxis axisOf(const Trace &trace) {
  auto axis = HostAxis::read(trace);
  EXPECT_TRUE(axis.has_value());
  return std::move(*axis);
}

TEST(HostAxis, IsRightToWithinWhatItSays) {
  std::mt19937_64 random(1);
  const auto draw = [&](std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); };
  for (int round = 0; round < 200; ++round) {
    // The device's clock began anywhere, and is fast or slow by up to 100 millionths.
    const std::uint64_t begin = draw(std::uint64_t{1} << 60), length = 1'000'000 + draw(10'000'000'000), tick = 1 + draw(31);
    const double drift = (static_cast<double>(draw(2000)) - 1000) * 1e-7;
    const auto deviceAt = [&](std::uint64_t host) {
      const auto since = static_cast<double>(host - kHostBegin) * (1 + drift);
      return (begin + static_cast<std::uint64_t>(since)) / tick * tick;
    };
    Writer writer;
    format::DeviceRecord device{.warpLanes = 32, .timerTickNs = static_cast<std::uint32_t>(tick)};
    writer.add(device);
    const unsigned readings = 2 + static_cast<unsigned>(draw(8));
    for (unsigned i = 0; i < readings; ++i) {
      const std::uint64_t host = kHostBegin + length * i / (readings - 1);
      writer.add(format::ClockRecord{deviceAt(host), host - draw(2000), host + draw(2000), {1}, 0, 0});
    }
    const Trace trace = traceOf(writer);
    HostAxis axis = axisOf(trace);
    ASSERT_TRUE(axis.isKnown());
    axis.setOrigin(kHostBegin);
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t host = kHostBegin + draw(length), ns = deviceAt(host);
      const double off =
          static_cast<double>(static_cast<std::int64_t>(ns + static_cast<std::uint64_t>(axis.shiftAt(0, ns)) - (host - kHostBegin)));
      ASSERT_LE(std::abs(off), axis.errorNs() + 2) << "round " << round; // two roundings
    }
  }
}

TEST(HostAxis, RangesOfALaneLieInOneAnotherOrApart) {
  std::mt19937_64 random(2);
  const auto draw = [&](std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); };
  Writer writer;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t begin = kHostBegin + draw(100'000);
    writer.add(format::HostRangeRecord{begin, begin + draw(3000), draw(1) ? format::HostRangeKind::Pushed : format::HostRangeKind::Started,
                                       0, 0, static_cast<std::uint32_t>(draw(1)), static_cast<std::uint32_t>(draw(9)), 0});
  }
  const Trace trace = traceOf(writer);
  const auto ranges = axisOf(trace).ranges(trace);
  ASSERT_EQ(ranges.size(), 3000u);
  std::map<std::tuple<std::uint32_t, std::uint32_t, format::HostRangeKind, std::uint32_t>, std::vector<const TimelineHostRange *>> open;
  for (const TimelineHostRange &range : ranges) {
    auto &around = open[{range.process, range.thread, range.kind, range.lane}];
    while (!around.empty() && around.back()->end <= range.begin)
      around.pop_back();
    ASSERT_TRUE(around.empty() || (around.back()->begin <= range.begin && range.end <= around.back()->end));
    around.push_back(&range);
  }
}

TEST(HostAxis, TakesAnyNumbers) {
  constexpr std::uint64_t kExtremes[] = {0, 1, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1, ~std::uint64_t{0}};
  for (const std::uint64_t a : kExtremes)
    for (const std::uint64_t b : kExtremes)
      for (const std::uint64_t c : kExtremes) {
        Writer writer;
        writer.add(format::ClockRecord{a, b, c, {1}, 0, 0});
        writer.add(format::ClockRecord{b, a, c, {1}, 0, 0});
        writer.add(format::ClockRecord{c, a, b, {1}, 7, 0});
        writer.add(format::HostRangeRecord{a, b, format::HostRangeKind::Pushed, 0, 0, 0, 0, 0});
        writer.add(format::HostRangeRecord{c, 0, format::HostRangeKind::Started, 0, 0, 0, 0, 0});
        const Trace trace = traceOf(writer);
        HostAxis axis = axisOf(trace);
        axis.setOrigin(axis.beginNs());
        for (const std::uint64_t ns : kExtremes)
          static_cast<void>(axis.shiftAt(0, ns) ^ axis.shiftAt(7, ns));
        auto ranges = axis.ranges(trace);
        EXPECT_EQ(keepLongest(ranges, 1), ranges.empty() ? 0 : axis.ranges(trace).size() - 1);
        EXPECT_TRUE(std::isfinite(axis.errorNs()));
      }
}

TEST(HostAxis, KeepsTheLongest) {
  std::vector<TimelineHostRange> ranges;
  for (const std::int64_t length : {5, 9, 5, 1, 5, 7})
    ranges.push_back({.begin = 100, .end = 100 + length});
  EXPECT_EQ(keepLongest(ranges, 4), 2u);
  std::vector<std::uint64_t> lengths;
  for (const TimelineHostRange &range : ranges)
    lengths.push_back(range.length());
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{5, 9, 5, 7}));
}

} // namespace
} // namespace kperf::decoder
