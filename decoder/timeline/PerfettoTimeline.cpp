// Writes a timeline in Perfetto's native format (perfetto.proto).
#include "decoder/io/Utf8.h"
#include "decoder/timeline/HostPlacement.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

#include <perfetto.pb.h>

namespace kperf::decoder {
namespace {

namespace protos = perfetto::protos;
using Event = protos::TrackEvent;
using Descriptor = protos::TrackDescriptor;
/// Each trace has a sequence of packets, with names of its own, and numbers tracks and flows from its own first one on.
constexpr unsigned kNumbersOfTraceLog2 = 40;
constexpr std::uint32_t kClearsState = 1, kNeedsState = 2;
/// Names of annotations, numbered from 1.
constexpr std::string_view kAnnotationNames[] = {"cycles", "grid",    "block", "warp",       "records", "dropped",
                                                 "lanes",  "payload", "warps", "unfinished", "object",  "unended"};
enum Annotation { kCycles = 1, kGrid, kBlock, kWarp, kRecords, kDropped, kLanes, kPayload, kWarps, kUnfinished, kObject, kUnended };
/// Tracks of devices, SMs and blocks have numbers made of what they are, above those of warps, which are counted.
constexpr std::uint64_t kMadeNumber = std::uint64_t{1} << 63;

class PerfettoTimeline final : public TimelineSink {
public:
  PerfettoTimeline(Output &out, const TimelinePart &part)
      : out(out), part(part), eventPacket(*events.add_packet()), event(*eventPacket.mutable_track_event()),
        descriptor(*descriptions.add_packet()->mutable_track_descriptor()) {
    eventPacket.set_trusted_packet_sequence_id(sequence());
    eventPacket.set_sequence_flags(kNeedsState);
    descriptions.mutable_packet(0)->set_trusted_packet_sequence_id(sequence());
  }

  void start(const TimelineContext &what) override;
  void hostRange(const TimelineHostRange &range) override;
  void launch(const TimelineLaunch &launch) override;
  bool warp(const TimelineWarp &warp) override;
  void span(const TimelineSpan &span) override;
  void mark(const Mark &mark, std::uint64_t at) override;
  void endWarp() override;
  bool showsEdges() const override { return true; }
  void edge(const TimelineEdge &edge) override;
  void active(std::uint32_t device, std::uint64_t at, double warps) override;
  void activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) override;
  void end() override;

private:
  /// Writes `event` as a slice's begin, or any other event, with what annotations it has so far.
  void put(Event::Type type, std::uint64_t track, std::uint64_t at, std::uint64_t name = 0);
  void annotate(Annotation name, std::uint64_t value);
  void track(std::uint64_t uuid, std::uint64_t parent, std::string_view name, Descriptor::ChildTracksOrdering order, std::int64_t rank,
             bool isCounter = false);
  void write(const protos::Trace &packets);
  std::uint64_t nameOf(const std::string &text);
  std::uint64_t regionName(std::uint32_t region);
  std::uint64_t deviceTrack(std::uint32_t device);
  std::uint64_t smTrack(std::uint32_t device, std::uint64_t sm);
  std::uint64_t blockTrack(const TimelineWarp &warp);
  std::uint64_t hostTrack(const TimelineHostRange &range);
  bool isNew(std::uint64_t uuid);
  std::uint32_t sequence() const { return static_cast<std::uint32_t>(part.number + 1); }
  /// A number of the trace's own for what `kind` and `index` say.
  std::uint64_t made(std::uint64_t kind, std::uint64_t index) const;

  Output &out;
  const TimelinePart &part;
  const TimelineContext *context = nullptr;
  protos::Trace events, descriptions; ///< of one packet each; a trace of more is theirs one behind the other
  protos::TracePacket &eventPacket;
  Event &event;
  Descriptor &descriptor;
  std::vector<std::uint8_t> bytes; ///< room for what is written
  std::unordered_map<std::string, std::uint64_t> names;
  std::vector<std::uint64_t> regionNames;
  std::array<std::uint64_t, 65536> announced{}; ///< tracks that were described lately; again does no harm
  std::uint64_t lastTrack = part.number << kNumbersOfTraceLog2;
  std::vector<std::uint64_t> lanes; ///< tracks of the warp
  std::vector<std::uint64_t> warps; ///< the first track of each
  std::uint64_t lastEdge = part.number << kNumbersOfTraceLog2;
  std::int64_t shiftNs = 0;                                     ///< of the launch or the warp at hand, for a time on the axis
  std::map<std::uint64_t, std::vector<std::uint64_t>> hostEnds; ///< by track: ends of the ranges around the next one, the innermost last
  std::uint64_t hostRank = 0;
  std::vector<std::uint64_t> openEnds; ///< of the spans around the next one, and of the warp
  std::map<std::pair<std::uint32_t, std::optional<std::uint64_t>>, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      launchLanes; ///< by device and stream: time of the last end, track
};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return (x ^ (x >> 33)) | kMadeNumber;
}

