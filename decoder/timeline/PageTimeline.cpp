// Writes the timeline of a report page.
#include "decoder/timeline/PageTimeline.h"
#include "decoder/io/Json.h"
#include "decoder/span/ActiveWarps.h"
#include "decoder/timeline/Timeline.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace kperf::decoder {
namespace {

constexpr std::uint32_t kMarkDepth = 255, kFirstOverlap = 100; ///< as timeline.js has them
constexpr std::size_t kMaxOccupancySms = 4096;
/// So many spans for each of these let the limit of spans hold the size of the page.
constexpr std::uint64_t kSpansPerArrow = 4, kSpansPerWarp = 5, kSpansPerLaunch = 50, kSpansPerFill = 3;
constexpr std::size_t kMaxRings = 256;

std::string base64(std::span<const std::byte> bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= count ? kDigits[word >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <typename T> std::string columnOf(const std::vector<T> &values) { return base64(std::as_bytes(std::span(values))); }

template <typename T> T saturated(std::uint64_t value) {
  return static_cast<T>(std::min<std::uint64_t>(value, std::numeric_limits<T>::max()));
}

class PageTimeline final : public TimelineSink {
public:
  PageTimeline(std::uint64_t maxSpans, std::string note) : maxSpans(maxSpans), note(std::move(note)) {}

  void start(const TimelineContext &what) override;
  void launch(const TimelineLaunch &launch) override;
  bool warp(const TimelineWarp &warp) override;
  void span(const TimelineSpan &span) override;
  void mark(const Mark &mark, std::uint64_t at) override;
  void endWarp() override;
  bool showsEdges() const override { return true; }
  void edge(const TimelineEdge &edge) override {
    if (++edgeCount <= maxSpans / kSpansPerArrow + 1)
      edges.push_back(edge);
  }
  void ring(TimelineRing ring) override;
  void end() override { text = jsonText(json(), /*levels=*/1); }
  std::string text; ///< after the run

private:
  struct Placed {
    std::uint32_t depth, begin, length;
    std::uint16_t region;
  };
  std::uint16_t kernelNumber(const std::string &name);
  void showLaunch(const TimelineLaunch &launch);
  std::uint32_t inUnits(std::uint64_t ns) const { return saturated<std::uint32_t>(ns / unitNs); }
  Json json();
  std::string leftOut() const;
  Json releasesJson();
  Json occupancyJson() const;
  Json ringsJson() const;

  std::uint64_t maxSpans;
  std::string note; ///< to say before what was left out
  const TimelineContext *context = nullptr;
  std::uint64_t unitNs = 1, lengthNs = 0;
  std::set<std::pair<std::uint32_t, std::uint64_t>> launches; ///< that are shown
  std::uint64_t launchCount = 0, chosenRecords = 0, allRecords = 0, warpCount = 0;
  std::uint32_t smLimit = ~0u; ///< SMs below it are shown
  bool isFull = false;
  std::map<std::string, std::uint16_t> kernels;
  std::vector<std::string> kernelNames;
  std::set<std::uint16_t> kernelsInPart; ///< of which some entries are in no span
  std::map<std::pair<std::uint32_t, std::uint16_t>, ActiveWarps> occupancy;
  std::map<std::string, std::uint16_t> streams;
  std::vector<std::string> streamNames;
  std::vector<double> launchBegins, launchEnds, launchGrids;
  std::vector<std::uint16_t> launchDevices, launchKernels, launchStreams;

  std::vector<double> begins, ends, grids;
  std::vector<std::uint16_t> devices, sms, kernelOf, indices, roles;
  std::vector<std::uint32_t> blocks, firstTracks;
  std::vector<std::uint8_t> depths;
  std::vector<std::uint32_t> firsts, spanBegins, spanLengths;
  std::vector<std::uint16_t> spanRegions;
  std::vector<TimelineEdge> edges;
  std::uint64_t edgeCount = 0, ringCount = 0, fillCount = 0; ///< fillCount: of the rings that are shown
  std::vector<TimelineRing> rings;
  std::vector<Placed> placed; ///< of the warp
  std::uint64_t warpBegin = 0;
};

void PageTimeline::start(const TimelineContext &what) {
  context = &what;
  lengthNs = what.lengthNs;
  while (lengthNs / unitNs > std::numeric_limits<std::uint32_t>::max())
    unitNs *= 2;
}

std::uint16_t PageTimeline::kernelNumber(const std::string &name) {
  const auto [kernel, isNew] = kernels.try_emplace(name, saturated<std::uint16_t>(kernels.size()));
  if (isNew)
    kernelNames.push_back(name);
  return kernel->second;
}

void PageTimeline::showLaunch(const TimelineLaunch &launch) {
  const std::string text = streamText(launch.stream);
  const auto [stream, isNew] = streams.try_emplace(text, saturated<std::uint16_t>(streams.size()));
  if (isNew)
    streamNames.push_back(text);
  launchBegins.push_back(static_cast<double>(launch.begin));
  launchEnds.push_back(static_cast<double>(launch.end));
  launchGrids.push_back(static_cast<double>(launch.gridId));
  launchDevices.push_back(saturated<std::uint16_t>(launch.device));
  launchKernels.push_back(kernelNumber(launch.kernel));
  launchStreams.push_back(stream->second);
}

void PageTimeline::launch(const TimelineLaunch &launch) {
  if (++launchCount <= maxSpans / kSpansPerLaunch + 1)
    showLaunch(launch);
  allRecords += launch.records;
  if (isFull)
    return;
  if (chosenRecords + launch.records > maxSpans) {
    isFull = true;
    if (!launches.empty())
      return;
    const auto devices = context->trace.devices();
    const double count = launch.device < devices.size() ? std::max(devices[launch.device].multiprocessors, 1u) : 1;
    smLimit = static_cast<std::uint32_t>(std::max(1.0, count * static_cast<double>(maxSpans) / static_cast<double>(launch.records)));
  }
  chosenRecords += launch.records;
  launches.emplace(launch.device, launch.gridId);
}

bool PageTimeline::warp(const TimelineWarp &what) {
  const format::WarpHeader &header = what.warp.header;
  ++warpCount;
  const std::pair key{what.device, header.sm};
  if (occupancy.contains(key) || occupancy.size() < kMaxOccupancySms)
    occupancy.try_emplace(key, lengthNs).first->second.add(what.begin, what.end);
  const std::uint64_t spans = spanBegins.size() + what.warp.spans.size() + what.warp.marks.size();
  const bool isOver = begins.size() > maxSpans / kSpansPerWarp || (spans > maxSpans && !begins.empty());
  if (!launches.contains({what.device, header.gridId}) || header.sm >= smLimit || isOver)
    return false;
  begins.push_back(static_cast<double>(what.begin));
  ends.push_back(static_cast<double>(what.end));
  grids.push_back(static_cast<double>(header.gridId));
  devices.push_back(saturated<std::uint16_t>(what.device));
  sms.push_back(header.sm);
  kernelOf.push_back(kernelNumber(what.kernel));
  if (what.warp.counts.dropped + what.warp.counts.sums > 0)
    kernelsInPart.insert(kernelOf.back());
  blocks.push_back(saturated<std::uint32_t>(header.block));
  indices.push_back(header.warp);
  roles.push_back(saturated<std::uint16_t>(what.role));
  firstTracks.push_back(static_cast<std::uint32_t>(depths.size()));
  warpBegin = what.begin;
  placed.clear();
  return true;
}

void PageTimeline::span(const TimelineSpan &what) {
  const std::uint32_t depth = what.lane > 0 ? std::min(kFirstOverlap + what.lane, kMarkDepth - 1) : std::min(what.depth, kFirstOverlap - 1);
  placed.push_back({depth, inUnits(what.begin - std::min(what.begin, warpBegin)), inUnits(what.end - what.begin),
                    saturated<std::uint16_t>(what.span.region)});
}

void PageTimeline::mark(const Mark &mark, std::uint64_t at) {
  placed.push_back({kMarkDepth, inUnits(at - std::min(at, warpBegin)), 0, saturated<std::uint16_t>(mark.region)});
}

/// Spans of one depth do not overlap: each depth is a sorted track of its own.
void PageTimeline::endWarp() {
  std::ranges::stable_sort(placed, {}, &Placed::depth);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (i == 0 || placed[i].depth != placed[i - 1].depth) {
      depths.push_back(static_cast<std::uint8_t>(placed[i].depth));
      firsts.push_back(static_cast<std::uint32_t>(spanBegins.size()));
    }
    spanBegins.push_back(placed[i].begin);
    spanLengths.push_back(placed[i].length);
    spanRegions.push_back(placed[i].region);
  }
  placed.clear();
}

std::string PageTimeline::leftOut() const {
  if (begins.size() == warpCount && launchBegins.size() == launchCount && edges.size() == edgeCount)
    return "";
  const VendorTerms &terms = termsOf(context->trace);
  const auto forAll = [](std::uint64_t count, std::uint64_t spans) { return (std::max<std::uint64_t>(count, 1) - 1) * spans; };
  const std::uint64_t needed =
      std::max({allRecords, forAll(edgeCount, kSpansPerArrow), forAll(warpCount, kSpansPerWarp), forAll(launchCount, kSpansPerLaunch)});
  const std::string remedy = needed <= kMaxPageSpans ? fmt::format("--limit {} shows all, in a page of about {} MB", needed,
                                                                   1 + needed * kBytesPerSpan / 1'000'000)
                                                     : fmt::format("--limit up to {} shows more", kMaxPageSpans);
  return fmt::format("The timeline has {} spans and marks of {} of {} {}s: {} of {} launches{}{}. {}; kperf timeline "
                     "--window --sm --block shows others. The {}s on each {} are of all.",
                     spanBegins.size(), begins.size(), warpCount, terms.warp, launches.size(), launchCount,
                     smLimit == ~0u ? "" : fmt::format(", {}s below {}", terms.sm, smLimit),
                     edges.size() == edgeCount ? "" : fmt::format("; {} of {} arrows", edges.size(), edgeCount), remedy, terms.warp,
                     terms.sm);
}

/// Arrows by the warp that waited and the time, so that those of a stretch stand together.
Json PageTimeline::releasesJson() {
  std::ranges::sort(edges, {}, [](const TimelineEdge &edge) { return std::tuple(edge.toWarp, edge.to, edge.from); });
  std::vector<std::uint32_t> to, toAt, from, fromAt;
  std::vector<std::uint16_t> wait, by;
  for (const TimelineEdge &edge : edges) {
    const auto offset = [&](std::uint64_t warp, std::uint64_t at) {
      const auto begin = static_cast<std::uint64_t>(begins[warp]);
      return inUnits(at - std::min(at, begin));
    };
    to.push_back(static_cast<std::uint32_t>(edge.toWarp));
    toAt.push_back(offset(edge.toWarp, edge.to));
    from.push_back(static_cast<std::uint32_t>(edge.fromWarp));
    fromAt.push_back(offset(edge.fromWarp, edge.from));
    wait.push_back(saturated<std::uint16_t>(edge.wait));
    by.push_back(saturated<std::uint16_t>(edge.by));
  }
  return {{"to", columnOf(to)},         {"toAt", columnOf(toAt)}, {"from", columnOf(from)},
          {"fromAt", columnOf(fromAt)}, {"wait", columnOf(wait)}, {"by", columnOf(by)}};
}

void PageTimeline::ring(TimelineRing ring) {
  ++ringCount;
  if (rings.size() >= kMaxRings || fillCount + ring.fills.size() > maxSpans / kSpansPerFill)
    return;
  fillCount += ring.fills.size();
  rings.push_back(std::move(ring));
}

/// Times are in units from the begin of the first warp that fills; the greatest number for what did not come.
Json PageTimeline::ringsJson() const {
  Json out = Json::array();
  for (const TimelineRing &ring : rings) {
    const auto base = static_cast<std::uint64_t>(begins[ring.fillers.front()]);
    const auto columnFor = [&](std::uint64_t RingFill::*member) {
      std::vector<std::uint32_t> column;
      for (const RingFill &fill : ring.fills)
        column.push_back(fill.*member == RingFill::kNever ? ~0u : inUnits(std::max(fill.*member, base) - base));
      return columnOf(column);
    };
    std::vector<std::uint32_t> slots;
    for (const RingFill &fill : ring.fills)
      slots.push_back(fill.slot);
    out.push_back({{"fillers", ring.fillers},
                   {"drainers", ring.drainers},
                   {"slots", ring.slots},
                   {"sidesKnown", ring.areSidesKnown},
                   {"slot", columnOf(slots)},
                   {"acquired", columnFor(&RingFill::acquired)},
                   {"filled", columnFor(&RingFill::filled)},
                   {"taken", columnFor(&RingFill::taken)},
                   {"released", columnFor(&RingFill::released)}});
  }
  return out;
}

/// Averages by SM and step as 16-bit numbers of a common scale.
Json PageTimeline::occupancyJson() const {
  Json out = Json::array();
  for (auto first = occupancy.begin(); first != occupancy.end();) {
    const std::uint32_t device = first->first.first;
    Json smList = Json::array();
    std::vector<double> all;
    double most = 0;
    const std::uint64_t step = first->second.stepNs();
    for (; first != occupancy.end() && first->first.first == device; ++first) {
      smList.push_back(first->first.second);
      for (const double value : first->second.averages()) {
        all.push_back(value);
        most = std::max(most, value);
      }
    }
    const double scale = most > 0 ? std::min(1000.0, 65535 / most) : 1;
    std::vector<std::uint16_t> values;
    for (const double value : all)
      values.push_back(static_cast<std::uint16_t>(std::clamp(std::round(value * scale), 0.0, 65535.0)));
    out.push_back({{"device", device},
                   {"stepNs", step},
                   {"steps", ActiveWarps::kSteps},
                   {"scale", scale},
                   {"sms", std::move(smList)},
                   {"values", columnOf(values)}});
  }
  return out;
}

Json PageTimeline::json() {
  Json deviceNames = Json::array();
  for (const format::DeviceRecord &device : context->trace.devices())
    deviceNames.push_back(fmt::format("GPU {} {}", device.device, context->trace.string(device.name)));
  std::vector<std::string> regionNames;
  for (std::uint32_t i = 0; i < std::min(context->regions.size(), 65536u); ++i)
    regionNames.push_back(context->regions[i].name);
  const std::set<std::uint32_t> seen(spanRegions.begin(), spanRegions.end());
  const std::vector<std::uint32_t> shown(seen.begin(), seen.end());
  std::vector<std::string> labels = regionNames, distinct = context->regions.distinctNames(shown, "");
  for (std::size_t k = 0; k < shown.size(); ++k)
    labels[shown[k]] = std::move(distinct[k]);
  std::vector<std::uint32_t> trackStarts = firstTracks, spanStarts = firsts; // and where the last one ends
  trackStarts.push_back(static_cast<std::uint32_t>(depths.size()));
  spanStarts.push_back(static_cast<std::uint32_t>(spanBegins.size()));
  const VendorTerms &terms = termsOf(context->trace);
  Json waits = Json::array(), ranges = Json::array();
  for (std::uint32_t i = 0; i < regionNames.size(); ++i)
    if (const format::RegionKind kind = context->regions.kinds()[i]; kind == format::RegionKind::Wait)
      waits.push_back(i);
    else if (kind == format::RegionKind::Range)
      ranges.push_back(i);
  Json out = {{"name", context->trace.name()},
              {"lengthNs", lengthNs},
              {"waits", std::move(waits)},
              {"ranges", std::move(ranges)},
              {"inPart", kernelsInPart},
              {"unitNs", unitNs},
              {"warpCount", begins.size()},
              {"leftOut", note + leftOut()},
              {"devices", std::move(deviceNames)},
              {"kernels", kernelNames},
              {"regions", regionNames},
              {"labels", labels},
              {"terms", {{"warp", terms.warp}, {"block", terms.block}, {"sm", terms.sm}}}};
  out["warps"] = {{"begin", columnOf(begins)},    {"end", columnOf(ends)},         {"device", columnOf(devices)}, {"sm", columnOf(sms)},
                  {"kernel", columnOf(kernelOf)}, {"block", columnOf(blocks)},     {"index", columnOf(indices)},  {"role", columnOf(roles)},
                  {"grid", columnOf(grids)},      {"track", columnOf(trackStarts)}};
  out["tracks"] = {{"depth", columnOf(depths)}, {"first", columnOf(spanStarts)}};
  out["spans"] = {{"begin", columnOf(spanBegins)}, {"length", columnOf(spanLengths)}, {"region", columnOf(spanRegions)}};
  out["streams"] = streamNames;
  out["launches"] = {{"begin", columnOf(launchBegins)},   {"end", columnOf(launchEnds)},       {"grid", columnOf(launchGrids)},
                     {"device", columnOf(launchDevices)}, {"kernel", columnOf(launchKernels)}, {"stream", columnOf(launchStreams)}};
  out["releases"] = releasesJson();
  out["occupancy"] = occupancyJson();
  out["rings"] = ringsJson();
  out["ringCount"] = ringCount;
  return out;
}

} // namespace

Expected<std::vector<PageData>> pageTimelines(std::span<const Trace *const> traces, const std::string &kernelPattern,
                                              std::uint64_t maxSpans) {
  const std::size_t shown = std::min(traces.size(), kMaxPageTimelines);
  std::vector<PageData> out;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string note = shown == traces.size() ? ""
                                                    : fmt::format("The timelines are of the first {} of {} traces: kperf merge makes "
                                                                  "them one. ",
                                                                  shown, traces.size());
    PageTimeline sink(std::max<std::uint64_t>(maxSpans / shown, 1), note);
    TimelineOptions options;
    options.kernel = kernelPattern;
    options.maxEvents = 0;
    const auto summary = runTimeline(*traces[i], options, sink);
    if (!summary)
      return failure(summary.error());
    out.push_back({i == 0 ? "timeline" : fmt::format("timeline-{}", i + 1), std::move(sink.text)});
  }
  return out;
}

} // namespace kperf::decoder
