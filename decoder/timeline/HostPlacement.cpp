// Chooses the common time axis of traces, and says how exact it is.
#include "decoder/timeline/HostPlacement.h"

#include "decoder/trace/SameBuild.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kperf::decoder {
namespace {

bool isOfVirtualClock(const Trace &trace) { return hostClock(trace) == "virtual clock"; }

std::string whyUnknown(const Trace &trace, const HostAxis &axis) {
  if (isOfVirtualClock(trace))
    return "its times are of the virtual clock, which does not run as the host's does";
  return axis.boots().size() > 1 ? "its devices are of different hosts, or of different boots of one"
                                 : "it does not say how its devices' clocks stand to the host's";
}

std::string hostOf(const Trace &trace) {
  const std::string_view name = trace.program() ? trace.string(trace.program()->hostName) : std::string_view();
  return std::string(name.empty() ? "their host" : name);
}

/// Between readings clocks are taken to run evenly; over more than a minute that is pointed out.
std::string readingsText(std::uint64_t gapNs) {
  constexpr std::uint64_t kLongNs = 60'000'000'000;
  if (gapNs == 0)
    return "; clocks were read once, so that their drift is not known";
  return fmt::format("; clocks were read up to {:.3g} s apart{}", static_cast<double>(gapNs) * 1e-9,
                     gapNs > kLongNs ? ": kperf::flush() now and then makes that less" : "");
}

/// The files' names; with folders where they are alike.
std::vector<std::string> labelsOf(std::span<const Trace> traces) {
  std::vector<std::string> out;
  std::map<std::string, unsigned> count;
  const auto stem = [](std::string name) {
    name = name.substr(name.find_last_of('/') + 1);
    return name.ends_with(".kperf") ? name.substr(0, name.size() - 6) : name;
  };
  for (const Trace &trace : traces)
    ++count[stem(trace.name())];
  for (const Trace &trace : traces)
    out.push_back(count[stem(trace.name())] > 1 ? trace.name() : stem(trace.name()));
  return out;
}

Expected<HostPlacement> placeOne(const Trace &trace) {
  HostPlacement out;
  const bool hasRanges = trace.has(format::SectionKind::HostRanges);
  if (!hasRanges && trace.devices().size() <= 1) {
    out.parts.emplace_back(trace);
    return out;
  }
  auto axis = HostAxis::read(trace);
  if (!axis)
    return failure(axis.error());
  if (axis->isKnown()) {
    axis->setOrigin(axis->beginNs());
    out.notes.push_back(fmt::format("{} stand on the host's clock to within {:.3g} us{}",
                                    hasRanges ? "NVTX ranges and launches" : "devices", axis->errorNs() / 1000,
                                    readingsText(axis->gapNs())));
    out.axes.push_back(std::make_unique<HostAxis>(std::move(*axis)));
  } else if (hasRanges) {
    out.notes.push_back("NVTX ranges are not shown: " + whyUnknown(trace, *axis) +
                        (isOfVirtualClock(trace) ? "; record with KPERF_HOST_CLOCK=wall" : ""));
  }
  out.parts.emplace_back(trace, out.axes.empty() ? nullptr : out.axes.front().get());
  return out;
}

} // namespace

Expected<HostPlacement> placeByHost(std::span<const Trace> traces) {
  if (traces.size() == 1)
    return placeOne(traces.front());
  HostPlacement out;
  std::uint64_t origin = ~std::uint64_t{0};
  std::vector<double> errors;
  std::uint64_t gapNs = 0;
  for (const Trace &trace : traces) {
    auto axis = HostAxis::read(trace);
    if (!axis)
      return failure(axis.error());
    if (!axis->isKnown())
      return failure({.message = "it has no place beside other traces: " + whyUnknown(trace, *axis),
                      .remedy = isOfVirtualClock(trace) ? "record with KPERF_HOST_CLOCK=wall, or show it by itself" : "show it by itself",
                      .file = trace.name()});
    if (axis->boots().contains({}))
      return failure({.message = "it has no place beside other traces: it does not say which host its clock is of",
                      .remedy = "show it by itself",
                      .file = trace.name()});
    if (!out.axes.empty() && axis->boots() != out.axes.front()->boots())
      return failure({.message = fmt::format("it is of another host than {}, or of another boot of it: they have no clock in common",
                                             traces.front().name()),
                      .remedy = "show the traces of each host by themselves",
                      .file = trace.name()});
    origin = std::min(origin, axis->beginNs());
    errors.push_back(axis->errorNs());
    gapNs = std::max(gapNs, axis->gapNs());
    out.axes.push_back(std::make_unique<HostAxis>(std::move(*axis)));
  }
  const std::vector<std::string> labels = labelsOf(traces);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    out.axes[i]->setOrigin(origin);
    out.parts.emplace_back(traces[i], out.axes[i].get(), labels[i], i);
  }
  std::ranges::sort(errors, std::ranges::greater());
  out.notes.push_back(fmt::format("{} traces stand on the clock of {}: times of two of them are right to each other to within {:.3g} us{}",
                                  traces.size(), hostOf(traces.front()), (errors[0] + errors[1]) / 1000, readingsText(gapNs)));
  return out;
}

Expected<TimelineSummary> runTimelines(std::span<const TimelinePart> parts, const TimelineOptions &options,
                                       const std::function<Expected<TimelineSummary>(const TimelinePart &, const TimelineOptions &)> &run) {
  TimelineSummary all;
  TimelineOptions own = options;
  if (options.maxEvents > 0)
    own.maxEvents = std::max<std::uint64_t>(1, options.maxEvents / std::max<std::size_t>(parts.size(), 1));
  for (const TimelinePart &part : parts) {
    const auto one = run(part, own);
    if (!one)
      return failure(one.error());
    all.events += one->events;
    all.overLimit += one->overLimit;
    all.filtered += one->filtered;
    all.lost += one->lost;
    all.warps += one->warps;
    for (const std::string &note : one->notes)
      all.notes.push_back(part.label.empty() ? note : fmt::format("{}: {}", part.label, note));
  }
  return all;
}

} // namespace kperf::decoder
