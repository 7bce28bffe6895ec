// Writes a timeline in the Trace Event Format (JSON object form), which Perfetto and chrome://tracing open.
#include "decoder/io/Json.h"
#include "decoder/timeline/HostPlacement.h"
#include "decoder/timeline/TimelinePlacement.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace kperf::decoder {
namespace {

/// Processes are numbered by device and SM, with room for a device's launches before its SMs.
constexpr std::uint64_t kProcessesOfDevice = 131072;
/// And by trace, where there are several, with those of the host behind the devices'.
constexpr std::uint64_t kProcessesOfTrace = 128 * kProcessesOfDevice;
constexpr unsigned kEdgesOfTraceLog2 = 40;

/// Above those of other tools, which are what systems give to processes, or ordinals of GPUs.
constexpr std::uint64_t kFirstProcessAmongOthers = std::uint64_t{1} << 30;

/// Of the format's unit.
double microseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1000; }

std::string laneMask(std::uint32_t lanes) { return fmt::format("{:#010x}", lanes); }

class ChromeTimeline final : public TimelineSink {
public:
  ChromeTimeline(Output &out, const TimelinePart &part, bool hasEvents)
      : out(out), label(part.label.empty() ? "" : part.label + " "), hasEvents(hasEvents), firstProcess(part.number * kProcessesOfTrace),
        lastEdge(part.number << kEdgesOfTraceLog2) {}
  /// Adds to a list of events of another tool's.
  ChromeTimeline(Output &out, const TimelinePlacement &placement, bool hasEvents)
      : out(out), placement(&placement), hasEvents(hasEvents), firstProcess(kFirstProcessAmongOthers) {}

  void start(const TimelineContext &what) override { context = &what; }
  void hostRange(const TimelineHostRange &range) override;
  void launch(const TimelineLaunch &launch) override;
  bool warp(const TimelineWarp &warp) override;
  void span(const TimelineSpan &span) override;
  void mark(const Mark &mark, std::uint64_t at) override;
  bool showsEdges() const override { return true; }
  void edge(const TimelineEdge &edge) override;
  void active(std::uint32_t device, std::uint64_t at, double warps) override;
  void activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) override;

  bool hasWritten() const { return hasEvents; }

private:
  std::string deviceText(std::uint32_t device, std::string_view part) const;
  void describeProcess(std::uint64_t id, const std::string &name, std::uint64_t sortIndex);
  std::uint64_t hostProcessOf(std::uint32_t process);
  std::int64_t shiftOf(std::uint32_t device, std::uint64_t gridId, std::uint64_t at) const {
    return placement ? placement->shiftOf(device, gridId) : context->shiftAt(device, at);
  }
  std::uint64_t processOf(std::uint32_t device, std::uint64_t sm);
  std::uint64_t launchProcessOf(std::uint32_t device);
  std::uint64_t newThread(const std::string &name);
  /// So many warps from then on, in a chart of that name.
  void count(std::uint32_t device, const std::string &name, std::uint64_t at, double warps);
  /// An event of that phase in a region, with what every such event has.
  Json eventOf(const char *phase, std::uint32_t region, std::uint64_t thread, std::uint64_t at) const;
  void emit(const Json &event) {
    out.write((hasEvents ? ",\n" : "\n") + jsonText(event));
    hasEvents = true;
  }

  Output &out;
  /// A time of the launch or the warp at hand.
  double timeOf(std::uint64_t ns) const { return static_cast<double>(static_cast<std::int64_t>(ns) + shiftNs) / 1000; }

  const TimelinePlacement *placement = nullptr;
  std::string label;
  std::int64_t shiftNs = 0;
  const TimelineContext *context = nullptr;
  std::string warpName;
  bool hasEvents = false;
  std::uint64_t firstProcess = 0;
  std::unordered_set<std::uint64_t> processes;
  std::map<std::uint32_t, std::uint64_t> hostProcesses; ///< as the system numbers them, and here
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool, std::uint32_t>, std::uint64_t>
      hostThreads; ///< by process, thread, whether it starts and ends ranges, and lane
  std::uint64_t process = 0, lastThread = 0;
  std::vector<std::uint64_t> threads; ///< of the warp, by lane
  struct WarpTrack {
    std::uint64_t process, thread;
    std::int64_t shiftNs;
  };
  std::vector<WarpTrack> warps;
  std::uint64_t lastEdge = 0;
  std::map<std::pair<std::uint32_t, std::optional<std::uint64_t>>, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      launchLanes; ///< by device and stream: time of the last end, thread
};

std::string ChromeTimeline::deviceText(std::uint32_t device, std::string_view part) const {
  const auto devices = context->trace.devices();
  if (device >= devices.size())
    return fmt::format("{}device ? {}", label, part);
  const std::string_view name = context->trace.string(devices[device].name);
  return fmt::format("{}device {} {}{}", label, devices[device].device, part, name.empty() ? "" : fmt::format(" ({})", name));
}

