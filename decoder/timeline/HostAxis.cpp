// Lays a line through each device's comparisons with the host's clock, and puts the host's ranges into lanes.
#include "decoder/timeline/HostAxis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace kperf::decoder {
namespace {

constexpr double kUnknownTickNs = 1000; ///< %globaltimer's before Hopper
constexpr std::size_t kMaxRanges = 1u << 20, kMaxReadings = 1u << 20, kMaxLanes = 64;

/// From one to the other, whichever is the later.
double between(std::uint64_t from, std::uint64_t to) { return static_cast<double>(static_cast<std::int64_t>(to - from)); }

/// The lane of a thread's range: the first one where it lies in what is open there, or behind it.
class Lanes {
public:
  std::uint32_t place(std::int64_t begin, std::int64_t end) {
    for (std::size_t lane = 0; lane < open.size(); ++lane) {
      auto &ends = open[lane];
      while (!ends.empty() && ends.back() <= begin)
        ends.pop_back();
      if (!ends.empty() && ends.back() < end && lane + 1 < kMaxLanes)
        continue;
      ends.push_back(end);
      return static_cast<std::uint32_t>(lane);
    }
    open.push_back({end});
    return static_cast<std::uint32_t>(open.size() - 1);
  }

private:
  std::vector<std::vector<std::int64_t>> open; ///< by lane, the ends of what is open, the innermost last
};

} // namespace

std::uint64_t keepLongest(std::vector<TimelineHostRange> &ranges, std::size_t count) {
  if (ranges.size() <= count)
    return 0;
  std::vector<std::uint64_t> lengths;
  for (const TimelineHostRange &range : ranges)
    lengths.push_back(range.length());
  const auto behind = lengths.begin() + static_cast<std::ptrdiff_t>(count);
  std::ranges::nth_element(lengths, behind, std::ranges::greater());
  const std::uint64_t tooShort = *behind;
  auto alike = static_cast<std::size_t>(std::count(lengths.begin(), behind, tooShort)); // of those as short, so many stay
  return std::erase_if(ranges, [&](const TimelineHostRange &range) {
    if (range.length() != tooShort)
      return range.length() < tooShort;
    if (alike == 0)
      return true;
    --alike;
    return false;
  });
}

class HostAxis::Reader final : public TraceVisitor {
public:
  Reader(const Trace &trace, HostAxis &axis) : trace(trace), axis(axis) {}

  void clocks(std::span<const format::ClockRecord> records) override {
    for (const format::ClockRecord &row : records) {
      if (row.hostToNs < row.hostFromNs || ++readings > kMaxReadings)
        continue;
      const std::uint64_t width = row.hostToNs - row.hostFromNs;
      axis.byDevice[trace.deviceIndex(row.device)].push_back({row.deviceNs, row.hostFromNs + width / 2, static_cast<double>(width) / 2});
      axis.allBoots.insert(std::to_array(row.boot));
      note(row.hostFromNs, row.hostToNs);
    }
  }
  void hostRanges(std::span<const format::HostRangeRecord> records) override {
    for (const format::HostRangeRecord &row : records) {
      const bool isOpen = row.endNs == 0;
      if ((!isOpen && row.endNs < row.beginNs) || axis.rows.size() >= kMaxRanges) {
        ++axis.leftOut;
        continue;
      }
      axis.rows.push_back(row);
      note(row.beginNs, isOpen ? row.beginNs : row.endNs);
    }
  }
  void losses(std::span<const format::LossRecord> records) override {
    for (const format::LossRecord &row : records)
      axis.unlisted += row.kind == format::LossKind::RangesUnlisted ? row.count : 0;
  }

private:
  void note(std::uint64_t from, std::uint64_t to) {
    axis.earliest = std::min(axis.earliest, from);
    axis.latest = std::max(axis.latest, to);
  }

  const Trace &trace;
  HostAxis &axis;
  std::size_t readings = 0;
};

Expected<HostAxis> HostAxis::read(const Trace &trace) {
  HostAxis axis;
  Reader reader(trace, axis);
  for (const Section &section : trace.sections())
    if (section.kind == format::SectionKind::Clocks || section.kind == format::SectionKind::HostRanges ||
        section.kind == format::SectionKind::Losses)
      if (Status status = trace.visitSection(section, reader); !status)
        return failure(status.error());
  axis.finish(trace);
  return axis;
}

