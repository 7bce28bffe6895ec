// Merges several traces of one build into one.
#include "decoder/transform/Merge.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/totals/SummaryTotals.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/Records.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/trace/SectionStream.h"
#include "decoder/trace/SiteUnion.h"
#include "decoder/trace/StringMembers.h"
#include "decoder/trace/StringTable.h"
#include "decoder/trace/Writer.h"

#include <algorithm>
#include <map>
#include <set>

namespace kperf::decoder {
namespace {

constexpr std::size_t kSectionBytes = std::size_t{16} << 20; ///< of Warps sections, about

class Merger final : private TraceVisitor {
public:
  Merger(std::span<const Trace> traces, Output &out) : traces(traces), out(out) {}
  Expected<MergeSummary> run();

private:
  struct Device {
    format::DeviceRecord record; ///< as written, strings and all
    std::string host;
    std::uint32_t ordinal = 0;                  ///< in the trace that it came from
    std::uint64_t gridsBefore = 0, maxGrid = 0; ///< of the traces before, of all so far
  };

  void launches(std::span<const format::LaunchRecord> rows) override { keep(rows, launchRows); }
  void kernels(std::span<const format::KernelRecord> rows) override { keep(rows, kernelRows); }
  void launchTimes(std::span<const format::LaunchTimesRecord> rows) override;
  void hostRanges(std::span<const format::HostRangeRecord> rows) override { keep(rows, rangeRows); }
  void clocks(std::span<const format::ClockRecord> rows) override { keep(rows, clockRows); }
  void losses(std::span<const format::LossRecord> rows) override { keep(rows, lossRows); }
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override;
  void references(const format::ReferencesHeader &next) override;
  void references(std::span<const format::ReferenceRecord> rows) override { append(referenceBytes, std::as_bytes(rows)); }
  void summary(const format::SummaryRecord &record) override;
  void summaryRow(const SummaryRow &row) override;
  void summedLengths(std::span<const format::SummedLengthsRecord> rows) override { addRenumbered(lengthRows, rows); }
  void markProbes(std::span<const format::MarkProbesRecord> rows) override { addRenumbered(markRows, rows); }
  void sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) override { addRenumbered(sampledRows, rows); }
  void warps(const format::WarpsHeader &head) override;
  void warp(const format::WarpHeader &header) override;
  void records(std::span<const format::Record> rows) override { append(payload, std::as_bytes(rows)); }

  void writeTables();
  void addDevices(const Trace &trace);
  std::uint32_t deviceOf(std::uint32_t ordinal);
  /// The row with strings and devices of the merged trace.
  template <typename Row> Row translated(Row row);
  template <typename Row> void keep(std::span<const Row> rows, std::vector<Row> &kept);
  static void append(std::vector<std::byte> &to, std::span<const std::byte> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }
  void section(format::SectionKind kind, std::span<const std::byte> bytes);
  template <typename Row> void section(format::SectionKind kind, const std::vector<Row> &rows) {
    if (!rows.empty())
      section(kind, std::as_bytes(std::span(rows)));
  }
  void closeWarps();
  void closeReferences();
  template <typename Row> void addRenumbered(std::vector<Row> &all, std::span<const Row> rows);

