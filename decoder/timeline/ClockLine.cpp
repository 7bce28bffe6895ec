// Sorts the comparisons, and finds how uneven the clocks ran.
#include "decoder/timeline/ClockLine.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kperf::decoder {
namespace {

/// From one to the other, whichever is the later.
double distance(std::uint64_t from, std::uint64_t to) { return static_cast<double>(static_cast<std::int64_t>(to - from)); }

} // namespace

void ClockLine::add(std::uint64_t ownNs, std::uint64_t otherFromNs, std::uint64_t otherToNs) {
  const std::uint64_t width = otherToNs - otherFromNs;
  readings.push_back({ownNs, otherFromNs + width / 2, static_cast<double>(width) / 2});
}

void ClockLine::finish() {
  std::ranges::sort(readings, {}, &Reading::ownNs);
  double widest = 0, unevenness = 0;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    widest = std::max(widest, readings[i].errorNs);
    maxGapNs = std::max(maxGapNs, i > 0 ? readings[i].ownNs - readings[i - 1].ownNs : 0);
    if (i == 0 || i + 1 == readings.size())
      continue;
    // How far a reading is from where its neighbours say, beyond what all three leave open.
    const Reading &before = readings[i - 1], &next = readings[i + 1];
    const double off = std::abs(static_cast<double>(between(before, next, readings[i].ownNs)) - static_cast<double>(readings[i].offset()));
    unevenness = std::max(unevenness, off - readings[i].errorNs - std::max(before.errorNs, next.errorNs));
  }
  maxErrorNs = widest + unevenness;
}

bool ClockLine::spans(std::uint64_t fromNs, std::uint64_t toNs) const {
  return !readings.empty() && readings.front().ownNs <= fromNs && toNs <= readings.back().ownNs;
}

std::int64_t ClockLine::between(const Reading &before, const Reading &next, std::uint64_t ownNs) {
  if (next.ownNs == before.ownNs)
    return before.offset();
  const double part = distance(before.ownNs, ownNs) / static_cast<double>(next.ownNs - before.ownNs);
  const double change = std::clamp(static_cast<double>(next.offset()) - static_cast<double>(before.offset()), -0x1p62, 0x1p62);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(before.offset()) + static_cast<std::uint64_t>(std::llround(part * change)));
}

std::int64_t ClockLine::offsetAt(std::uint64_t ownNs) const {
  if (readings.empty())
    return 0;
  const auto next = std::ranges::upper_bound(readings, ownNs, {}, &Reading::ownNs);
  if (next == readings.begin())
    return next->offset();
  return next == readings.end() ? readings.back().offset() : between(*std::prev(next), *next, ownNs);
}

} // namespace kperf::decoder
