// Writes a timeline in the Trace Event Format (JSON object form), which Perfetto and chrome://tracing open.
#include "decoder/io/Utf8.h"
#include "decoder/timeline/Timeline.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace kperf::decoder {
namespace {

/// Processes are numbered by device and SM, with room for a device's launches before its SMs.
constexpr std::uint64_t kProcessesOfDevice = 131072;

class ChromeTimeline final : public TimelineSink {
public:
  explicit ChromeTimeline(Output &out) : out(out) {}

  void start(const TimelineContext &what) override {
    context = &what;
    regionNames.resize(what.regions.size());
  }
  void launch(const TimelineLaunch &launch) override;
  bool warp(const TimelineWarp &warp) override;
  void span(const TimelineSpan &span) override;
  void mark(const Mark &mark, std::uint64_t at) override;
  bool showsEdges() const override { return true; }
  void edge(const TimelineEdge &edge) override;
  void active(std::uint32_t device, std::uint64_t at, double warps) override;
  void activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) override;

private:
  const std::string &regionName(std::uint32_t region);
  std::string deviceText(std::uint32_t device, std::string_view part) const;
  std::uint64_t processOf(std::uint32_t device, std::uint64_t sm);
  std::uint64_t launchProcessOf(std::uint32_t device);
  std::uint64_t newThread(const std::string &name);
  template <typename... T> void emit(fmt::format_string<T...> text, T &&...values) {
    line = hasEvents ? ",\n" : "\n";
    hasEvents = true;
    fmt::format_to(std::back_inserter(line), text, std::forward<T>(values)...);
    out.write(line);
  }

  Output &out;
  const TimelineContext *context = nullptr;
  std::string line, warpName;
  bool hasEvents = false;
  std::vector<std::string> regionNames;
  std::unordered_set<std::uint64_t> processes;
  std::uint64_t process = 0, lastThread = 0;
  std::vector<std::uint64_t> threads;                         ///< of the warp, by lane
  std::vector<std::pair<std::uint64_t, std::uint64_t>> warps; ///< process and thread of each
  std::uint64_t lastEdge = 0;
  std::map<std::pair<std::uint32_t, std::optional<std::uint64_t>>, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      launchLanes; ///< by device and stream: time of the last end, thread
};

const std::string &ChromeTimeline::regionName(std::uint32_t region) {
  std::string &name = regionNames[region];
  if (name.empty()) {
    const Region &row = context->regions[region];
    name = fmt::format("{},\"cat\":\"{}\"", jsonQuoted(row.name), named(row.kind));
  }
  return name;
}

std::string ChromeTimeline::deviceText(std::uint32_t device, std::string_view part) const {
  const auto devices = context->trace.devices();
  if (device >= devices.size())
    return fmt::format("device ? {}", part);
  const std::string_view name = context->trace.string(devices[device].name);
  return fmt::format("device {} {}{}", devices[device].device, part, name.empty() ? "" : fmt::format(" ({})", name));
}

std::uint64_t ChromeTimeline::processOf(std::uint32_t device, std::uint64_t sm) {
  const std::uint64_t id = device * kProcessesOfDevice + sm + 1;
  if (processes.insert(id).second) {
    emit(R"json({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})json", id,
         jsonQuoted(deviceText(device, fmt::format("{} {}", termsOf(context->trace).sm, sm))));
    emit(R"json({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})json", id, id);
  }
  return id;
}

std::uint64_t ChromeTimeline::launchProcessOf(std::uint32_t device) {
  const std::uint64_t id = device * kProcessesOfDevice + kProcessesOfDevice - 1;
  if (processes.insert(id).second) {
    emit(R"json({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})json", id, jsonQuoted(deviceText(device, "launches")));
    emit(R"json({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})json", id, device * kProcessesOfDevice);
  }
  return id;
}

std::uint64_t ChromeTimeline::newThread(const std::string &name) {
  const std::uint64_t id = ++lastThread;
  emit(R"json({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})json", process, id, jsonQuoted(name));
  emit(R"json({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})json", process, id, id);
  return id;
}

void ChromeTimeline::launch(const TimelineLaunch &launch) {
  process = launchProcessOf(launch.device);
  auto &lanes = launchLanes[{launch.device, launch.stream}];
  auto lane = std::ranges::find_if(lanes, [&](const auto &entry) { return entry.first <= launch.begin; });
  if (lane == lanes.end() && lanes.size() < 64)
    lane = lanes.insert(lanes.end(), {0, newThread(streamText(launch.stream))});
  else if (lane == lanes.end())
    --lane;
  lane->first = std::max(lane->first, launch.end);
  const std::uint64_t length = launch.end - launch.begin;
  emit(R"json({{"ph":"X","name":{},"cat":"launch","pid":{},"tid":{},"ts":{}.{:03},"dur":{}.{:03},)json"
       R"json("args":{{"grid":{},"warps":{}}}}})json",
       jsonQuoted(launch.kernel), process, lane->second, launch.begin / 1000, launch.begin % 1000, length / 1000, length % 1000,
       launch.gridId, launch.warps);
}

