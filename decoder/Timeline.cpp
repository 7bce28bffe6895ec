// Writes a trace as a timeline that Perfetto and chrome://tracing open (Trace Event Format, JSON object form).
#include "Timeline.h"
#include "FormatNames.h"
#include "Glob.h"
#include "KernelName.h"
#include "LaunchLedger.h"
#include "Nesting.h"
#include "SpanDecoder.h"
#include "Utf8.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <unordered_set>

namespace kperf::decoder {
namespace {

/// First pass: the clocks of every launch.
class ClockPass final : public TraceVisitor {
public:
  ClockPass(const Trace &trace, LaunchLedger &ledger) : trace(trace), ledger(ledger) {
    for (std::uint32_t i = 0; i < trace.devices().size(); ++i)
      ledger.setDevice(i, {trace.devices()[i].timerTickNs, trace.devices()[i].warpLanes});
  }
  void warps(const format::WarpsHeader &head) override { device = trace.deviceIndex(head.device); }
  void warp(const format::WarpHeader &warp) override {
    if ((warp.flags & format::kWarpContinued) == 0)
      ledger.add(device, 0, warp, isFinished(warp));
  }

private:
  const Trace &trace;
  LaunchLedger &ledger;
  std::uint32_t device = 0;
};

/// Turns the cycles of one warp into ns from the start of the trace.
struct WarpClock {
  ClockOrigin origin;
  double nsPerCycle;
  std::uint64_t base;

  std::uint64_t operator()(std::uint64_t cycles) const {
    const auto signedDifference = [](std::uint64_t a, std::uint64_t b) {
      return static_cast<double>(static_cast<std::int64_t>(a - b));
    };
    const double ns =
        signedDifference(origin.ns, base) + origin.fraction + signedDifference(cycles, origin.cycles) * nsPerCycle;
    return static_cast<std::uint64_t>(std::clamp(std::round(ns), 0.0, 9e18));
  }
};

/// Second pass: one thread of events for each warp.
class EventPass final : public WarpSink {
public:
  EventPass(const Trace &trace, const RegionSet &regions, const LaunchLedger &ledger, const TimelineOptions &options,
            Output &out)
      : trace(trace), regions(regions), ledger(ledger), options(options), out(out), regionNames(regions.size()) {}

  void warp(const WarpSpans &warp) override;
  void damagedWarp(const format::WarpHeader &, std::uint32_t) override { ++damaged; }
  TimelineSummary finish();

private:
  struct Kernel {
    std::string name; ///< a JSON string
    bool isSelected;
  };
  const Kernel &kernelOf(const format::WarpHeader &header);
  const std::string &regionName(std::uint32_t region);
  WarpClock clockOf(std::uint32_t device, const format::WarpHeader &header);
  std::uint64_t processOf(std::uint32_t device, std::uint32_t ordinal, std::uint32_t sm);
  std::uint64_t newThread(const format::WarpHeader &header, std::size_t lane);
  void addWarpEvent(const WarpSpans &warp, const Kernel &kernel, std::uint64_t begin, std::uint64_t end);
  void addSpans(const WarpSpans &warp, const WarpClock &clock);
  void addMarks(const WarpSpans &warp, const WarpClock &clock);
  bool isInWindow(std::uint64_t begin, std::uint64_t end) const {
    return static_cast<double>(end) >= options.fromNs && static_cast<double>(begin) <= options.toNs;
  }
  /// Whether there is room for one more event; counts it as left out otherwise.
  bool takesEvent() {
    const bool isRoom = options.mostEvents == 0 || summary.events < options.mostEvents;
    ++(isRoom ? summary.events : summary.overLimit);
    return isRoom;
  }
  template <typename... T> void emit(fmt::format_string<T...> text, T &&...values) {
    line = hasEvents ? ",\n" : "\n";
    hasEvents = true;
    fmt::format_to(std::back_inserter(line), text, std::forward<T>(values)...);
    out.write(line);
  }

