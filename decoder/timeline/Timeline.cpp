// Places the warps of a trace on one time axis and chooses what is shown.
#include "decoder/timeline/Timeline.h"
#include "decoder/span/ActiveWarps.h"
#include "decoder/span/KernelName.h"
#include "decoder/span/Nesting.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/timeline/TimelineEdges.h"
#include "decoder/totals/LaunchLedger.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace kperf::decoder {
namespace {

constexpr std::size_t kMaxLaunches = 65536, kMaxCountedRegions = 64;

/// First pass: the clocks of every launch, and its extent.
class ClockPass final : public TraceVisitor {
public:
  struct Launch {
    format::WarpHeader header; ///< of its first warp
    std::uint64_t startNs, endNs, warps, records;
  };

  ClockPass(const Trace &trace, LaunchLedger &ledger) : trace(trace), ledger(ledger) {
    for (std::uint32_t i = 0; i < trace.devices().size(); ++i)
      ledger.setDevice(i, {trace.devices()[i].timerTickNs, trace.devices()[i].warpLanes});
  }
  void warps(const format::WarpsHeader &head) override { device = trace.deviceIndex(head.device); }
  void launches(std::span<const format::LaunchRecord> rows) override {
    for (const format::LaunchRecord &row : rows)
      if ((row.flags & format::kLaunchPlain) == 0 && ++hostLaunches <= kMaxLaunches)
        byHost[trace.deviceIndex(row.device)].push_back({row.stream,
                                                         {row.grid[0], row.grid[1], row.grid[2]},
                                                         row.block[0] * row.block[1] * row.block[2],
                                                         (row.flags & format::kLaunchCaptured) != 0});
  }
  /// The streams of a device's launches, in the order of their grid ids; nothing unless the host made exactly these.
  std::vector<std::uint64_t> streams(std::uint32_t ofDevice) const;
  void warp(const format::WarpHeader &warp) override {
    if (warp.kernel == format::kCalibrationKernel)
      return;
    const bool isPart = (warp.flags & format::kWarpContinued) != 0;
    if (!isPart)
      ledger.add(device, 0, warp, isFinished(warp));
    const std::pair key{device, warp.gridId};
    auto found = seen.find(key);
    if (found == seen.end()) {
      if (seen.size() >= kMaxLaunches) {
        ++unlisted;
        return;
      }
      found = seen.emplace(key, Launch{warp, warp.startNs, warp.startNs, 0, 0}).first;
    }
    Launch &launch = found->second;
    launch.startNs = std::min(launch.startNs, warp.startNs);
    if (isFinished(warp))
      launch.endNs = std::max(launch.endNs, warp.endNs);
    latest = std::max(latest, launch.endNs);
    launch.warps += !isPart;
    launch.records += keptRecords(warp);
  }

  std::map<std::pair<std::uint32_t, std::uint64_t>, Launch> seen; ///< by device and grid id
  std::uint64_t latest = 0, unlisted = 0;

private:
  struct HostLaunch {
    std::uint64_t stream;
    std::array<std::uint32_t, 3> grid;
    std::uint32_t threads;
    bool isCaptured;
  };
  using HostLaunches = std::vector<HostLaunch>;

  const Trace &trace;
  LaunchLedger &ledger;
  std::uint32_t device = 0;
  std::map<std::uint32_t, HostLaunches> byHost; ///< by device
  std::size_t hostLaunches = 0;
};

std::vector<std::uint64_t> ClockPass::streams(std::uint32_t ofDevice) const {
  const auto host = byHost.find(ofDevice);
  std::vector<std::uint64_t> out;
  if (host == byHost.end() || unlisted > 0 || hostLaunches > kMaxLaunches)
    return out;
  auto next = host->second.begin();
  for (auto launch = seen.lower_bound({ofDevice, 0}); launch != seen.end() && launch->first.first == ofDevice; ++launch) {
    const format::WarpHeader &warp = launch->second.header;
    const std::array<std::uint32_t, 3> grid{warp.gridX, warp.gridY, warp.gridZ};
    const std::uint32_t threads = std::uint32_t{warp.blockX} * warp.blockY * warp.blockZ;
    if (next == host->second.end() || next->isCaptured || next->grid != grid || next->threads != threads)
      return {};
    out.push_back(next++->stream);
  }
  return next == host->second.end() ? out : std::vector<std::uint64_t>();
}

/// Second pass: everything goes to the sink.
class EventPass final : public WarpSink {
public:
  EventPass(const TimelineContext &context, const ClockPass &clocks, const LaunchLedger &ledger, const TimelineOptions &options,
            TimelineSink &sink)
      : context(context), clocks(clocks), ledger(ledger), options(options), sink(sink),
        edges(
            context.regions,
            [this](const TimelineEdge &edge) {
              if (isInWindow(edge.from, edge.to) && takesEvent())
                this->sink.edge(edge);
            },
            [this](TimelineRing ring) { this->sink.ring(std::move(ring)); }) {}

