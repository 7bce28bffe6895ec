// Reduces traces to one small trace that holds the sums of their warps.
#include "decoder/transform/Reduce.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/totals/KernelNeeds.h"
#include "decoder/totals/LaunchTimes.h"
#include "decoder/totals/SummaryTotals.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/trace/SiteUnion.h"
#include "decoder/trace/StringMembers.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace kperf::decoder {
namespace {

/// Warps of empty regions kept of each device: each has some seventy samples of what a probe costs.
constexpr std::size_t kMaxCalibrations = 16;

class Reducer final : private WarpSink, private TraceVisitor {
public:
  explicit Reducer(std::span<const Trace> traces) : traces(traces), byRegion(regions, "", false), byPath(regions, "", true) {
    byRegion.alwaysCountProbes();
    byPath.alwaysCountProbes();
    byRegion.weighBy(&weights);
    byPath.weighBy(&weights);
  }

  Expected<Reduced> run(std::span<const Trace> timed);

private:
  /// A warp of empty regions as the records that it was.
  struct Calibration {
    format::WarpHeader header;
    std::vector<format::Record> own, shared;
  };
  /// A References section as it was: the runtime bounds what there is of them.
  struct References {
    format::ReferencesHeader head; ///< device: its index
    std::vector<format::ReferenceRecord> rows;
  };
  using CounterKey =
      std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint16_t, std::uint16_t>; ///< site, device, sampled, group, groups
  using LossKey = std::tuple<format::LossKind, std::uint32_t, std::string>;                  ///< kind, device, reason

  using TraceVisitor::warp; // of decoded warps, beside the records' headers
  void warp(const WarpSpans &warp) override;
  void calibration(const WarpSpans &warp) override;
  void damagedWarp(const format::WarpHeader &header, std::uint32_t device) override;
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override;
  void losses(std::span<const format::LossRecord> rows) override;
  void references(const format::ReferencesHeader &head) override;
  void references(std::span<const format::ReferenceRecord> rows) override {
    kept.back().rows.insert(kept.back().rows.end(), rows.begin(), rows.end());
  }

  Status read(const Trace &next);
  /// Index in the sinks' list of devices; what is not listed there counts as the first.
  std::uint32_t deviceOf(std::uint32_t ordinal) const;
  void writeTables(Writer &writer) const;
  void writeDevices(Writer &writer);
  void writeCalibrations(Writer &writer) const;
  void writeSums(Writer &writer) const;