bool ChromeTimeline::warp(const TimelineWarp &what) {
  const WarpSpans &warp = what.warp;
  const std::uint64_t begin = what.begin, length = what.end - what.begin;
  process = processOf(what.device, warp.header.sm);
  const VendorTerms &terms = termsOf(context->trace);
  warpName = fmt::format("{} {} {} {} (grid {}", terms.block, warp.header.block, terms.warp, warp.header.warp, warp.header.gridId);
  const std::string role = what.role == RegionSet::kNone ? "" : ", " + context->regions[what.role].name;
  threads.assign(1, newThread(warpName + role + ")"));
  if (context->regions.hasWaits())
    warps.emplace_back(process, threads[0]);
  emit(R"json({{"ph":"X","name":{},"cat":"kernel","pid":{},"tid":{},"ts":{}.{:03},"dur":{}.{:03},)json"
       R"json("args":{{"cycles":{},"grid":{},"block":{},"warp":{},"records":{},"dropped":{}{}}}}})json",
       jsonQuoted(what.kernel), process, threads[0], begin / 1000, begin % 1000, length / 1000, length % 1000, warp.cycles(),
       warp.header.gridId, warp.header.block, warp.header.warp, warp.counts.produced, warp.counts.dropped,
       warp.isFinished ? "" : ",\"unfinished\":true");
  return true;
}

void ChromeTimeline::span(const TimelineSpan &what) {
  const std::uint64_t begin = what.begin, length = what.end - what.begin;
  while (threads.size() <= what.lane)
    threads.push_back(newThread(fmt::format("{}, overlapping {})", warpName, threads.size())));
  const bool isWait = context->regions.kinds()[what.span.region] == format::RegionKind::Wait;
  emit(R"json({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{}.{:03},"dur":{}.{:03},"args":{{"cycles":{},{}}}}})json",
       regionName(what.span.region), process, threads[what.lane], begin / 1000, begin % 1000, length / 1000, length % 1000,
       what.span.cycles(), isWait ? fmt::format("\"object\":{}", what.span.lanes) : fmt::format("\"lanes\":\"{:#010x}\"", what.span.lanes));
}

void ChromeTimeline::mark(const Mark &mark, std::uint64_t at) {
  emit(R"json({{"ph":"i","s":"t","name":{},"pid":{},"tid":{},"ts":{}.{:03},)json"
       R"json("args":{{"{}":{},"lanes":"{:#010x}"}}}})json",
       regionName(mark.region), process, threads[0], at / 1000, at % 1000,
       context->regions.kinds()[mark.region] == format::RegionKind::Signal ? "object" : "payload", mark.payload, mark.lanes);
}

void ChromeTimeline::edge(const TimelineEdge &edge) {
  const auto [fromProcess, fromThread] = warps[edge.fromWarp];
  const auto [toProcess, toThread] = warps[edge.toWarp];
  const std::string name = jsonQuoted(context->regions[edge.by].work());
  ++lastEdge;
  emit(R"json({{"ph":"s","id":{},"name":{},"cat":"release","pid":{},"tid":{},"ts":{}.{:03}}})json", lastEdge, name, fromProcess, fromThread,
       edge.from / 1000, edge.from % 1000);
  emit(R"json({{"ph":"f","bp":"e","id":{},"name":{},"cat":"release","pid":{},"tid":{},"ts":{}.{:03}}})json", lastEdge, name, toProcess,
       toThread, edge.tip() / 1000, edge.tip() % 1000);
}

void ChromeTimeline::active(std::uint32_t device, std::uint64_t at, double warps) {
  emit(R"json({{"ph":"C","name":"active {}s","pid":{},"ts":{}.{:03},"args":{{"warps":{:.6g}}}}})json", termsOf(context->trace).warp,
       launchProcessOf(device), at / 1000, at % 1000, warps);
}

void ChromeTimeline::activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) {
  emit(R"json({{"ph":"C","name":{},"pid":{},"ts":{}.{:03},"args":{{"warps":{:.6g}}}}})json",
       jsonQuoted(fmt::format("{}s in {}", termsOf(context->trace).warp,
                              region == RegionSet::kNone ? "other regions" : context->regions[region].name)),
       launchProcessOf(device), at / 1000, at % 1000, warps);
}

} // namespace

Expected<TimelineSummary> writeChromeTimeline(const Trace &trace, const TimelineOptions &options, Output &out) {
  ChromeTimeline sink(out);
  out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  auto summary = runTimeline(trace, options, sink);
  out.write(fmt::format("\n],\"otherData\":{{\"trace\":{},\"target\":{}}}}}\n", jsonQuoted(trace.name()),
                        jsonQuoted(named(trace.header().target))));
  return summary;
}

} // namespace kperf::decoder