std::uint64_t PerfettoTimeline::made(std::uint64_t kind, std::uint64_t index) const {
  return part.number == 0 ? mixed(kind, index) : mixed(mixed(kind, index), part.number);
}

/// Text as protobuf strings have to be: UTF-8.
std::string utf8(std::string_view text) { return printable(text); }

void PerfettoTimeline::start(const TimelineContext &what) {
  context = &what;
  regionNames.resize(what.regions.size());
  protos::Trace first;
  protos::TracePacket &packet = *first.add_packet();
  packet.set_trusted_packet_sequence_id(sequence());
  packet.set_sequence_flags(kClearsState | kNeedsState);
  for (std::uint64_t i = 0; i < std::size(kAnnotationNames); ++i) {
    protos::InternedString &name = *packet.mutable_interned_data()->add_debug_annotation_names();
    name.set_iid(i + 1);
    name.set_name(std::string(kAnnotationNames[i]));
  }
  write(first);
}

void PerfettoTimeline::write(const protos::Trace &packets) {
  const std::size_t size = packets.ByteSizeLong();
  if (bytes.size() < size)
    bytes.resize(size);
  packets.SerializeWithCachedSizesToArray(bytes.data());
  out.writeBytes({reinterpret_cast<const char *>(bytes.data()), size});
}

void PerfettoTimeline::put(Event::Type type, std::uint64_t track, std::uint64_t at, std::uint64_t name) {
  eventPacket.set_timestamp(static_cast<std::uint64_t>(std::max<std::int64_t>(0, static_cast<std::int64_t>(at) + shiftNs)));
  event.set_type(type);
  event.set_track_uuid(track);
  if (name != 0)
    event.set_name_iid(name);
  write(events);
  event.Clear();
}

void PerfettoTimeline::annotate(Annotation name, std::uint64_t value) {
  protos::DebugAnnotation &annotation = *event.add_debug_annotations();
  annotation.set_name_iid(name);
  annotation.set_uint_value(value);
}

void PerfettoTimeline::track(std::uint64_t uuid, std::uint64_t parent, std::string_view name, Descriptor::ChildTracksOrdering order,
                             std::int64_t rank, bool isCounter) {
  descriptor.Clear();
  descriptor.set_uuid(uuid);
  descriptor.set_name(utf8(name));
  if (parent != 0)
    descriptor.set_parent_uuid(parent);
  if (isCounter)
    descriptor.mutable_counter()->set_unit_name(fmt::format("{}s", termsOf(context->trace).warp));
  if (order != Descriptor::UNKNOWN)
    descriptor.set_child_ordering(order);
  descriptor.set_sibling_order_rank(static_cast<std::int32_t>(rank));
  write(descriptions);
}

std::uint64_t PerfettoTimeline::nameOf(const std::string &text) {
  const auto [entry, isFirst] = names.try_emplace(text, names.size() + 1);
  if (isFirst) {
    protos::Trace interned;
    protos::TracePacket &packet = *interned.add_packet();
    packet.set_trusted_packet_sequence_id(sequence());
    packet.set_sequence_flags(kNeedsState);
    protos::InternedString &name = *packet.mutable_interned_data()->add_event_names();
    name.set_iid(entry->second);
    name.set_name(utf8(text));
    write(interned);
  }
  return entry->second;
}

std::uint64_t PerfettoTimeline::regionName(std::uint32_t region) {
  std::uint64_t &name = regionNames[region];
  if (name == 0)
    name = nameOf(context->regions[region].name);
  return name;
}

bool PerfettoTimeline::isNew(std::uint64_t uuid) {
  std::uint64_t &slot = announced[uuid % announced.size()];
  if (slot == uuid)
    return false;
  slot = uuid;
  return true;
}

std::uint64_t PerfettoTimeline::deviceTrack(std::uint32_t device) {
  const std::uint64_t uuid = made(1, device);
  if (isNew(uuid)) {
    const auto devices = context->trace.devices();
    const bool isListed = device < devices.size();
    const std::string_view name = isListed ? context->trace.string(devices[device].name) : std::string_view();
    track(uuid, 0,
          fmt::format("{}GPU {} {}", part.label.empty() ? "" : part.label + " ", isListed ? std::to_string(devices[device].device) : "?",
                      name),
          Descriptor::EXPLICIT, device);
  }
  return uuid;
}