  std::span<const Trace> traces;
  Output &out;
  MergeSummary result;
  const Trace *trace = nullptr;
  StringTable strings;
  std::vector<Device> devices;
  std::map<std::uint32_t, std::uint32_t> ordinals; ///< of the trace, to those written
  std::set<std::string> allRecorded, recorded;     ///< kernels whose warps any of the traces has, and this one
  std::vector<format::LaunchRecord> launchRows;
  std::vector<format::KernelRecord> kernelRows;
  std::vector<format::LaunchTimesRecord> timeRows;
  std::uint32_t timedBefore = 0, timedRuns = 0; ///< runs with such rows: of the traces before, of all so far
  std::vector<format::HostRangeRecord> rangeRows;
  std::vector<format::ClockRecord> clockRows;
  std::vector<format::LossRecord> lossRows;
  std::vector<format::DeviceLimitsRecord> limitRows;
  std::vector<format::SiteCounterRecord> counterRows;
  std::vector<std::byte> referenceBytes;           ///< payload of the open References section
  bool hasCounters = false, hasReferences = false; ///< the trace that is read
  std::uint32_t runsBefore = 0, maxRun = 0;        ///< of the traces before, of all so far
  std::vector<std::byte> summaries;                ///< payload of the open Summaries section
  std::vector<format::SummedLengthsRecord> lengthRows;
  std::vector<format::MarkProbesRecord> markRows;
  std::vector<format::SampledLaunchesRecord> sampledRows;
  std::uint32_t summariesBefore = 0, summaryCount = 0; ///< of the traces before, of all so far
  format::WarpsHeader head{};                          ///< of the open Warps section
  std::vector<std::byte> payload;
  std::uint64_t sections = 0, parts = 0;
};

template <typename Row> Row Merger::translated(Row row) {
  forStringMembers(row, [&](auto &offset, const char *) { offset = strings.intern(trace->string(offset)); });
  forOrdinals(row, [&](std::uint32_t &device) { device = deviceOf(device); });
  return row;
}

void Merger::section(format::SectionKind kind, std::span<const std::byte> bytes) {
  const format::SectionHeader header{kind, 0, bytes.size(), checksumOf(bytes)};
  const auto write = [&](const void *from, std::size_t count) { out.writeBytes({static_cast<const char *>(from), count}); };
  write(&header, sizeof(header));
  write(bytes.data(), bytes.size());
  constexpr char kZeros[8] = {};
  write(kZeros, (8 - bytes.size() % 8) % 8);
  ++sections;
}

/// Devices of the next trace: known ones, or new ones with the next ordinal.
void Merger::addDevices(const Trace &next) {
  trace = &next;
  ordinals.clear();
  const std::string host(next.program() ? next.string(next.program()->hostName) : std::string_view());
  for (const format::DeviceRecord &row : next.devices()) {
    format::DeviceRecord record = translated(row);
    const bool hasUuid = std::ranges::any_of(record.uuid, [](unsigned char byte) { return byte != 0; });
    const auto known = std::ranges::find_if(devices, [&](const Device &device) {
      return device.host == host && device.record.name == record.name && std::ranges::equal(device.record.uuid, record.uuid) &&
             (hasUuid || device.ordinal == row.device);
    });
    const auto ordinal = static_cast<std::uint32_t>(known - devices.begin());
    ordinals[row.device] = ordinal;
    record.device = ordinal;
    if (known == devices.end())
      devices.push_back({record, host, row.device});
    Device &device = devices[ordinal];
    device.gridsBefore = device.maxGrid;
  }
  for (const format::DeviceLimitsRecord &row : next.deviceLimits())
    if (const auto limits = translated(row);
        std::ranges::find(limitRows, limits.device, &format::DeviceLimitsRecord::device) == limitRows.end())
      limitRows.push_back(limits);
}

std::uint32_t Merger::deviceOf(std::uint32_t ordinal) {
  const auto [entry, isNew] = ordinals.try_emplace(ordinal, static_cast<std::uint32_t>(devices.size()));
  if (isNew) { // not in the trace's table: kept apart, without a row
    devices.emplace_back();
    devices.back().record.device = ~0u;
  }
  return entry->second;
}

template <typename Row> void Merger::keep(std::span<const Row> rows, std::vector<Row> &kept) {
  for (const Row &row : rows) {
    kept.push_back(translated(row));
    if constexpr (std::is_same_v<Row, format::LaunchRecord>) {
      const std::string kernel = qualifiedNameOf(trace->string(row.kernel));
      if (allRecorded.contains(kernel) && !recorded.contains(kernel))
        kept.back().flags |= format::kLaunchUnrecorded;
    }
    if (kept.size() * sizeof(row) < kSectionBytes)
      continue;
    closeWarps();
    section(Schema<Row>::section, kept);
    kept.clear();
  }
}

/// The rows of each run stay together; those of kernels that this trace's build gives no probes, and another one does, say so from now on.
void Merger::launchTimes(std::span<const format::LaunchTimesRecord> rows) {
  for (format::LaunchTimesRecord row : rows) {
    row.run += timedBefore;
    timedRuns = std::max(timedRuns, row.run + 1);
    if (!recorded.contains(qualifiedNameOf(trace->string(row.kernel))))
      row.flags |= format::kTimesPlain;
    keep(std::span<const format::LaunchTimesRecord>(&row, 1), timeRows);
  }
}

/// Counters of one site and device add up: nothing is lost by putting them one after the other.
void Merger::siteCounters(std::span<const format::SiteCounterRecord> rows) {
  hasCounters |= !rows.empty();
  keep(rows, counterRows);
}

/// Each section as it is: what one holds is bounded by the runtime's memory for it.
void Merger::references(const format::ReferencesHeader &next) {
  closeReferences();
  hasReferences = true;
  format::ReferencesHeader row = translated(next);
  row.run += runsBefore;
  maxRun = std::max(maxRun, row.run + 1);
  append(referenceBytes, std::as_bytes(std::span(&row, 1)));
}

void Merger::closeReferences() {
  if (!referenceBytes.empty())
    section(format::SectionKind::References, referenceBytes);
  referenceBytes.clear();
}

void Merger::summary(const format::SummaryRecord &record) {
  if (summaries.size() >= kSectionBytes) {
    closeWarps();
    section(format::SectionKind::Summaries, summaries);
    summaries.clear();
  }
  const format::SummaryRecord row = translated(record);
  append(summaries, std::as_bytes(std::span(&row, 1)));
  ++summaryCount;
  result.warps += (record.flags & format::kSummaryByRegion) != 0 ? record.counts[format::kSummaryWarps] : 0;
}

void Merger::summaryRow(const SummaryRow &row) {
  append(summaries, std::as_bytes(std::span(&row.record, 1)));
  append(summaries, std::as_bytes(row.lengths));
  append(summaries, std::as_bytes(row.multiprocessors));
}

/// Of rows that say which of the trace's summaries they belong to.
template <typename Row> void Merger::addRenumbered(std::vector<Row> &all, std::span<const Row> rows) {
  for (Row row : rows) {
    const bool isKnown = row.summary <= summaryCount - summariesBefore;
    row.summary = isKnown && row.summary > 0 ? row.summary + summariesBefore : 0; // else it would become one of another trace
    all.push_back(row);
  }
}

void Merger::warps(const format::WarpsHeader &next) {
  closeWarps();
  head = translated(next);
}

void Merger::warp(const format::WarpHeader &header) {
  if (payload.size() >= kSectionBytes)
    closeWarps();
  if (payload.empty())
    append(payload, std::as_bytes(std::span(&head, 1)));
  format::WarpHeader row = translated(header);
  Device &device = devices[head.device];
  row.gridId += device.gridsBefore;
  device.maxGrid = std::max(device.maxGrid, row.gridId);
  append(payload, std::as_bytes(std::span(&row, 1)));
  ++parts;
  result.warps += (header.flags & format::kWarpContinued) == 0 && !isCalibration(header);
}

void Merger::closeWarps() {
  if (!payload.empty())
    section(format::SectionKind::Warps, payload);
  payload.clear();
}

void Merger::writeTables() {
  std::vector<format::ProgramRecord> programs;
  std::vector<format::RegionRecord> regions;
  std::vector<format::SiteRecord> sites;
  std::vector<format::MachineAccessRecord> machine;
  std::set<std::uint32_t> ids, machineIds;
  SiteUnion known;
  for (const Trace &next : traces) {
    trace = &next;
    if (next.program() && programs.empty())
      programs.push_back(translated(*next.program()));
    for (const format::RegionRecord &region : next.regions())
      if (ids.insert(region.id).second)
        regions.push_back(translated(region));
    for (const format::SiteRecord &site : next.sites())
      if (known.add(next, site))
        sites.push_back(translated(site));
    for (const format::MachineAccessRecord &row : next.machineAccesses())
      if (machineIds.insert(row.site).second)
        machine.push_back(row);
  }
  section(format::SectionKind::Program, programs);
  section(format::SectionKind::Regions, regions);
  section(format::SectionKind::Sites, sites);
  section(format::SectionKind::MachineAccesses, machine);
}

/// Whether run() takes such sections over.
bool isMergeable(format::SectionKind kind) {
  switch (kind) {
  case format::SectionKind::Program:
  case format::SectionKind::Strings:
  case format::SectionKind::Devices:
  case format::SectionKind::DeviceLimits:
  case format::SectionKind::Regions:
  case format::SectionKind::Launches:
  case format::SectionKind::Warps:
  case format::SectionKind::Losses:
  case format::SectionKind::End:
  case format::SectionKind::Sites:
  case format::SectionKind::MachineAccesses:
  case format::SectionKind::SiteCounters:
  case format::SectionKind::Summaries:
  case format::SectionKind::SummedLengths:
  case format::SectionKind::MarkProbes:
  case format::SectionKind::SampledLaunches:
  case format::SectionKind::Kernels:
  case format::SectionKind::References:
  case format::SectionKind::LaunchTimes:
  case format::SectionKind::HostRanges:
  case format::SectionKind::Clocks:
    return true;
  }
  return false;
}

Expected<MergeSummary> Merger::run() {
  const format::FileHeader header = headerOfAll(traces);
  std::set<std::string> leftOut;
  for (const Trace &next : traces)
    for (const Section &section : next.sections())
      if (!isMergeable(section.kind))
        leftOut.insert(named(section.kind));
  out.writeBytes({reinterpret_cast<const char *>(&header), sizeof(header)});
  writeTables();
  for (const Trace &next : traces)
    allRecorded.merge(recordedKernels(next));
  for (const Trace &next : traces) {
    recorded = recordedKernels(next);
    addDevices(next);
    hasCounters = hasReferences = false;
    if (Status status = next.visit(*this); !status)
      return failure(status.error());
    closeWarps();
    if (hasCounters && !hasReferences &&
        std::ranges::any_of(traces, &Trace::hasReferences)) // else its accesses would be missed among those of others
      references(format::kNoReferences);
    closeReferences();
    runsBefore = maxRun, timedBefore = timedRuns;
    summariesBefore = summaryCount;
  }
  section(format::SectionKind::Launches, launchRows);
  section(format::SectionKind::Kernels, kernelRows);
  section(format::SectionKind::LaunchTimes, timeRows);
  section(format::SectionKind::HostRanges, rangeRows);
  section(format::SectionKind::Clocks, clockRows);
  section(format::SectionKind::Losses, lossRows);
  section(format::SectionKind::SiteCounters, counterRows);
  if (!summaries.empty())
    section(format::SectionKind::Summaries, summaries);
  section(format::SectionKind::SummedLengths, lengthRows);
  section(format::SectionKind::MarkProbes, markRows);
  section(format::SectionKind::SampledLaunches, sampledRows);
  std::vector<format::DeviceRecord> rows;
  for (const Device &device : devices)
    if (device.record.device != ~0u)
      rows.push_back(device.record);
  section(format::SectionKind::Devices, rows);
  section(format::SectionKind::DeviceLimits, limitRows);
  section(format::SectionKind::Strings, std::as_bytes(std::span(strings.table())));
  const format::EndRecord end{sections, parts};
  section(format::SectionKind::End, std::as_bytes(std::span(&end, 1)));
  result.devices = rows.size();
  result.leftOut.assign(leftOut.begin(), leftOut.end());
  return std::move(result);
}

/// Whether the summaries of a reduced trace, which are copied as they stand, can be read; else only who reads the merged one would know.
Status checkSummaries(const Trace &trace) {
  RegionSet regions;
  regions.add(trace);
  for (const bool byPath : {false, true}) {
    TotalsSink totals(regions, "", byPath);
    totals.beginTrace(trace);
    if (Status status = addSummaries(trace, regions, totals); !status)
      return status;
  }
  return {};
}

} // namespace

Expected<MergeSummary> mergeTraces(std::span<const Trace> traces, Output &out) {
  if (Status status = checkSameBuild(traces); !status)
    return failure(status.error());
  for (const Trace &trace : traces)
    if (Status status = trace.isReduced() ? checkSummaries(trace) : Status(); !status)
      return failure(status.error());
  return Merger(traces, out).run();
}

} // namespace kperf::decoder