  const Trace &trace;
  const RegionSet &regions;
  const LaunchLedger &ledger;
  const TimelineOptions &options;
  Output &out;
  Nesting nesting;
  TimelineSummary summary;
  std::uint64_t damaged = 0;
  std::string line;
  bool hasEvents = false;
  std::vector<std::string> regionNames;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Kernel> kernels;
  std::unordered_set<std::uint64_t> processes;
  std::uint64_t process = 0, thread = 0, lastThread = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lanes; ///< of overlapping spans: end of the last one, thread
  bool isNominal = false, isUnknown = false;
};

bool contains(const TimelineOptions::Ranges &ranges, std::uint64_t value) {
  return ranges.empty() ||
         std::ranges::any_of(ranges, [&](const auto &range) { return value >= range.first && value <= range.second; });
}

const EventPass::Kernel &EventPass::kernelOf(const format::WarpHeader &header) {
  if (kernels.size() > 65536)
    kernels.clear();
  const auto [entry, isNew] = kernels.try_emplace({header.kernel, header.nameAddress});
  if (isNew) {
    const auto [name, plain, region] = kernelNameOf(trace, regions, header);
    entry->second = {jsonQuoted(name), matches(options.kernel, name) || matches(options.kernel, plain)};
  }
  return entry->second;
}

const std::string &EventPass::regionName(std::uint32_t region) {
  std::string &name = regionNames[region];
  if (name.empty())
    name = fmt::format("{},\"cat\":\"{}\"", jsonQuoted(regions[region].name), named(regions[region].kind));
  return name;
}

WarpClock EventPass::clockOf(std::uint32_t device, const format::WarpHeader &header) {
  const LaunchLedger::Placement *placement = ledger.placement(device, header.gridId);
  const bool isListed = device < trace.devices().size();
  ClockRate rate =
      chooseRate(trace.header().target, placement ? placement->clock : RateSums(), ledger.deviceClock(device),
                 isListed ? trace.devices()[device].timerTickNs : 0, isListed ? trace.devices()[device].clockKhz : 0);
  isNominal |= rate.source == ClockRate::Source::Nominal;
  isUnknown |= !rate.isKnown();
  WarpClock clock{{header.sm, header.startCycles, header.startNs, 0},
                  rate.isKnown() ? rate.nsPerCycle : 1,
                  ledger.earliestNs().value_or(0)};
  if (placement) {
    const auto origin = std::ranges::lower_bound(placement->origins, header.sm, {}, &ClockOrigin::sm);
    if (origin != placement->origins.end() && origin->sm == header.sm)
      clock.origin = *origin;
  }
  return clock;
}

std::uint64_t EventPass::processOf(std::uint32_t device, std::uint32_t ordinal, std::uint32_t sm) {
  const std::uint64_t id = std::uint64_t{device} * 65536 + sm + 1;
  if (processes.insert(id).second) {
    const format::DeviceRecord *record = trace.device(ordinal);
    const std::string name = record ? std::string(trace.string(record->name)) : "";
    emit(R"json({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})json", id,
         jsonQuoted(fmt::format("device {} SM {}{}", ordinal, sm, name.empty() ? "" : " (" + name + ")")));
    emit(R"json({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})json", id, id);
  }
  return id;
}

std::uint64_t EventPass::newThread(const format::WarpHeader &header, std::size_t lane) {
  const std::uint64_t id = ++lastThread;
  emit(
      R"json({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"block {} warp {} (grid {}{})"}}}})json",
      process, id, header.block, header.warp, header.gridId, lane == 0 ? "" : fmt::format(", overlapping {}", lane));
  emit(R"json({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})json", process, id,
       id);
  return id;
}

void EventPass::warp(const WarpSpans &warp) {
  const std::uint32_t device = trace.deviceIndex(warp.device);
  const Kernel &kernel = kernelOf(warp.header);
  const WarpClock clock = clockOf(device, warp.header);
  const std::uint64_t begin = clock(warp.begin), end = clock(warp.end);
  if (!kernel.isSelected || !contains(options.sms, warp.header.sm) || !contains(options.blocks, warp.header.block) ||
      !isInWindow(begin, end)) {
    ++summary.filtered;
    return;
  }
  const RecordCounts &counts = warp.counts;
  summary.lost +=
      counts.dropped + counts.unmatchedBegins + counts.unmatchedEnds + counts.empty + counts.stale + counts.damaged;
  if (!takesEvent()) {
    summary.overLimit += warp.spans.size() + warp.marks.size();
    return;
  }
  ++summary.warps;
  process = processOf(device, warp.device, warp.header.sm);
  thread = newThread(warp.header, 0);
  addWarpEvent(warp, kernel, begin, end);
  nesting.build(warp, regions);
  addSpans(warp, clock);
  addMarks(warp, clock);
}

void EventPass::addWarpEvent(const WarpSpans &warp, const Kernel &kernel, std::uint64_t begin, std::uint64_t end) {
  emit(
      R"json({{"ph":"X","name":{},"cat":"kernel","pid":{},"tid":{},"ts":{}.{:03},"dur":{}.{:03},"args":{{"cycles":{},"grid":{},"block":{},"warp":{},"records":{},"dropped":{}{}}}}})json",
      kernel.name, process, thread, begin / 1000, begin % 1000, (end - begin) / 1000, (end - begin) % 1000,
      warp.cycles(), warp.header.gridId, warp.header.block, warp.header.warp, warp.counts.produced, warp.counts.dropped,
      warp.isFinished ? "" : ",\"unfinished\":true");
}

void EventPass::addSpans(const WarpSpans &warp, const WarpClock &clock) {
  lanes.clear();
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const Span &span = warp.spans[i];
    const std::uint64_t begin = clock(span.begin), end = clock(span.end);
    if (!isInWindow(begin, end) || !takesEvent())
      continue;
    std::uint64_t on = thread;
    if (nesting.parents()[i] == Nesting::kOverlapping) {
      auto lane = std::ranges::find_if(lanes, [&](const auto &entry) { return entry.first <= span.begin; });
      if (lane == lanes.end() && lanes.size() < 256)
        lane = lanes.insert(lanes.end(), {0, newThread(warp.header, lanes.size() + 1)});
      else if (lane == lanes.end())
        --lane;
      lane->first = std::max(lane->first, span.end);
      on = lane->second;
    }
    emit(
        R"json({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{}.{:03},"dur":{}.{:03},"args":{{"cycles":{},"lanes":"{:#010x}"}}}})json",
        regionName(span.region), process, on, begin / 1000, begin % 1000, (end - begin) / 1000, (end - begin) % 1000,
        span.cycles(), span.lanes);
  }
}

void EventPass::addMarks(const WarpSpans &warp, const WarpClock &clock) {
  for (const Mark &mark : warp.marks) {
    const std::uint64_t at = clock(mark.at);
    if (!isInWindow(at, at) || !takesEvent())
      continue;
    emit(
        R"json({{"ph":"i","s":"t","name":{},"pid":{},"tid":{},"ts":{}.{:03},"args":{{"payload":{},"lanes":"{:#010x}"}}}})json",
        regionName(mark.region), process, thread, at / 1000, at % 1000, mark.payload, mark.lanes);
  }
}

TimelineSummary EventPass::finish() {
  if (damaged > 0)
    summary.notes.push_back(
        fmt::format("{} warps ended before they began by their own clocks and were left out", damaged));
  if (isNominal)
    summary.notes.push_back("some kernels ran too briefly to measure their clock: their times assume the nominal one");
  if (isUnknown)
    summary.notes.push_back("some kernels ran too briefly to measure their clock, and the nominal one is unknown: a "
                            "cycle is shown as 1 ns");
  return std::move(summary);
}

} // namespace

Expected<TimelineSummary> writeTimeline(const Trace &trace, const TimelineOptions &options, Output &out) {
  LaunchLedger ledger(true);
  ClockPass clocks(trace, ledger);
  if (Status status = trace.visit(clocks); !status)
    return failure(status.error());
  ledger.finish();
  RegionSet regions;
  regions.add(trace);
  EventPass events(trace, regions, ledger, options, out);
  out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  Status status = SpanDecoder(regions, events).run(trace);
  out.write(fmt::format("\n],\"otherData\":{{\"trace\":{},\"target\":{}}}}}\n", jsonQuoted(trace.name()),
                        jsonQuoted(named(trace.header().target))));
  if (!status)
    return failure(status.error());
  return events.finish();
}

} // namespace kperf::decoder