void HostAxis::finish(const Trace &trace) {
  isComplete = !byDevice.empty();
  for (std::uint32_t device = 0; device < trace.devices().size(); ++device)
    isComplete &= byDevice.contains(device);
  for (auto &[device, readings] : byDevice) {
    std::ranges::sort(readings, {}, &Reading::deviceNs);
    double widest = 0, unevenness = 0;
    for (std::size_t i = 0; i < readings.size(); ++i) {
      widest = std::max(widest, readings[i].errorNs);
      maxGapNs = std::max(maxGapNs, i > 0 ? readings[i].deviceNs - readings[i - 1].deviceNs : 0);
      if (i == 0 || i + 1 == readings.size())
        continue;
      // How far a reading is from where its neighbours say, beyond what all three leave open.
      const std::vector<Reading> neighbours{readings[i - 1], readings[i + 1]};
      const double off =
          std::abs(static_cast<double>(offsetAt(neighbours, readings[i].deviceNs)) - static_cast<double>(readings[i].offset()));
      unevenness = std::max(unevenness, off - readings[i].errorNs - std::max(neighbours[0].errorNs, neighbours[1].errorNs));
    }
    const std::uint32_t tick = device < trace.devices().size() ? trace.devices()[device].timerTickNs : 0;
    maxErrorNs = std::max(maxErrorNs, widest + unevenness + (tick > 0 ? tick : kUnknownTickNs));
  }
}

std::int64_t HostAxis::offsetAt(const std::vector<Reading> &readings, std::uint64_t deviceNs) {
  const auto next = std::ranges::upper_bound(readings, deviceNs, {}, &Reading::deviceNs);
  if (next == readings.begin())
    return next->offset();
  const Reading &before = *std::prev(next);
  if (next == readings.end() || next->deviceNs == before.deviceNs)
    return before.offset();
  const double part = between(before.deviceNs, deviceNs) / static_cast<double>(next->deviceNs - before.deviceNs);
  const double change = std::clamp(static_cast<double>(next->offset()) - static_cast<double>(before.offset()), -0x1p62, 0x1p62);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(before.offset()) + static_cast<std::uint64_t>(std::llround(part * change)));
}

std::int64_t HostAxis::shiftAt(std::uint32_t device, std::uint64_t deviceNs) const {
  const auto own = byDevice.find(device);
  if (byDevice.empty())
    return 0;
  const std::int64_t offset = offsetAt(own == byDevice.end() ? byDevice.begin()->second : own->second, deviceNs);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) - origin);
}

std::vector<std::string> HostAxis::notes() const {
  std::vector<std::string> out;
  if (leftOut > 0)
    out.push_back(fmt::format("{} NVTX ranges are left out: there are too many, or they end before they begin", leftOut));
  if (unlisted > 0)
    out.push_back(fmt::format("{} NVTX ranges and marks were not recorded: there were too many", unlisted));
  return out;
}

std::vector<TimelineHostRange> HostAxis::ranges(const Trace &trace) const {
  std::vector<TimelineHostRange> out;
  out.reserve(rows.size());
  for (const format::HostRangeRecord &row : rows) {
    const bool isOpen = row.endNs == 0;
    out.push_back({row.process, row.thread, row.kind, trace.string(row.name), trace.string(row.domain),
                   static_cast<std::int64_t>(row.beginNs - origin),
                   static_cast<std::int64_t>((isOpen ? std::max(latest, row.beginNs) : row.endNs) - origin), row.color, 0, isOpen});
  }
  const auto track = [](const TimelineHostRange &range) {
    return std::tuple(range.process, range.thread, range.kind == format::HostRangeKind::Started);
  };
  std::ranges::stable_sort(out, {}, [&](const TimelineHostRange &range) { return std::tuple(track(range), range.begin, ~range.end); });
  Lanes lanes;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i > 0 && track(out[i]) != track(out[i - 1]))
      lanes = {};
    if (out[i].kind != format::HostRangeKind::Mark)
      out[i].lane = lanes.place(out[i].begin, out[i].end);
  }
  return out;
}

} // namespace kperf::decoder
