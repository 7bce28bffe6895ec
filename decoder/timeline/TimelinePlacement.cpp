// Collects the launches of a trace by device and aligns them with the kernels of the other timeline.
#include "decoder/timeline/TimelinePlacement.h"
#include "decoder/timeline/LaunchAlignment.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace kperf::decoder {
namespace {

struct DeviceLaunches {
  std::vector<KernelRun> runs;
  std::vector<std::uint64_t> gridIds;
};

/// By device.
class LaunchCollector final : public TimelineSink {
public:
  void start(const TimelineContext &) override {}
  void launch(const TimelineLaunch &launch) override {
    DeviceLaunches &device = devices[launch.device];
    device.runs.push_back({launch.kernel, launch.device, launch.grid, launch.block, static_cast<std::int64_t>(launch.begin),
                           static_cast<std::int64_t>(launch.end)});
    device.gridIds.push_back(launch.gridId);
  }
  bool warp(const TimelineWarp &) override { return false; }
  void span(const TimelineSpan &) override {}

  std::map<std::uint32_t, DeviceLaunches> devices;
};

/// When the host made the first launch on each device that was recorded, by ordinal.
class FirstLaunches final : public TraceVisitor {
public:
  void launches(std::span<const format::LaunchRecord> rows) override {
    for (const format::LaunchRecord &row : rows)
      if (!(row.flags & format::kLaunchPlain))
        if (const auto [known, isNew] = hostNs.try_emplace(row.device, row.hostNs); !isNew)
          known->second = std::min(known->second, row.hostNs);
  }

  std::map<std::uint32_t, std::uint64_t> hostNs;
};

/// The shift by what both sides say of the Unix clock; nothing where one says nothing.
std::optional<std::int64_t> shiftByHost(const Trace &trace, const OtherTimeline &other, std::uint32_t ordinal,
                                        const std::vector<KernelRun> &runs) {
  const std::optional<std::int64_t> base = other.unixBaseNs();
  FirstLaunches first;
  if (!base || runs.empty() || !trace.visit(first) || !first.hostNs.contains(ordinal))
    return std::nullopt;
  return static_cast<std::int64_t>(first.hostNs[ordinal]) - *base - std::ranges::min(runs, {}, &KernelRun::beginNs).beginNs;
}

std::string noteOf(const LaunchAlignment &alignment, std::size_t launches, std::uint32_t tickNs, const std::string &name) {
  std::string note = fmt::format("{} of {} launches are among the kernels of {}, at their places to within {:.3g} us", alignment.found,
                                 launches, name, static_cast<double>(alignment.maxErrorNs + tickNs) / 1000);
  if (alignment.isOneOfSeveral)
    note += "; other places fit as many, for these launches are all alike: which of them is which is not known";
  return note;
}

} // namespace

std::int64_t TimelinePlacement::shiftOf(std::uint32_t device) const {
  const auto found = devices.find(device);
  return found == devices.end() ? 0 : found->second;
}

std::int64_t TimelinePlacement::shiftOf(std::uint32_t device, std::uint64_t gridId) const {
  const auto found = launches.find({device, gridId});
  return found == launches.end() ? shiftOf(device) : found->second;
}

Expected<TimelinePlacement> placeAmong(const Trace &trace, const OtherTimeline &other, const std::string &name) {
  LaunchCollector collector;
  if (const auto summary = runTimeline(trace, {}, collector); !summary)
    return failure(summary.error());
  TimelinePlacement out;
  for (auto &[device, launches] : collector.devices) {
    const bool isListed = device < trace.devices().size();
    const std::uint32_t ordinal = isListed ? trace.devices()[device].device : device;
    std::vector<KernelRun> kernels;
    std::ranges::copy_if(other.kernels(), std::back_inserter(kernels), [&](const KernelRun &run) { return run.device == ordinal; });
    LaunchAlignment alignment = alignLaunches(launches.runs, kernels);
    if (alignment.isOneOfSeveral) // when the host made them may tell which
      if (const auto near = shiftByHost(trace, other, ordinal, launches.runs))
        alignment = alignLaunches(launches.runs, kernels, near);
    if (alignment.found * 2 < launches.runs.size() || alignment.found == 0)
      return failure({.message = fmt::format("{} of {} launches of {} on device {} are among its {} kernels there", alignment.found,
                                             launches.runs.size(), trace.name(), ordinal, kernels.size()),
                      .remedy = "both must be of the same run, with the GPU's activity recorded",
                      .file = name});
    out.devices[device] = alignment.shiftNs;
    for (std::size_t i = 0; i < launches.gridIds.size(); ++i)
      out.launches[{device, launches.gridIds[i]}] = alignment.shiftsNs[i];
    out.notes.push_back(noteOf(alignment, launches.runs.size(), isListed ? trace.devices()[device].timerTickNs : 0, name));
  }
  return out;
}

} // namespace kperf::decoder