  void hostRanges();
  void launches();
  void warp(const WarpSpans &warp) override;
  void damagedWarp(const format::WarpHeader &, std::uint32_t) override { ++damaged; }
  TimelineSummary finish();

private:
  struct Kernel {
    std::string name;
    bool isSelected;
  };
  const Kernel &kernelOf(const format::WarpHeader &header);
  WarpClock clockOf(std::uint32_t device, const format::WarpHeader &header);
  void addSpans(const WarpSpans &warp, const WarpClock &clock);
  void addEdges(const WarpSpans &warp, std::uint32_t device, std::uint64_t shown, const WarpClock &clock);
  std::uint32_t roleOf(const WarpSpans &warp);
  void countRegions(const WarpSpans &warp, std::uint32_t device, const WarpClock &clock);
  std::uint32_t laneOf(const Span &span);
  bool isInWindow(std::uint64_t begin, std::uint64_t end) const {
    return static_cast<double>(end) + static_cast<double>(shiftNs) >= options.fromNs &&
           static_cast<double>(begin) + static_cast<double>(shiftNs) <= options.toNs;
  }
  /// Whether there is room for one more event; counts it as left out otherwise.
  bool takesEvent() {
    const bool isRoom = options.maxEvents == 0 || summary.events < options.maxEvents;
    ++(isRoom ? summary.events : summary.overLimit);
    return isRoom;
  }

