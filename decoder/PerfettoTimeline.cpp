// Writes a timeline in Perfetto's native format (perfetto.proto).
#include "ProtoMessage.h"
#include "Timeline.h"
#include "Utf8.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace kperf::decoder {
namespace {

// Field numbers of perfetto.proto.
enum PacketField {
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kTrackDescriptor = 60
};
enum DescriptorField { kUuid = 1, kName = 2, kParentUuid = 5, kCounter = 8, kChildOrdering = 11, kRank = 12 };
enum EventField { kAnnotations = 4, kType = 9, kNameIid = 10, kTrackUuid = 11, kCounterValue = 44, kFlowIds = 47, kEndingFlowIds = 48 };
enum EventType : std::uint64_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounterSample = 4 };
constexpr std::uint64_t kChronological = 2, kExplicit = 3;
/// Names of annotations, numbered from 1.
constexpr std::string_view kAnnotationNames[] = {"cycles",  "grid",  "block",   "warp",  "records",
                                                 "dropped", "lanes", "payload", "warps", "unfinished", "object"};
enum Annotation { kCycles = 1, kGrid, kBlock, kWarp, kRecords, kDropped, kLanes, kPayload, kWarps, kUnfinished, kObject };
/// Tracks of devices, SMs and blocks have numbers made of what they are, above those of warps, which are counted.
constexpr std::uint64_t kMadeNumber = std::uint64_t{1} << 63;

class PerfettoTimeline final : public TimelineSink {
public:
  explicit PerfettoTimeline(Output &out) : out(out) {}

  void start(const TimelineContext &what) override;
  void launch(const TimelineLaunch &launch) override;
  bool warp(const TimelineWarp &warp) override;
  void span(const TimelineSpan &span) override;
  void mark(const Mark &mark, std::uint64_t at) override;
  void endWarp() override;
  bool showsEdges() const override { return true; }
  void edge(const TimelineEdge &edge) override;
  void active(std::uint32_t device, std::uint64_t at, double warps) override;
  void activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) override;

private:
  /// Writes `event` as a slice's begin, or any other event, with what annotations it has so far.
  void put(EventType type, std::uint64_t track, std::uint64_t at, std::uint64_t name = 0);
  void annotate(Annotation name, std::uint64_t value);
  void track(std::uint64_t uuid, std::uint64_t parent, std::string_view name, std::uint64_t order, std::int64_t rank,
             bool isCounter = false);
  std::uint64_t nameOf(const std::string &text);
  std::uint64_t regionName(std::uint32_t region);
  std::uint64_t deviceTrack(std::uint32_t device);
  std::uint64_t smTrack(std::uint32_t device, std::uint64_t sm);
  std::uint64_t blockTrack(const TimelineWarp &warp);
  bool isNew(std::uint64_t uuid);

  Output &out;
  const TimelineContext *context = nullptr;
  ProtoMessage packet, inner, event, annotation;
  std::unordered_map<std::string, std::uint64_t> names;
  std::vector<std::uint64_t> regionNames;
  std::array<std::uint64_t, 65536> announced{}; ///< tracks that were described lately; again does no harm
  std::uint64_t lastTrack = 0;
  std::vector<std::uint64_t> lanes;    ///< tracks of the warp
  std::vector<std::uint64_t> warps;    ///< the first track of each
  std::uint64_t lastEdge = 0;
  std::vector<std::uint64_t> openEnds; ///< of the spans around the next one, and of the warp
  std::map<std::pair<std::uint32_t, std::optional<std::uint64_t>>, std::vector<std::pair<std::uint64_t, std::uint64_t>>>
      launchLanes; ///< by device and stream: time of the last end, track
};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccd;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53;
  return (x ^ (x >> 33)) | kMadeNumber;
}

/// Text as protobuf strings have to be: UTF-8.
std::string utf8(std::string_view text) { return printable(text); }

void PerfettoTimeline::start(const TimelineContext &what) {
  context = &what;
  regionNames.resize(what.regions.size());
  inner.clear();
  for (std::uint64_t i = 0; i < std::size(kAnnotationNames); ++i) {
    annotation.clear();
    annotation.number(1, i + 1);
    annotation.text(2, kAnnotationNames[i]);
    inner.text(3, annotation.view());
  }
  packet.clear();
  packet.number(kSequenceId, 1);
  packet.text(kInternedData, inner.view());
  packet.number(kSequenceFlags, 1 | 2);
  annotation.clear();
  annotation.text(1, packet.view());
  out.write(annotation.view());
  event.clear();
}