std::uint64_t PerfettoTimeline::smTrack(std::uint32_t device, std::uint64_t sm) {
  const std::uint64_t uuid = mixed(made(2, device), sm);
  if (isNew(uuid))
    track(uuid, deviceTrack(device), fmt::format("{} {}", termsOf(context->trace).sm, sm), Descriptor::CHRONOLOGICAL,
          static_cast<std::int64_t>(sm) + 100);
  return uuid;
}

std::uint64_t PerfettoTimeline::blockTrack(const TimelineWarp &what) {
  const format::WarpHeader &header = what.warp.header;
  const std::uint64_t parent = smTrack(what.device, header.sm);
  const std::uint64_t uuid = mixed(mixed(parent, header.gridId), header.block);
  if (isNew(uuid))
    track(uuid, parent, fmt::format("{} {} (grid {})", termsOf(context->trace).block, header.block, header.gridId), Descriptor::EXPLICIT,
          0);
  return uuid;
}

std::uint64_t PerfettoTimeline::hostTrack(const TimelineHostRange &range) {
  const std::uint64_t process = made(5, range.process);
  if (isNew(process))
    track(process, 0, fmt::format("{}host (process {})", part.label.empty() ? "" : part.label + " ", range.process), Descriptor::EXPLICIT,
          -1);
  const bool isStarted = range.kind == format::HostRangeKind::Started;
  const std::uint64_t uuid = mixed(mixed(mixed(process, range.thread), isStarted), range.lane);
  if (isNew(uuid))
    track(uuid, process,
          fmt::format("thread {}{}{}", range.thread, isStarted ? ", started ranges" : "",
                      range.lane > 0 ? fmt::format(", overlapping {}", range.lane) : ""),
          Descriptor::UNKNOWN, static_cast<std::int64_t>(hostRank++));
  return uuid;
}

/// Those of a track come one behind the other; ranges in others begin behind those.
void PerfettoTimeline::hostRange(const TimelineHostRange &range) {
  shiftNs = 0;
  const std::uint64_t lane = hostTrack(range);
  auto &ends = hostEnds[lane];
  const auto begin = static_cast<std::uint64_t>(range.begin), end = static_cast<std::uint64_t>(range.end);
  for (; !ends.empty() && ends.back() <= begin; ends.pop_back())
    put(Event::TYPE_SLICE_END, lane, ends.back());
  const std::uint64_t name = nameOf(std::string(range.name));
  if (range.isOpen)
    annotate(kUnended, 1);
  if (range.kind == format::HostRangeKind::Mark)
    return put(Event::TYPE_INSTANT, lane, begin, name);
  put(Event::TYPE_SLICE_BEGIN, lane, begin, name);
  ends.push_back(end);
}

void PerfettoTimeline::end() {
  shiftNs = 0;
  for (auto &[lane, ends] : hostEnds)
    for (; !ends.empty(); ends.pop_back())
      put(Event::TYPE_SLICE_END, lane, ends.back());
}

void PerfettoTimeline::launch(const TimelineLaunch &launch) {
  shiftNs = context->shiftAt(launch.device, launch.begin);
  auto &rows = launchLanes[{launch.device, launch.stream}];
  auto row = std::ranges::find_if(rows, [&](const auto &entry) { return entry.first <= launch.begin; });
  if (row == rows.end() && rows.size() < 64) {
    row = rows.insert(rows.end(), {0, ++lastTrack});
    track(row->second, deviceTrack(launch.device), streamText(launch.stream), Descriptor::UNKNOWN,
          static_cast<std::int64_t>(std::min<std::size_t>(launchLanes.size(), 90)));
  } else if (row == rows.end()) {
    --row;
  }
  row->first = std::max(row->first, launch.end);
  const std::uint64_t name = nameOf(launch.kernel);
  annotate(kGrid, launch.gridId);
  annotate(kWarps, launch.warps);
  put(Event::TYPE_SLICE_BEGIN, row->second, launch.begin, name);
  put(Event::TYPE_SLICE_END, row->second, launch.end);
}