Json ChromeTimeline::eventOf(const char *phase, std::uint32_t region, std::uint64_t thread, std::uint64_t at) const {
  const Region &row = context->regions[region];
  return {{"ph", phase}, {"name", row.name}, {"cat", named(row.kind)}, {"pid", process}, {"tid", thread}, {"ts", timeOf(at)}};
}

void ChromeTimeline::describeProcess(std::uint64_t id, const std::string &name, std::uint64_t sortIndex) {
  emit({{"ph", "M"}, {"name", "process_name"}, {"pid", id}, {"args", {{"name", name}}}});
  emit({{"ph", "M"}, {"name", "process_sort_index"}, {"pid", id}, {"args", {{"sort_index", sortIndex}}}});
}

std::uint64_t ChromeTimeline::processOf(std::uint32_t device, std::uint64_t sm) {
  const std::uint64_t id = firstProcess + device * kProcessesOfDevice + sm + 1;
  if (processes.insert(id).second) {
    describeProcess(id, deviceText(device, fmt::format("{} {}", termsOf(context->trace).sm, sm)), id);
  }
  return id;
}

std::uint64_t ChromeTimeline::launchProcessOf(std::uint32_t device) {
  const std::uint64_t first = firstProcess + device * kProcessesOfDevice, id = first + kProcessesOfDevice - 1;
  if (processes.insert(id).second) {
    describeProcess(id, deviceText(device, "launches"), first);
  }
  return id;
}