/// The common case by hand: this is called twice for every span.
void PerfettoTimeline::put(EventType type, std::uint64_t track, std::uint64_t at, std::uint64_t name) {
  char body[64], *end = body;
  *end++ = kType << 3;
  *end++ = static_cast<char>(type);
  *end++ = kTrackUuid << 3;
  end = ProtoMessage::varint(end, track);
  if (name != 0) {
    *end++ = kNameIid << 3;
    end = ProtoMessage::varint(end, name);
  }
  const auto bodySize = static_cast<std::size_t>(end - body);
  char head[64];
  end = head + 8; // room for the packet's own tag and size
  *end++ = kTimestamp << 3;
  end = ProtoMessage::varint(end, at);
  *end++ = kSequenceId << 3;
  *end++ = 1;
  *end++ = kSequenceFlags << 3;
  *end++ = 2;
  *end++ = static_cast<char>(kTrackEvent << 3 | 2);
  end = ProtoMessage::varint(end, bodySize + event.view().size());
  std::memcpy(end, body, bodySize);
  end += bodySize;
  const std::uint64_t packetSize = static_cast<std::size_t>(end - (head + 8)) + event.view().size();
  char tag[8] = {1 << 3 | 2};
  const auto tagSize = static_cast<std::size_t>(ProtoMessage::varint(tag + 1, packetSize) - tag);
  char *const first = head + 8 - tagSize;
  std::memcpy(first, tag, tagSize);
  out.write({first, static_cast<std::size_t>(end - first)});
  if (!event.view().empty()) {
    out.write(event.view());
    event.clear();
  }
}

void PerfettoTimeline::annotate(Annotation name, std::uint64_t value) {
  annotation.clear();
  annotation.number(1, name);
  annotation.number(3, value);
  event.text(kAnnotations, annotation.view());
}

void PerfettoTimeline::track(std::uint64_t uuid, std::uint64_t parent, std::string_view name, std::uint64_t order,
                             std::int64_t rank, bool isCounter) {
  inner.clear();
  inner.number(kUuid, uuid);
  inner.text(kName, utf8(name));
  if (parent != 0)
    inner.number(kParentUuid, parent);
  if (isCounter) {
    annotation.clear();
    annotation.text(6, "warps");
    inner.text(kCounter, annotation.view());
  }
  if (order != 0)
    inner.number(kChildOrdering, order);
  inner.number(kRank, static_cast<std::uint64_t>(rank));
  packet.clear();
  packet.number(kSequenceId, 1);
  packet.text(kTrackDescriptor, inner.view());
  annotation.clear();
  annotation.text(1, packet.view());
  out.write(annotation.view());
}

