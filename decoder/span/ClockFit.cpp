// Fits nanoseconds per cycle to pairs of SM clock and device timer.
#include "decoder/span/ClockFit.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {
namespace {

/// A point relative to its SM's first one, so that doubles hold it exactly enough: timers count from 1970.
struct Point {
  double cycles, ns;
};

double difference(std::uint64_t a, std::uint64_t b) { return static_cast<double>(static_cast<std::int64_t>(a - b)); }

/// Rounds towards the past; far beyond any clock it stops at the border instead of overflowing.
std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(std::floor(value), -9e18, 9e18)));
}

double median(std::vector<double> &values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Median of the slopes between start and end of the longer warps: outliers do not move it.
double medianSlope(std::span<const ClockPair> pairs) {
  std::uint64_t longest = 0;
  for (const ClockPair &pair : pairs)
    longest = std::max(longest, pair.endCycles - pair.startCycles);
  std::vector<double> slopes;
  for (const ClockPair &pair : pairs)
    if (pair.endCycles - pair.startCycles >= std::max<std::uint64_t>(longest / 2, 1))
      slopes.push_back(difference(pair.endNs, pair.startNs) / difference(pair.endCycles, pair.startCycles));
  return slopes.empty() ? 0 : median(slopes);
}

/// Moves the points that lie near the line of `slope` to the front and returns how many they are.
std::size_t keepNear(std::vector<Point> &points, double slope, double tick) {
  std::vector<double> distances;
  for (const Point &point : points)
    distances.push_back(point.ns - slope * point.cycles);
  const double offset = median(distances);
  for (double &distance : distances)
    distance = std::abs(distance - offset);
  const double limit = std::max(4 * tick, 8 * median(distances));
  const auto isNear = [&](const Point &point) { return std::abs(point.ns - slope * point.cycles - offset) <= limit; };
  return static_cast<std::size_t>(std::ranges::partition(points, isNear).begin() - points.begin());
}

} // namespace

RateSums &RateSums::operator+=(const RateSums &other) {
  cyclesCycles += other.cyclesCycles;
  cyclesNs += other.cyclesNs;
  nsNs += other.nsNs;
  points += other.points;
  groups += other.groups;
  return *this;
}

std::optional<ClockRate> RateSums::rate(std::uint32_t timerTickNs) const {
  if (cyclesCycles <= 0 || cyclesNs <= 0)
    return std::nullopt;
  ClockRate out{.nsPerCycle = cyclesNs / cyclesCycles, .source = ClockRate::Source::Fit};
  const double squares = std::max(0.0, nsNs - cyclesNs * out.nsPerCycle);
  const double freedom = std::max(1.0, static_cast<double>(points) - static_cast<double>(groups) - 1);
  out.residualNs = std::sqrt(squares / freedom);
  // Rounding to a tick leaves a uniform error of tick / sqrt(12).
  const double noise = std::max(std::max(timerTickNs, 1u) / std::sqrt(12.0), out.residualNs);
  out.relativeError = noise / (std::sqrt(cyclesCycles) * out.nsPerCycle);
  const bool isKnown = std::isfinite(out.nsPerCycle) && out.relativeError <= 0.005; // not when sums overflowed, either
  if (!isKnown)
    return std::nullopt;
  return out;
}

ClockFit fitClocks(std::vector<ClockPair> &pairs, std::uint32_t timerTickNs) {
  ClockFit fit;
  const double slope = medianSlope(pairs);
  std::ranges::stable_sort(pairs, {}, &ClockPair::sm);
  std::vector<Point> points;
  for (auto begin = pairs.begin(); begin != pairs.end();) {
    const ClockPair &first = *begin;
    const auto end = std::find_if(begin, pairs.end(), [&](const ClockPair &pair) { return pair.sm != first.sm; });
    points.clear();
    for (auto pair = begin; pair != end; ++pair) {
      points.push_back({difference(pair->startCycles, first.startCycles), difference(pair->startNs, first.startNs)});
      points.push_back({difference(pair->endCycles, first.startCycles), difference(pair->endNs, first.startNs)});
    }
    const std::size_t count = keepNear(points, slope, timerTickNs);
    double cycles = 0, ns = 0;
    for (const Point &point : std::span(points).first(count)) {
      cycles += point.cycles / static_cast<double>(count);
      ns += point.ns / static_cast<double>(count);
    }
    for (const Point &point : std::span(points).first(count)) {
      fit.sums.cyclesCycles += (point.cycles - cycles) * (point.cycles - cycles);
      fit.sums.cyclesNs += (point.cycles - cycles) * (point.ns - ns);
      fit.sums.nsNs += (point.ns - ns) * (point.ns - ns);
    }
    fit.sums.points += count;
    ++fit.sums.groups;
    // The mean point, moved to whole cycles along the line.
    const double at = ns - slope * (cycles - std::floor(cycles));
    fit.origins.push_back({first.sm, first.startCycles + whole(cycles), first.startNs + whole(at), at - std::floor(at)});
    begin = end;
  }
  return fit;
}

} // namespace kperf::decoder
