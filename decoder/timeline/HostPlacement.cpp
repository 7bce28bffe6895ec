// Chooses the common time axis of traces, and says how exact it is.
#include "decoder/timeline/HostPlacement.h"

#include "decoder/trace/SameBuild.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

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

/// Of one of several traces.
Expected<HostAxis> axisAmong(const Trace &trace) {
  auto axis = HostAxis::read(trace);
  if (!axis)
    return axis;
  if (!axis->isKnown())
    return failure({.message = "it has no place beside other traces: " + whyUnknown(trace, *axis),
                    .remedy = isOfVirtualClock(trace) ? "record with KPERF_HOST_CLOCK=wall, or show it by itself" : "show it by itself",
                    .file = trace.name()});
  if (axis->boots().contains({}))
    return failure({.message = "it has no place beside other traces: it does not say which host its clock is of",
                    .remedy = "show it by itself",
                    .file = trace.name()});
  return axis;
}

/// How exact a host's clock is by that of the leader, in a sentence.
std::string exchangesText(const std::string &host, const HostAxis &axis, const ClockLine &line) {
  const auto [from, to] = axis.ownNs();
  const bool isAround = line.spans(from, to);
  return fmt::format("the clock of {} was compared with it {}, and is right to within {:.3g} us{}", host,
                     line.gapNs() == 0 ? std::string("once")
                                       : fmt::format("up to {:.3g} s apart", static_cast<double>(line.gapNs()) * 1e-9),
                     line.errorNs() / 1000, isAround ? "" : " then; how far it drifted before or behind that is not known");
}

/// Lets the axes of all hosts but one follow that one's clock; gives its name.
Expected<std::string> placeHosts(HostPlacement &out, std::span<const Trace> traces, const HostClocks *clocks) {
  std::set<Boot> boots;
  for (const auto &axis : out.axes)
    boots.insert(*axis->boots().begin());
  if (boots.size() == 1)
    return hostOf(traces.front());
  const auto other = std::ranges::find_if(out.axes, [&](const auto &axis) { return axis->boots() != out.axes.front()->boots(); });
  const std::string &name = traces[static_cast<std::size_t>(other - out.axes.begin())].name();
  if (!clocks)
    return failure(
        {.message =
             fmt::format("it is of another host than {}, or of another boot of it: they have no clock in common", traces.front().name()),
         .remedy = "show the traces of each host by themselves, or run 'kperf timeline --compare-clocks=FOLDER' on the hosts around the "
                   "program, and give that folder by --clocks",
         .file = name});
  const std::optional<Boot> leader = clocks->leaderOf(boots);
  if (!leader)
    return failure(
        {.message = fmt::format("it is of another host than {}, or of another boot of it, and --clocks does not have the clocks of "
                                "all hosts by one of them",
                                traces.front().name()),
         .remedy = "run 'kperf timeline --compare-clocks=FOLDER' on every host around the program",
         .file = name});
  std::string leaderName = "another host";
  std::set<Boot> said;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const Boot boot = *out.axes[i]->boots().begin();
    const ClockLine *line = boot == *leader ? nullptr : clocks->line(*leader, boot);
    if (!line) {
      leaderName = hostOf(traces[i]);
      continue;
    }
    if (said.insert(boot).second)
      out.notes.push_back(exchangesText(hostOf(traces[i]), *out.axes[i], *line));
    out.axes[i]->follow(*line);
  }
  return leaderName;
}

} // namespace

Expected<HostPlacement> placeByHost(std::span<const Trace> traces, const HostClocks *clocks) {
  if (traces.size() == 1)
    return placeOne(traces.front());
  HostPlacement out;
  for (const Trace &trace : traces) {
    auto axis = axisAmong(trace);
    if (!axis)
      return failure(axis.error());
    out.axes.push_back(std::make_unique<HostAxis>(std::move(*axis)));
  }
  const auto hosts = placeHosts(out, traces, clocks);
  if (!hosts)
    return failure(hosts.error());
  std::uint64_t origin = ~std::uint64_t{0}, gapNs = 0;
  std::vector<double> errors;
  for (const auto &axis : out.axes) {
    origin = std::min(origin, axis->beginNs());
    errors.push_back(axis->errorNs());
    gapNs = std::max(gapNs, axis->gapNs());
  }
  const std::vector<std::string> labels = labelsOf(traces);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    out.axes[i]->setOrigin(origin);
    out.parts.emplace_back(traces[i], out.axes[i].get(), labels[i], i);
  }
  std::ranges::sort(errors, std::ranges::greater());
  out.notes.insert(out.notes.begin(),
                   fmt::format("{} traces stand on the clock of {}: times of two of them are right to each other to within {:.3g} us{}",
                               traces.size(), *hosts, (errors[0] + errors[1]) / 1000, readingsText(gapNs)));
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