std::uint64_t ChromeTimeline::newThread(const std::string &name) {
  const std::uint64_t id = ++lastThread;
  emit({{"ph", "M"}, {"name", "thread_name"}, {"pid", process}, {"tid", id}, {"args", {{"name", name}}}});
  emit({{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", process}, {"tid", id}, {"args", {{"sort_index", id}}}});
  return id;
}

std::uint64_t ChromeTimeline::hostProcessOf(std::uint32_t which) {
  const std::uint64_t next = firstProcess + kProcessesOfTrace - 1 - hostProcesses.size();
  const auto [entry, isNew] = hostProcesses.try_emplace(which, next);
  if (isNew)
    describeProcess(next, fmt::format("{}host (process {})", label, which), firstProcess);
  return entry->second;
}

void ChromeTimeline::hostRange(const TimelineHostRange &range) {
  process = hostProcessOf(range.process);
  const bool isStarted = range.kind == format::HostRangeKind::Started, isMark = range.kind == format::HostRangeKind::Mark;
  const auto [thread, isNew] = hostThreads.try_emplace({range.process, range.thread, isStarted, range.lane});
  if (isNew)
    thread->second = newThread(fmt::format("thread {}{}{}", range.thread, isStarted ? ", started ranges" : "",
                                           range.lane > 0 ? fmt::format(", overlapping {}", range.lane) : ""));
  shiftNs = 0;
  Json event = {{"ph", isMark ? "i" : "X"}, {"name", range.name},    {"cat", "nvtx"},
                {"pid", process},           {"tid", thread->second}, {"ts", timeOf(static_cast<std::uint64_t>(range.begin))}};
  if (isMark)
    event["s"] = "t";
  else
    event["dur"] = microseconds(range.length());
  Json arguments = Json::object();
  if (!range.domain.empty())
    arguments["domain"] = range.domain;
  if (range.color != 0)
    arguments["color"] = fmt::format("#{:06x}", range.color & 0xffffff);
  if (range.isOpen)
    arguments["unended"] = true;
  if (!arguments.empty())
    event["args"] = std::move(arguments);
  emit(event);
}

void ChromeTimeline::launch(const TimelineLaunch &launch) {
  shiftNs = shiftOf(launch.device, launch.gridId, launch.begin);
  process = launchProcessOf(launch.device);
  auto &lanes = launchLanes[{launch.device, launch.stream}];
  auto lane = std::ranges::find_if(lanes, [&](const auto &entry) { return entry.first <= launch.begin; });
  if (lane == lanes.end() && lanes.size() < 64)
    lane = lanes.insert(lanes.end(), {0, newThread(streamText(launch.stream))});
  else if (lane == lanes.end())
    --lane;
  lane->first = std::max(lane->first, launch.end);
  emit({{"ph", "X"},
        {"name", launch.kernel},
        {"cat", "launch"},
        {"pid", process},
        {"tid", lane->second},
        {"ts", timeOf(launch.begin)},
        {"dur", microseconds(launch.end - launch.begin)},
        {"args", {{"grid", launch.gridId}, {"warps", launch.warps}}}});
}

bool ChromeTimeline::warp(const TimelineWarp &what) {
  const WarpSpans &warp = what.warp;
  shiftNs = shiftOf(what.device, warp.header.gridId, what.begin);
  process = processOf(what.device, warp.header.sm);
  const VendorTerms &terms = termsOf(context->trace);
  warpName = fmt::format("{} {} {} {} (grid {}", terms.block, warp.header.block, terms.warp, warp.header.warp, warp.header.gridId);
  const std::string role = what.role == RegionSet::kNone ? "" : ", " + context->regions[what.role].name;
  threads.assign(1, newThread(warpName + role + ")"));
  if (context->regions.hasWaits())
    warps.push_back({process, threads[0], shiftNs});
  Json arguments = {{"cycles", warp.cycles()},  {"grid", warp.header.gridId},      {"block", warp.header.block},
                    {"warp", warp.header.warp}, {"records", warp.counts.produced}, {"dropped", warp.counts.dropped}};
  if (!warp.isFinished)
    arguments["unfinished"] = true;
  emit({{"ph", "X"},
        {"name", what.kernel},
        {"cat", "kernel"},
        {"pid", process},
        {"tid", threads[0]},
        {"ts", timeOf(what.begin)},
        {"dur", microseconds(what.end - what.begin)},
        {"args", std::move(arguments)}});
  return true;
}

void ChromeTimeline::span(const TimelineSpan &what) {
  while (threads.size() <= what.lane)
    threads.push_back(newThread(fmt::format("{}, overlapping {})", warpName, threads.size())));
  const bool isWait = context->regions.kinds()[what.span.region] == format::RegionKind::Wait;
  Json event = eventOf("X", what.span.region, threads[what.lane], what.begin);
  event["dur"] = microseconds(what.end - what.begin);
  event["args"] = {{"cycles", what.span.cycles()}};
  if (isWait)
    event["args"]["object"] = what.span.lanes;
  else
    event["args"]["lanes"] = laneMask(what.span.lanes);
  emit(event);
}

void ChromeTimeline::mark(const Mark &mark, std::uint64_t at) {
  Json event = eventOf("i", mark.region, threads[0], at);
  event["s"] = "t"; // as high as its thread
  const bool isSignal = context->regions.kinds()[mark.region] == format::RegionKind::Signal;
  event["args"] = {{isSignal ? "object" : "payload", mark.payload}, {"lanes", laneMask(mark.lanes)}};
  emit(event);
}

void ChromeTimeline::edge(const TimelineEdge &edge) {
  const auto &[fromProcess, fromThread, shift] = warps[edge.fromWarp];
  const auto &[toProcess, toThread, sameShift] = warps[edge.toWarp]; // a warp of the same block
  shiftNs = shift;
  Json event = {
      {"ph", "s"},         {"id", ++lastEdge},       {"name", context->regions[edge.by].work()}, {"cat", "release"}, {"pid", fromProcess},
      {"tid", fromThread}, {"ts", timeOf(edge.from)}};
  emit(event);
  event.update({{"ph", "f"}, {"bp", "e"}, {"pid", toProcess}, {"tid", toThread}, {"ts", timeOf(edge.tip())}});
  emit(event);
}

void ChromeTimeline::active(std::uint32_t device, std::uint64_t at, double warps) {
  count(device, fmt::format("active {}s", termsOf(context->trace).warp), at, warps);
}

void ChromeTimeline::activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) {
  count(
      device,
      fmt::format("{}s in {}", termsOf(context->trace).warp, region == RegionSet::kNone ? "other regions" : context->regions[region].name),
      at, warps);
}

void ChromeTimeline::count(std::uint32_t device, const std::string &name, std::uint64_t at, double warps) {
  const std::uint64_t id = launchProcessOf(device);
  shiftNs = placement ? placement->shiftOf(device) : context->shiftAt(device, at);
  emit({{"ph", "C"}, {"name", name}, {"pid", id}, {"ts", timeOf(at)}, {"args", {{"warps", jsonNumber(warps, 6)}}}});
}

} // namespace

Expected<TimelineSummary> writeChromeTimeline(std::span<const TimelinePart> parts, const TimelineOptions &options, Output &out) {
  out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  bool hasEvents = false;
  auto summary = runTimelines(parts, options, [&](const TimelinePart &part, const TimelineOptions &own) {
    ChromeTimeline sink(out, part, hasEvents);
    auto one = runTimeline(part, own, sink);
    hasEvents |= sink.hasWritten();
    return one;
  });
  Json about = {{"trace", parts.front().trace.name()}, {"target", named(parts.front().trace.header().target)}};
  if (parts.size() > 1) {
    about["trace"] = Json::array();
    for (const TimelinePart &part : parts)
      about["trace"].push_back(part.trace.name());
  }
  out.write("\n],\"otherData\":" + jsonText(about) + "}\n");
  return summary;
}

Expected<TimelineSummary> writeChromeTimeline(const Trace &trace, const TimelineOptions &options, const OtherTimeline &other,
                                              const TimelinePlacement &placement, Output &out) {
  ChromeTimeline sink(out, placement, other.hasEvents());
  out.write(other.head());
  auto summary = runTimeline(trace, options, sink);
  out.write(other.tail());
  return summary;
}

} // namespace kperf::decoder