bool PerfettoTimeline::warp(const TimelineWarp &what) {
  shiftNs = context->shiftAt(what.device, what.begin);
  const WarpSpans &warp = what.warp;
  lanes.assign(1, ++lastTrack);
  if (context->regions.hasWaits())
    warps.push_back(lastTrack);
  const std::string role = what.role == RegionSet::kNone ? "" : fmt::format(" ({})", context->regions[what.role].name);
  track(lanes[0], blockTrack(what), fmt::format("{} {}{}", termsOf(context->trace).warp, warp.header.warp, role), Descriptor::UNKNOWN,
        warp.header.warp);
  const std::uint64_t name = nameOf(what.kernel);
  annotate(kCycles, warp.cycles());
  annotate(kGrid, warp.header.gridId);
  annotate(kBlock, warp.header.block);
  annotate(kRecords, warp.counts.produced);
  annotate(kDropped, warp.counts.dropped);
  if (!warp.isFinished)
    annotate(kUnfinished, 1);
  put(Event::TYPE_SLICE_BEGIN, lanes[0], what.begin, name);
  openEnds.assign(1, what.end);
  return true;
}

void PerfettoTimeline::span(const TimelineSpan &what) {
  const std::uint64_t name = regionName(what.span.region);
  while (lanes.size() <= what.lane) {
    lanes.push_back(++lastTrack);
    track(lanes.back(), lanes[0], fmt::format("overlapping {}", lanes.size() - 1), Descriptor::UNKNOWN, 0);
  }
  // The spans that ended before this one began; depth counts those that are still around it.
  for (; what.lane == 0 && openEnds.size() > what.depth + 1; openEnds.pop_back())
    put(Event::TYPE_SLICE_END, lanes[0], openEnds.back());
  if (context->regions.kinds()[what.span.region] == format::RegionKind::Wait)
    annotate(kObject, what.span.lanes);
  else if (what.span.lanes != 0xffffffff)
    annotate(kLanes, what.span.lanes);
  put(Event::TYPE_SLICE_BEGIN, lanes[what.lane], what.begin, name);
  if (what.lane > 0)
    put(Event::TYPE_SLICE_END, lanes[what.lane], what.end);
  else
    openEnds.push_back(what.end);
}

void PerfettoTimeline::mark(const Mark &mark, std::uint64_t at) {
  const std::uint64_t name = regionName(mark.region);
  annotate(context->regions.kinds()[mark.region] == format::RegionKind::Signal ? kObject : kPayload, mark.payload);
  put(Event::TYPE_INSTANT, lanes[0], at, name);
}

/// A flow joins two events: instants on the tracks of the two warps.
void PerfettoTimeline::edge(const TimelineEdge &edge) {
  const std::uint64_t from = nameOf(context->regions[edge.by].work() + " lets go");
  const std::uint64_t to = nameOf(context->regions[edge.wait].name + " is let go");
  event.add_flow_ids(++lastEdge);
  put(Event::TYPE_INSTANT, warps[edge.fromWarp], edge.from, from);
  event.add_terminating_flow_ids(lastEdge);
  put(Event::TYPE_INSTANT, warps[edge.toWarp], edge.tip(), to);
}

void PerfettoTimeline::endWarp() {
  for (; !openEnds.empty(); openEnds.pop_back())
    put(Event::TYPE_SLICE_END, lanes[0], openEnds.back());
}

void PerfettoTimeline::active(std::uint32_t device, std::uint64_t at, double warps) {
  const std::uint64_t uuid = made(3, device);
  shiftNs = context->shiftAt(device, at);
  if (isNew(uuid))
    track(uuid, deviceTrack(device), fmt::format("active {}s", termsOf(context->trace).warp), Descriptor::UNKNOWN, 0, true);
  event.set_double_counter_value(warps);
  put(Event::TYPE_COUNTER, uuid, at);
}

void PerfettoTimeline::activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) {
  const std::uint64_t uuid = mixed(made(4, device), region);
  shiftNs = context->shiftAt(device, at);
  if (isNew(uuid))
    track(uuid, deviceTrack(device),
          fmt::format("{}s in {}", termsOf(context->trace).warp,
                      region == RegionSet::kNone ? "other regions" : context->regions[region].name),
          Descriptor::UNKNOWN, 95, true);
  event.set_double_counter_value(warps);
  put(Event::TYPE_COUNTER, uuid, at);
}

} // namespace

Expected<TimelineSummary> writePerfettoTimeline(std::span<const TimelinePart> parts, const TimelineOptions &options, Output &out) {
  return runTimelines(parts, options, [&](const TimelinePart &part, const TimelineOptions &own) {
    PerfettoTimeline sink(out, part);
    return runTimeline(part, own, sink);
  });
}

} // namespace kperf::decoder