  std::span<const Trace> traces;
  RegionSet regions;
  TotalsSink byRegion, byPath;
  LaunchWeights weights; ///< of the trace that is read
  const Trace *trace = nullptr;
  std::vector<std::vector<Calibration>> calibrations; ///< by device
  std::map<CounterKey, format::SiteCounterRecord> counters;
  std::map<LossKey, std::uint64_t> lossSums;
  KernelNeedsTable needs;
  LaunchTimes times;
  HostLaunches launches;
  std::vector<References> kept;
  bool hasCounters = false;                 ///< the trace that is read
  std::uint32_t runsBefore = 0, maxRun = 0; ///< of the traces before, of all so far
  std::vector<std::uint32_t> ordinals;      ///< as written, by index of the device
};

void Reducer::warp(const WarpSpans &warp) {
  byRegion.warp(warp);
  byPath.warp(warp);
}

void Reducer::damagedWarp(const format::WarpHeader &header, std::uint32_t device) {
  byRegion.damagedWarp(header, device);
  byPath.damagedWarp(header, device);
}

void Reducer::calibration(const WarpSpans &warp) {
  byRegion.calibration(warp);
  byPath.calibration(warp);
  const std::uint32_t device = deviceOf(warp.device);
  calibrations.resize(std::max<std::size_t>(calibrations.size(), device + 1));
  if (calibrations[device].size() >= kMaxCalibrations)
    return;
  Calibration &kept = calibrations[device].emplace_back();
  kept.header = warp.header;
  for (const Span &span : warp.spans)
    (warp.isShared[span.region] ? kept.shared : kept.own)
        .push_back({static_cast<std::uint32_t>(span.begin), static_cast<std::uint32_t>(span.end), span.lanes,
                    regions[span.region].id | static_cast<std::uint32_t>(format::RecordKind::Span) << format::kKindShift});
  // A warp's own records stand in the order of their ends, reserved ones in that of their beginnings, as they are here.
  std::ranges::stable_sort(kept.own, {}, [&](const format::Record &record) {
    return static_cast<std::uint32_t>(record.second - static_cast<std::uint32_t>(warp.begin));
  });
}

std::uint32_t Reducer::deviceOf(std::uint32_t ordinal) const {
  const format::DeviceRecord *record = trace->device(ordinal);
  const std::string_view name = record ? trace->string(record->name) : std::string_view();
  const auto known = std::ranges::find_if(byRegion.devices(),
                                          [&](const TracedDevice &device) { return device.ordinal == ordinal && device.name == name; });
  return known == byRegion.devices().end() ? 0 : static_cast<std::uint32_t>(known - byRegion.devices().begin());
}

void Reducer::siteCounters(std::span<const format::SiteCounterRecord> rows) {
  hasCounters |= !rows.empty();
  for (const format::SiteCounterRecord &row : rows) {
    const std::uint32_t device = deviceOf(row.device);
    format::SiteCounterRecord &sum = counters[{row.site, device, row.sampled, row.group, row.groups}];
    sum.site = row.site;
    sum.device = device;
    sum.sampled = row.sampled;
    sum.group = row.group;
    sum.groups = row.groups;
    for (unsigned i = 0; i < format::kSiteCounters; ++i)
      sum.counts[i] += row.counts[i];
  }
}

void Reducer::references(const format::ReferencesHeader &head) {
  kept.push_back({head, {}});
  kept.back().head.device = deviceOf(head.device);
  kept.back().head.run += runsBefore;
  maxRun = std::max(maxRun, kept.back().head.run + 1);
}

void Reducer::losses(std::span<const format::LossRecord> rows) {
  for (const format::LossRecord &row : rows)
    lossSums[{row.kind, deviceOf(row.device), std::string(trace->string(row.reason))}] += row.count;
}

/// Whether each stands for the one of the same index: what a damaged trace sums up by region alone is of no kernel by path.
bool haveSameKernels(std::span<const KernelTotals> left, std::span<const KernelTotals> right) {
  return std::ranges::equal(left, right, [](const KernelTotals &a, const KernelTotals &b) {
    return std::tie(a.device, a.name, a.region) == std::tie(b.device, b.name, b.region);
  });
}

Status Reducer::read(const Trace &next) {
  trace = &next;
  byRegion.beginTrace(next);
  byPath.beginTrace(next);
  Status status = weights.read(next);
  if (status)
    status = SpanDecoder(regions, *this).run(next);
  for (TotalsSink *totals : {&byRegion, &byPath}) {
    if (status && next.isReduced())
      status = addSummaries(next, regions, *totals);
    totals->endTrace();
  }
  if (status && !haveSameKernels(byRegion.kernels(), byPath.kernels()))
    status = failure({.message = "kernels have a summary by region or one by path, and not both",
                      .found = fmt::format("{} kernels by region, {} by path", byRegion.kernels().size(), byPath.kernels().size()),
                      .expected = "the same kernels both times, in one order",
                      .file = next.name()});
  const std::size_t before = kept.size();
  hasCounters = false;
  for (const Section &section : next.sections())
    if (status && (section.kind == format::SectionKind::SiteCounters || section.kind == format::SectionKind::Losses ||
                   section.kind == format::SectionKind::References))
      status = next.visitSection(section, *this);
  if (status && hasCounters && kept.size() == before &&
      std::ranges::any_of(traces, &Trace::hasReferences)) // else its accesses would be missed among those of others
    references(format::kNoReferences);
  runsBefore = maxRun;
  if (status)
    status = launches.add(next);
  if (status)
    status = times.add(next, [this](std::uint32_t ordinal) { return deviceOf(ordinal); });
  return status ? needs.add(next) : status;
}

void Reducer::writeTables(Writer &writer) const {
  const auto translated = [&](const Trace &from, auto row) {
    forStringMembers(row, [&](auto &offset, const char *) { offset = writer.intern(from.string(offset)); });
    return row;
  };
  std::set<std::uint32_t> ids;
  SiteUnion sites;
  if (traces.front().program())
    writer.add(translated(traces.front(), *traces.front().program()));
  for (const Trace &from : traces)
    for (const format::RegionRecord &region : from.regions())
      if (ids.insert(region.id).second)
        writer.add(translated(from, region));
  for (const Trace &from : traces)
    for (const format::SiteRecord &site : from.sites())
      if (sites.add(from, site))
        writer.add(translated(from, site));
  ids.clear();
  for (const Trace &from : traces)
    for (const format::MachineAccessRecord &row : from.machineAccesses())
      if (ids.insert(row.site).second)
        writer.add(row);
}

/// The devices' rows, with ordinals of their own where two have the same one, and no uuid where one stands for several.
void Reducer::writeDevices(Writer &writer) {
  std::set<std::uint32_t> taken;
  for (const TracedDevice &device : byRegion.devices()) {
    std::uint32_t ordinal = device.ordinal;
    while (!taken.insert(ordinal).second)
      ++ordinal;
    ordinals.push_back(ordinal);
    std::optional<format::DeviceRecord> row;
    for (const Trace &from : traces) {
      const format::DeviceRecord *here = from.device(device.ordinal);
      if (!here || from.string(here->name) != device.name)
        continue;
      if (!row) {
        row = *here;
        forStringMembers(*row, [&](auto &offset, const char *) { offset = writer.intern(from.string(offset)); });
      } else if (!std::ranges::equal(row->uuid, here->uuid)) {
        std::ranges::fill(row->uuid, static_cast<unsigned char>(0));
      }
    }
    if (!row)
      continue;
    row->device = ordinal;
    writer.add(*row);
    for (const Trace &from : traces)
      if (const auto limits = std::ranges::find(from.deviceLimits(), device.ordinal, &format::DeviceLimitsRecord::device);
          limits != from.deviceLimits().end() && from.device(device.ordinal) &&
          from.string(from.device(device.ordinal)->name) == device.name) {
        format::DeviceLimitsRecord own = *limits;
        own.device = ordinal;
        writer.add(own);
        break;
      }
  }
}

void Reducer::writeCalibrations(Writer &writer) const {
  for (std::uint32_t device = 0; device < calibrations.size(); ++device) {
    if (!calibrations[device].empty())
      writer.warps({ordinals[device], format::KeepPolicy::First});
    for (const Calibration &kept : calibrations[device]) {
      format::WarpHeader header = kept.header;
      header.nameAddress = header.slotBytes = header.sampled = 0;
      header.flags = format::kWarpFinished;
      const auto write = [&](const std::vector<format::Record> &records) {
        header.produced = static_cast<std::uint32_t>(records.size());
        header.capacity = std::bit_ceil(std::max(header.produced, 1u));
        writer.warp(header, records);
      };
      write(kept.own);
      header.flags |= format::kWarpReserved | format::kWarpContinued;
      if (!kept.shared.empty())
        write(kept.shared);
    }
  }
}

void Reducer::writeSums(Writer &writer) const {
  writeSummaries(byRegion, byPath, regions, ordinals, writer);
  for (const auto &[key, sum] : counters) {
    format::SiteCounterRecord row = sum;
    row.device = ordinals.empty() ? 0 : ordinals[sum.device];
    writer.add(row);
  }
  for (const References &each : kept) {
    format::ReferencesHeader head = each.head;
    head.device = ordinals.empty() ? 0 : ordinals[head.device];
    writer.references(head);
    for (const format::ReferenceRecord &row : each.rows)
      writer.add(row);
  }
  for (const KernelNeeds &each : needs.all()) {
    format::KernelRecord row = each.record;
    row.kernel = writer.intern(each.name);
    row.device = ordinals.empty() ? 0 : ordinals.front(); // those of all devices were added up
    writer.add(row);
  }
  for (auto [name, row] : times.rows()) {
    row.kernel = writer.intern(name);
    row.device = ordinals.empty() ? 0 : ordinals[row.device];
    writer.add(row);
  }
  for (const auto &[key, count] : lossSums) {
    const auto &[kind, device, reason] = key;
    writer.add(format::LossRecord{kind, ordinals.empty() ? 0 : ordinals[device], count, writer.intern(reason)});
  }
}

Expected<Reduced> Reducer::run(std::span<const Trace> timed) {
  const format::FileHeader header = headerOfAll(traces);
  for (const Trace &each : traces)
    regions.add(each);
  for (const Trace &each : traces)
    if (Status status = read(each); !status)
      return failure(status.error());
  for (const Trace &each : timed) {
    trace = &each;
    if (Status status = times.add(each, [this](std::uint32_t ordinal) { return deviceOf(ordinal); }); !status)
      return failure(status.error());
  }
  for (TotalsSink *totals : {&byRegion, &byPath}) {
    totals->addUnseenLaunches(launches);
    totals->estimateAllBlocks();
  }
  Writer writer(header);
  writeTables(writer);
  writeDevices(writer);
  writeCalibrations(writer);
  writeSums(writer);
  return Reduced{writer.finish(), byRegion.kernels().size()};
}

} // namespace

Expected<Reduced> reduceTraces(std::span<const Trace> traces, std::span<const Trace> timed) {
  if (Status status = checkSameBuild(traces); !status)
    return failure(status.error());
  return Reducer(traces).run(timed);
}

} // namespace kperf::decoder