  const TimelineContext &context;
  const ClockPass &clocks;
  const LaunchLedger &ledger;
  const TimelineOptions &options;
  TimelineSink &sink;
  TimelineEdges edges;
  std::uint64_t shownWarps = 0; ///< that the sink took
  Nesting nesting;
  TimelineSummary summary;
  std::uint64_t damaged = 0;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Kernel> kernels;
  std::map<std::uint32_t, ActiveWarps> active;                                  ///< by device
  std::map<std::pair<std::uint32_t, std::uint32_t>, ActiveWarps> activeRegions; ///< by device and region
  std::vector<std::uint32_t> depths;                                            ///< of the warp's spans
  std::vector<std::uint64_t> cyclesOf;                                          ///< by region, of the warp
  std::vector<std::uint64_t> lanes;                                             ///< of overlapping spans: end of the last one
  std::int64_t shiftNs = 0; ///< of the launch or the warp at hand, for a time on the axis
  bool isNominal = false, isUnknown = false;
};

bool contains(const TimelineOptions::Ranges &ranges, std::uint64_t value) {
  return ranges.empty() || std::ranges::any_of(ranges, [&](const auto &range) { return value >= range.first && value <= range.second; });
}

const EventPass::Kernel &EventPass::kernelOf(const format::WarpHeader &header) {
  if (kernels.size() > 65536)
    kernels.clear();
  const auto [entry, isNew] = kernels.try_emplace({header.kernel, header.nameAddress});
  if (isNew) {
    const auto [name, plain, region] = kernelNameOf(context.trace, context.regions, header);
    entry->second = {name, isMeant(options.kernel, name, plain)};
  }
  return entry->second;
}

WarpClock EventPass::clockOf(std::uint32_t device, const format::WarpHeader &header) {
  const Trace &trace = context.trace;
  const LaunchLedger::Placement *placement = ledger.placement(device, header.gridId);
  const bool isListed = device < trace.devices().size();
  ClockRate rate = chooseRate(trace.header().target, placement ? placement->clock : RateSums(), ledger.deviceClock(device),
                              isListed ? trace.devices()[device].timerTickNs : 0, isListed ? trace.devices()[device].clockKhz : 0);
  isNominal |= rate.source == ClockRate::Source::Nominal;
  isUnknown |= !rate.isKnown();
  WarpClock clock{
      {header.sm, header.startCycles, header.startNs, 0}, rate.isKnown() ? rate.nsPerCycle : 1, ledger.earliestNs().value_or(0)};
  if (placement) {
    const auto origin = std::ranges::lower_bound(placement->origins, header.sm, {}, &ClockOrigin::sm);
    if (origin != placement->origins.end() && origin->sm == header.sm)
      clock.origin = *origin;
  }
  return clock;
}

void EventPass::hostRanges() {
  if (!context.axis)
    return;
  std::vector<TimelineHostRange> ranges = context.axis->ranges(context.trace);
  std::erase_if(ranges, [&](const TimelineHostRange &range) {
    return static_cast<double>(range.end) < options.fromNs || static_cast<double>(range.begin) > options.toNs;
  });
  if (options.maxEvents > 0) // half of them: the rest is for kernels
    summary.overLimit += keepLongest(ranges, (options.maxEvents + 1) / 2);
  for (const TimelineHostRange &range : ranges)
    if (takesEvent())
      sink.hostRange(range);
  for (std::string &note : context.axis->notes())
    summary.notes.push_back(std::move(note));
}

void EventPass::launches() {
  const std::uint64_t base = ledger.earliestNs().value_or(0);
  std::optional<std::uint32_t> device;
  std::vector<std::uint64_t> streams; ///< of the device's launches that are left, the next one last
  for (const auto &[key, launch] : clocks.seen) {
    if (device != key.first) {
      streams = clocks.streams(key.first);
      std::ranges::reverse(streams);
    }
    device = key.first;
    std::optional<std::uint64_t> stream;
    if (!streams.empty()) {
      stream = streams.back();
      streams.pop_back();
    }
    const Kernel &kernel = kernelOf(launch.header);
    shiftNs = context.shiftAt(key.first, launch.startNs - base);
    const std::uint64_t begin = launch.startNs - base, end = std::max(launch.startNs, launch.endNs) - base;
    if (kernel.isSelected && isInWindow(begin, end))
      sink.launch({key.first,
                   key.second,
                   kernel.name,
                   begin,
                   end,
                   launch.warps,
                   launch.records,
                   stream,
                   {launch.header.gridX, launch.header.gridY, launch.header.gridZ},
                   {launch.header.blockX, launch.header.blockY, launch.header.blockZ}});
  }
}

/// How many warps are in each region, whatever the limit on events.
void EventPass::countRegions(const WarpSpans &warp, std::uint32_t device, const WarpClock &clock) {
  for (const Span &span : warp.spans) {
    std::pair key{device, span.region};
    auto found = activeRegions.find(key);
    if (found == activeRegions.end()) {
      if (activeRegions.size() >= kMaxCountedRegions)
        key.second = RegionSet::kNone;
      found = activeRegions.try_emplace(key, context.lengthNs).first;
    }
    found->second.add(clock(span.begin), clock(span.end));
  }
}

void EventPass::warp(const WarpSpans &warp) {
  const std::uint32_t device = context.trace.deviceIndex(warp.device);
  const Kernel &kernel = kernelOf(warp.header);
  const WarpClock clock = clockOf(device, warp.header);
  const std::uint64_t begin = clock(warp.begin), end = clock(warp.end);
  shiftNs = context.shiftAt(device, begin);
  const bool isSelected = kernel.isSelected && contains(options.sms, warp.header.sm) && contains(options.blocks, warp.header.block);
  if (!isSelected || !isInWindow(begin, end)) {
    ++summary.filtered;
    if (isSelected)
      addEdges(warp, device, TimelineEdge::kNotShown, clock);
    return;
  }
  active.try_emplace(device, context.lengthNs).first->second.add(begin, end);
  countRegions(warp, device, clock);
  const RecordCounts &counts = warp.counts;
  summary.lost += counts.dropped + counts.unmatchedBegins + counts.unmatchedEnds + counts.empty + counts.stale + counts.damaged;
  if (!takesEvent()) {
    summary.overLimit += warp.spans.size() + warp.marks.size();
    addEdges(warp, device, TimelineEdge::kNotShown, clock);
    return;
  }
  ++summary.warps;
  nesting.build(warp, context.regions);
  const bool isTaken = sink.warp({warp, device, kernel.name, begin, end, roleOf(warp)});
  if (isTaken) {
    addSpans(warp, clock);
    sink.endWarp();
  }
  addEdges(warp, device, isTaken ? shownWarps++ : TimelineEdge::kNotShown, clock);
}

/// Arrows need all warps of a block, whatever is shown of them.
void EventPass::addEdges(const WarpSpans &warp, std::uint32_t device, std::uint64_t shown, const WarpClock &clock) {
  if (!sink.showsEdges())
    return;
  const auto devices = context.trace.devices();
  edges.add(warp, device, device < devices.size() ? devices[device].warpLanes : 32, shown, clock);
}

/// The first lane whose last span has ended; the 256th takes what finds none.
std::uint32_t EventPass::laneOf(const Span &span) {
  auto lane = std::ranges::find_if(lanes, [&](std::uint64_t end) { return end <= span.begin; });
  if (lane == lanes.end() && lanes.size() < 256)
    lane = lanes.insert(lanes.end(), 0);
  else if (lane == lanes.end())
    --lane;
  *lane = std::max(*lane, span.end);
  return static_cast<std::uint32_t>(lane - lanes.begin()) + 1;
}

std::uint32_t EventPass::roleOf(const WarpSpans &warp) {
  cyclesOf.resize(context.regions.size());
  std::uint32_t role = RegionSet::kNone;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const Span &span = warp.spans.data()[i];
    if (context.regions.kinds()[span.region] == format::RegionKind::Wait)
      continue; // what a warp waits for is not what it does
    std::uint64_t &cycles = cyclesOf.data()[span.region];
    cycles += nesting.parents()[i] == Nesting::kOverlapping ? span.cycles() : nesting.exclusive()[i];
    if (cycles > most) {
      most = cycles;
      role = span.region;
    }
  }
  for (const Span &span : warp.spans)
    cyclesOf.data()[span.region] = 0;
  return role;
}