std::uint64_t PerfettoTimeline::nameOf(const std::string &text) {
  const auto [entry, isFirst] = names.try_emplace(text, names.size() + 1);
  if (isFirst) {
    inner.clear();
    inner.number(1, entry->second);
    inner.text(2, utf8(text));
    packet.clear();
    packet.text(2, inner.view());
    inner.clear();
    inner.number(kSequenceId, 1);
    inner.text(kInternedData, packet.view());
    inner.number(kSequenceFlags, 2);
    annotation.clear();
    annotation.text(1, inner.view());
    out.write(annotation.view());
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
  const std::uint64_t uuid = mixed(1, device);
  if (isNew(uuid)) {
    const auto devices = context->trace.devices();
    const bool isListed = device < devices.size();
    const std::string_view name = isListed ? context->trace.string(devices[device].name) : std::string_view();
    track(uuid, 0, fmt::format("GPU {} {}", isListed ? std::to_string(devices[device].device) : "?", name), kExplicit,
          device);
  }
  return uuid;
}

std::uint64_t PerfettoTimeline::smTrack(std::uint32_t device, std::uint64_t sm) {
  const std::uint64_t uuid = mixed(mixed(2, device), sm);
  if (isNew(uuid))
    track(uuid, deviceTrack(device), fmt::format("SM {}", sm), kChronological, static_cast<std::int64_t>(sm) + 100);
  return uuid;
}

std::uint64_t PerfettoTimeline::blockTrack(const TimelineWarp &what) {
  const format::WarpHeader &header = what.warp.header;
  const std::uint64_t parent = smTrack(what.device, header.sm);
  const std::uint64_t uuid = mixed(mixed(parent, header.gridId), header.block);
  if (isNew(uuid))
    track(uuid, parent, fmt::format("block {} (grid {})", header.block, header.gridId), kExplicit, 0);
  return uuid;
}

void PerfettoTimeline::launch(const TimelineLaunch &launch) {
  auto &rows = launchLanes[{launch.device, launch.stream}];
  auto row = std::ranges::find_if(rows, [&](const auto &entry) { return entry.first <= launch.begin; });
  if (row == rows.end() && rows.size() < 64) {
    row = rows.insert(rows.end(), {0, ++lastTrack});
    track(row->second, deviceTrack(launch.device), streamText(launch.stream), 0,
          static_cast<std::int64_t>(std::min<std::size_t>(launchLanes.size(), 90)));
  } else if (row == rows.end()) {
    --row;
  }
  row->first = std::max(row->first, launch.end);
  const std::uint64_t name = nameOf(launch.kernel);
  annotate(kGrid, launch.gridId);
  annotate(kWarps, launch.warps);
  put(kSliceBegin, row->second, launch.begin, name);
  put(kSliceEnd, row->second, launch.end);
}

bool PerfettoTimeline::warp(const TimelineWarp &what) {
  const WarpSpans &warp = what.warp;
  lanes.assign(1, ++lastTrack);
  if (context->regions.hasWaits())
    warps.push_back(lastTrack);
  const std::string role = what.role == RegionSet::kNone ? "" : fmt::format(" ({})", context->regions[what.role].name);
  track(lanes[0], blockTrack(what), fmt::format("warp {}{}", warp.header.warp, role), 0, warp.header.warp);
  const std::uint64_t name = nameOf(what.kernel);
  annotate(kCycles, warp.cycles());
  annotate(kGrid, warp.header.gridId);
  annotate(kBlock, warp.header.block);
  annotate(kRecords, warp.counts.produced);
  annotate(kDropped, warp.counts.dropped);
  if (!warp.isFinished)
    annotate(kUnfinished, 1);
  put(kSliceBegin, lanes[0], what.begin, name);
  openEnds.assign(1, what.end);
  return true;
}

void PerfettoTimeline::span(const TimelineSpan &what) {
  const std::uint64_t name = regionName(what.span.region);
  if (context->regions.kinds()[what.span.region] == format::RegionKind::Wait)
    annotate(kObject, what.span.lanes);
  else if (what.span.lanes != 0xffffffff)
    annotate(kLanes, what.span.lanes);
  if (what.lane > 0) {
    while (lanes.size() <= what.lane) {
      lanes.push_back(++lastTrack);
      ProtoMessage kept = event;
      track(lanes.back(), lanes[0], fmt::format("overlapping {}", lanes.size() - 1), 0, 0);
      event = kept;
    }
    put(kSliceBegin, lanes[what.lane], what.begin, name);
    put(kSliceEnd, lanes[what.lane], what.end);
    return;
  }
  // The spans that ended before this one began; depth counts those that are still around it.
  ProtoMessage kept;
  std::swap(kept, event);
  while (openEnds.size() > what.depth + 1) {
    put(kSliceEnd, lanes[0], openEnds.back());
    openEnds.pop_back();
  }
  std::swap(kept, event);
  put(kSliceBegin, lanes[0], what.begin, name);
  openEnds.push_back(what.end);
}

void PerfettoTimeline::mark(const Mark &mark, std::uint64_t at) {
  const std::uint64_t name = regionName(mark.region);
  annotate(context->regions.kinds()[mark.region] == format::RegionKind::Signal ? kObject : kPayload, mark.payload);
  put(kInstant, lanes[0], at, name);
}

/// A flow joins two events: instants on the tracks of the two warps.
void PerfettoTimeline::edge(const TimelineEdge &edge) {
  const std::uint64_t from = nameOf(context->regions[edge.by].name + " lets go");
  const std::uint64_t to = nameOf(context->regions[edge.wait].name + " is let go");
  event.fixed(kFlowIds, ++lastEdge);
  put(kInstant, warps[edge.fromWarp], edge.from, from);
  event.fixed(kEndingFlowIds, lastEdge);
  put(kInstant, warps[edge.toWarp], edge.tip(), to);
}

void PerfettoTimeline::endWarp() {
  for (; !openEnds.empty(); openEnds.pop_back())
    put(kSliceEnd, lanes[0], openEnds.back());
}

void PerfettoTimeline::active(std::uint32_t device, std::uint64_t at, double warps) {
  const std::uint64_t uuid = mixed(3, device);
  if (isNew(uuid))
    track(uuid, deviceTrack(device), "active warps", 0, 0, true);
  event.real(kCounterValue, warps);
  put(kCounterSample, uuid, at);
}

void PerfettoTimeline::activeRegion(std::uint32_t device, std::uint32_t region, std::uint64_t at, double warps) {
  const std::uint64_t uuid = mixed(mixed(4, device), region);
  if (isNew(uuid))
    track(uuid, deviceTrack(device),
          fmt::format("warps in {}", region == RegionSet::kNone ? "other regions" : context->regions[region].name), 0, 95, true);
  event.real(kCounterValue, warps);
  put(kCounterSample, uuid, at);
}

} // namespace

Expected<TimelineSummary> writePerfettoTimeline(const Trace &trace, const TimelineOptions &options, Output &out) {
  PerfettoTimeline sink(out);
  return runTimeline(trace, options, sink);
}

} // namespace kperf::decoder
