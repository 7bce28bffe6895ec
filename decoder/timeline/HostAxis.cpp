// Reads the comparisons of each device's clock with the host's, and puts the host's ranges into lanes.
#include "decoder/timeline/HostAxis.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace kperf::decoder {
namespace {

constexpr double kUnknownTickNs = 1000; ///< %globaltimer's before Hopper
constexpr std::size_t kMaxRanges = 1u << 20, kMaxReadings = 1u << 20, kMaxLanes = 64;

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
      axis.byDevice[trace.deviceIndex(row.device)].add(row.deviceNs, row.hostFromNs, row.hostToNs);
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
  for (auto &[device, line] : byDevice) {
    line.finish();
    maxGapNs = std::max(maxGapNs, line.gapNs());
    const std::uint32_t tick = device < trace.devices().size() ? trace.devices()[device].timerTickNs : 0;
    maxErrorNs = std::max(maxErrorNs, line.errorNs() + (tick > 0 ? tick : kUnknownTickNs));
  }
}

std::int64_t HostAxis::shiftAt(std::uint32_t device, std::uint64_t deviceNs) const {
  const auto own = byDevice.find(device);
  if (byDevice.empty())
    return 0;
  const std::int64_t offset = (own == byDevice.end() ? byDevice.begin() : own)->second.offsetAt(deviceNs);
  const std::uint64_t hostNs = deviceNs + static_cast<std::uint64_t>(offset);
  return static_cast<std::int64_t>(onAxis(hostNs) - deviceNs - origin);
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
                   static_cast<std::int64_t>(onAxis(row.beginNs) - origin),
                   static_cast<std::int64_t>(onAxis(isOpen ? std::max(latest, row.beginNs) : row.endNs) - origin), row.color, 0, isOpen});
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