void EventPass::addSpans(const WarpSpans &warp, const WarpClock &clock) {
  lanes.clear();
  depths.resize(warp.spans.size());
  const auto parents = nesting.parents();
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const Span &span = warp.spans.data()[i];
    const std::int32_t parent = parents.data()[i];
    depths.data()[i] = parent >= 0 ? depths.data()[parent] + 1 : 0;
    const std::uint64_t begin = clock(span.begin), end = clock(span.end);
    if (!isInWindow(begin, end) || !takesEvent())
      continue;
    const std::uint32_t lane = parent == Nesting::kOverlapping ? laneOf(span) : 0;
    sink.span({span, begin, end, depths.data()[i], lane});
  }
  for (const Mark &mark : warp.marks)
    if (const std::uint64_t at = clock(mark.at); isInWindow(at, at) && takesEvent())
      sink.mark(mark, at);
}

TimelineSummary EventPass::finish() {
  edges.finish();
  for (const auto &[device, warps] : active)
    warps.forSteps([&, device = device](std::uint64_t at, double count) { sink.active(device, at, count); });
  for (const auto &[key, warps] : activeRegions)
    warps.forSteps([&, key = key](std::uint64_t at, double count) { sink.activeRegion(key.first, key.second, at, count); });
  if (damaged > 0)
    summary.notes.push_back(fmt::format("{} {}{} ended before they began by their own clocks and were left out", damaged,
                                        context.regions.terms().warp, damaged == 1 ? "" : "s"));
  if (const std::uint64_t unknown = edges.unknown(); unknown > 0)
    summary.notes.push_back(fmt::format("{} no arrow: who let {} go on is not known, or is in another {}; kperf overlap says why",
                                        unknown == 1 ? "1 wait has" : fmt::format("{} waits have", unknown), unknown == 1 ? "it" : "them",
                                        context.regions.terms().block));
  if (isNominal)
    summary.notes.push_back("some kernels ran too briefly to measure their clock: their times assume the nominal one");
  if (isUnknown)
    summary.notes.push_back("some kernels ran too briefly to measure their clock, and the nominal one is unknown: a "
                            "cycle is shown as 1 ns");
  if (clocks.unlisted > 0)
    summary.notes.push_back(fmt::format("only the first {} launches are on the launches' track", kMaxLaunches));
  return std::move(summary);
}

} // namespace

std::string streamText(const std::optional<std::uint64_t> &stream) {
  return !stream ? "launches" : *stream == 0 ? "default stream" : fmt::format("stream {:#x}", *stream);
}

Expected<TimelineSummary> runTimeline(const TimelinePart &part, const TimelineOptions &options, TimelineSink &sink) {
  const Trace &trace = part.trace;
  LaunchLedger ledger(true);
  ClockPass clocks(trace, ledger);
  if (Status status = trace.visit(clocks); !status)
    return failure(status.error());
  ledger.finish();
  RegionSet regions;
  regions.add(trace);
  const std::uint64_t base = ledger.earliestNs().value_or(0);
  const TimelineContext context{trace, regions, std::max(clocks.latest, base) - base, part.axis, base};
  EventPass events(context, clocks, ledger, options, sink);
  sink.start(context);
  events.hostRanges();
  events.launches();
  if (Status status = SpanDecoder(regions, events).run(trace); !status)
    return failure(status.error());
  TimelineSummary summary = events.finish();
  sink.end();
  return summary;
}

} // namespace kperf::decoder
