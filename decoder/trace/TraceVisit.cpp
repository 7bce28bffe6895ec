// Checks the tables, and passes launches, losses and warps to a visitor.
#include "decoder/trace/RowChecks.h"
#include "decoder/trace/SectionStream.h"
#include "decoder/trace/Trace.h"

#include <cstring>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// Rows of one table that are handed over at a time; small enough to be taken from a stream in one piece.
constexpr std::uint64_t kRowsAtOnce = 1024;
constexpr std::uint64_t kRecordsAtOnce = 32768;

/// The bytes of a piece as rows; the stream keeps them aligned to 8.
template <typename T> std::span<const T> rowsOf(std::span<const std::byte> piece) {
  static_assert(alignof(T) <= 8);
  return {reinterpret_cast<const T *>(piece.data()), piece.size() / sizeof(T)};
}

/// Calls `take(rows, offset of the first)` for all rows of a section, piece by piece.
template <typename T, typename Take> Status forRows(const ByteSource &source, const Section &section, Take take) {
  if (section.bytes % sizeof(T) != 0)
    return failure({.message = fmt::format("the size of a {} section is wrong", named(section.kind)),
                    .found = fmt::format("{} bytes", section.bytes),
                    .expected = fmt::format("a multiple of {}", sizeof(T)),
                    .offset = section.offset,
                    .file = source.name()});
  SectionStream stream(source, section);
  while (stream.left() > 0) {
    const std::uint64_t at = stream.offset();
    const auto piece = stream.take(std::min<std::uint64_t>(stream.left(), kRowsAtOnce * sizeof(T)));
    if (!piece)
      return failure(piece.error());
    if (Status status = take(rowsOf<T>(*piece), at); !status)
      return status;
  }
  return stream.finish();
}

} // namespace

Status Trace::checkKnown(bool isKnown, std::uint64_t at, std::string message, std::uint64_t found) const {
  if (isKnown || !isStrict())
    return {};
  return failure(error(at, std::move(message), fmt::format("{:#x}", found),
                       fmt::format("a value of format {}.{}", format::kVersionMajor, format::kVersionMinor)));
}

Status Trace::checkRegion(const format::RegionRecord &region, std::uint64_t at) const {
  if (region.id == 0 || region.id > format::kIdMask)
    return failure(error(at, "a region's id is out of range", fmt::format("{:#x}", region.id), "1 to 0xffffff"));
  if (nextOf(region) > format::kIdMask)
    return failure(error(at + offsetof(format::RegionRecord, next), "the id of a region's next one is out of range",
                         fmt::format("{:#x}", region.next), "0 to 0xffffff"));
  if (Status status = RowChecks(*this, region, at).run(); !status)
    return status;
  return checkKnown(decoder::name(operationOf(region)) && decoder::name(objectOf(region)), at + offsetof(format::RegionRecord, sync),
                    "unknown kind of synchronisation", region.sync);
}

Status Trace::checkSite(const format::SiteRecord &site, std::uint64_t at) const {
  if (site.id > format::kIdMask)
    return failure(error(at, "a site's id is out of range", fmt::format("{:#x}", site.id), "0 to 0xffffff"));
  return RowChecks(*this, site, at).run();
}

Status Trace::checkCounters(const format::SiteCounterRecord &row, std::uint64_t at) const {
  const bool isKnown = row.groups == 0 || fileHeader.versionMinor >= (row.groups > format::kGroupsMask ? 13 : 10);
  return checkKnown((row.group == 0 && row.groups == 0) || (isKnown && row.group > 0 && row.group <= (row.groups & format::kGroupsMask)),
                    at + offsetof(format::SiteCounterRecord, group),
                    isKnown ? "a site's counters are of a group that is not there" : "a reserved member of a site's counters is not zero",
                    row.group | std::uint64_t{row.groups} << 16);
}

Status Trace::checkMachineAccess(const format::MachineAccessRecord &row, std::uint64_t at) const {
  for (const std::uint32_t id : {row.site, row.leader})
    if (id > format::kIdMask)
      return failure(error(at, "a site's id is out of range", fmt::format("{:#x}", id), "0 to 0xffffff"));
  return checkKnown(decoder::name(row.state) != nullptr, at + offsetof(format::MachineAccessRecord, state),
                    "unknown state of an access in machine code", static_cast<std::uint32_t>(row.state));
}

Status Trace::checkTables() const {
  auto device = deviceList.begin();
  auto site = siteList.begin();
  auto region = regionList.begin();
  auto machine = machineList.begin();
  for (const Section &section : sectionList) {
    const std::uint64_t end = section.payload() + section.bytes;
    Status status;
    if (section.kind == format::SectionKind::Program)
      status = RowChecks(*this, *programRecord, section.payload()).run();
    if (section.kind == format::SectionKind::Devices)
      for (std::uint64_t at = section.payload(); status && at < end; at += sizeof(*device))
        status = RowChecks(*this, *device++, at).run();
    if (section.kind == format::SectionKind::Regions)
      for (std::uint64_t at = section.payload(); status && at < end; at += sizeof(*region))
        status = checkRegion(*region++, at);
    if (section.kind == format::SectionKind::Sites)
      for (std::uint64_t at = section.payload(); status && at < end; at += sizeof(*site))
        status = checkSite(*site++, at);
    if (section.kind == format::SectionKind::MachineAccesses)
      for (std::uint64_t at = section.payload(); status && at < end; at += sizeof(*machine))
        status = checkMachineAccess(*machine++, at);
    if (!status)
      return status;
  }
  return {};
}

Status Trace::visit(TraceVisitor &visitor) const {
  std::uint64_t warps = 0;
  for (const Section &section : sectionList)
    if (Status status = visitSection(section, visitor, warps); !status)
      return status;
  if (warpsAtEnd && *warpsAtEnd != warps)
    return failure(error(sectionList.back().payload() + offsetof(format::EndRecord, warps), "warps are missing, or too many",
                         std::to_string(warps), std::to_string(*warpsAtEnd)));
  return {};
}

Status Trace::visitSection(const Section &section, TraceVisitor &visitor) const {
  std::uint64_t warps = 0;
  return visitSection(section, visitor, warps);
}

/// Hands over the rows of a table once they are checked, piece by piece.
template <typename Row, typename Take> Status Trace::visitRows(const Section &section, Take take) const {
  return forRows<Row>(source, section, [&](std::span<const Row> rows, std::uint64_t at) -> Status {
    for (const Row &row : rows) {
      Status status = RowChecks(*this, row, at).run();
      if constexpr (std::is_same_v<Row, format::SiteCounterRecord>)
        status = status ? checkCounters(row, at) : status;
      if constexpr (std::is_same_v<Row, format::LaunchTimesRecord>)
        status = status ? checkTimes(row, at) : status;
      if (!status)
        return status;
      at += sizeof(row);
    }
    take(rows);
    return {};
  });
}

Status Trace::visitSection(const Section &section, TraceVisitor &visitor, std::uint64_t &warps) const {
  switch (section.kind) {
  case format::SectionKind::Launches:
    return visitRows<format::LaunchRecord>(section, [&](auto rows) { visitor.launches(rows); });
  case format::SectionKind::Losses:
    return visitRows<format::LossRecord>(section, [&](auto rows) { visitor.losses(rows); });
  case format::SectionKind::Kernels:
    return visitRows<format::KernelRecord>(section, [&](auto rows) { visitor.kernels(rows); });
  case format::SectionKind::LaunchTimes:
    return visitRows<format::LaunchTimesRecord>(section, [&](auto rows) { visitor.launchTimes(rows); });
  case format::SectionKind::HostRanges:
    return visitRows<format::HostRangeRecord>(section, [&](auto rows) { visitor.hostRanges(rows); });
  case format::SectionKind::Clocks:
    return visitRows<format::ClockRecord>(section, [&](auto rows) { visitor.clocks(rows); });
  case format::SectionKind::Warps:
    return visitWarps(section, visitor, warps);
  case format::SectionKind::SiteCounters:
    return visitRows<format::SiteCounterRecord>(section, [&](auto rows) { visitor.siteCounters(rows); });
  case format::SectionKind::References:
    return visitReferences(section, visitor);
  case format::SectionKind::Summaries:
    return visitSummaries(section, visitor);
  case format::SectionKind::SummedLengths:
    return visitRows<format::SummedLengthsRecord>(section, [&](auto rows) { visitor.summedLengths(rows); });
  case format::SectionKind::MarkProbes:
    return visitRows<format::MarkProbesRecord>(section, [&](auto rows) { visitor.markProbes(rows); });
  case format::SectionKind::SampledLaunches:
    return visitRows<format::SampledLaunchesRecord>(section, [&](auto rows) { visitor.sampledLaunches(rows); });
  case format::SectionKind::Sites:
  case format::SectionKind::MachineAccesses:
  case format::SectionKind::Program:
  case format::SectionKind::Strings:
  case format::SectionKind::Devices:
  case format::SectionKind::DeviceLimits:
  case format::SectionKind::Regions:
  case format::SectionKind::End:
    return {}; // verified when the trace was opened
  }
  return forRows<unsigned char>(source, section, [](std::span<const unsigned char>, std::uint64_t) { return Status(); });
}

Status Trace::visitReferences(const Section &section, TraceVisitor &visitor) const {
  if (section.bytes < sizeof(format::ReferencesHeader))
    return failure(error(section.payload(), "a References section ends within its header", fmt::format("{} bytes", section.bytes),
                         fmt::format("at least {}", sizeof(format::ReferencesHeader))));
  SectionStream stream(source, section);
  auto piece = stream.take(sizeof(format::ReferencesHeader));
  if (!piece)
    return failure(piece.error());
  visitor.references(rowsOf<format::ReferencesHeader>(*piece).front());
  if (stream.left() % sizeof(format::ReferenceRecord) != 0)
    return failure(error(section.offset, "the size of a References section is wrong",
                         fmt::format("{} bytes behind its header", stream.left()),
                         fmt::format("a multiple of {}", sizeof(format::ReferenceRecord))));
  while (stream.left() > 0) {
    const std::uint64_t at = stream.offset();
    if (piece = stream.take(std::min<std::uint64_t>(stream.left(), kRowsAtOnce * sizeof(format::ReferenceRecord))); !piece)
      return failure(piece.error());
    const auto rows = rowsOf<format::ReferenceRecord>(*piece);
    for (const format::ReferenceRecord &row : rows) {
      const std::uint64_t here = at + static_cast<std::uint64_t>(&row - rows.data()) * sizeof(row);
      if (row.line >> format::kReferenceClassShift >= format::kReferenceClasses)
        return failure(error(here, "a reference is to a line of an unknown class", std::to_string(row.line >> format::kReferenceClassShift),
                             fmt::format("at most {}", format::kReferenceClasses - 1)));
      if (Status status = RowChecks(*this, row, here).run(); !status)
        return status;
    }
    visitor.references(rows);
  }
  return stream.finish();
}

Status Trace::checkWarp(const format::WarpHeader &warp, std::uint64_t at, std::uint64_t left) const {
  if (keptRecords(warp) * sizeof(format::Record) > left)
    return failure(error(at + offsetof(format::WarpHeader, produced), "a warp has more records than its section holds",
                         fmt::format("{} records", keptRecords(warp)), fmt::format("at most {}", left / sizeof(format::Record))));
  if (!isFinished(warp) && !isForeign(warp) && warp.produced > warp.capacity)
    return failure(error(at + offsetof(format::WarpHeader, produced), "an unfinished warp has more records than it had room for",
                         std::to_string(warp.produced), fmt::format("at most {}", warp.capacity)));
  if (warp.skipped > warp.produced || (warp.skipped != 0 && !isFinished(warp)))
    return failure(error(at + offsetof(format::WarpHeader, skipped), "a warp skipped more records than it produced",
                         std::to_string(warp.skipped), fmt::format("at most {}", isFinished(warp) ? warp.produced : 0)));
  return RowChecks(*this, warp, at).run();
}

Expected<std::uint32_t> Trace::samplingInterval() const {
  struct : TraceVisitor {
    void warp(const format::WarpHeader &warp) override { max = std::max(max, warp.sampled); }
    void summary(const format::SummaryRecord &summary) override { max = std::max(max, summary.sampled); }
    std::uint32_t max = 1;
  } found;
  using Kind = format::SectionKind;
  for (const Section &section : sectionList)
    if (section.kind == Kind::Warps || section.kind == Kind::Summaries)
      if (Status status = visitSection(section, found); !status)
        return failure(status.error());
  return found.max;
}

Status Trace::visitWarps(const Section &section, TraceVisitor &visitor, std::uint64_t &warps) const {
  const auto cutOff = [&](std::uint64_t at, std::uint64_t left, std::size_t expected) {
    return failure(error(at, "a Warps section ends within a header", fmt::format("{} bytes", left), fmt::format("at least {}", expected)));
  };
  if (section.bytes < sizeof(format::WarpsHeader))
    return cutOff(section.payload(), section.bytes, sizeof(format::WarpsHeader));
  SectionStream stream(source, section);
  auto piece = stream.take(sizeof(format::WarpsHeader));
  if (!piece)
    return failure(piece.error());
  const format::WarpsHeader head = rowsOf<format::WarpsHeader>(*piece).front();
  if (Status status = RowChecks(*this, head, section.payload()).run(); !status)
    return status;
  visitor.warps(head);
  while (stream.left() > 0) {
    const std::uint64_t at = stream.offset();
    if (stream.left() < sizeof(format::WarpHeader))
      return cutOff(at, stream.left(), sizeof(format::WarpHeader));
    if (piece = stream.take(sizeof(format::WarpHeader)); !piece)
      return failure(piece.error());
    const format::WarpHeader warp = rowsOf<format::WarpHeader>(*piece).front();
    if (Status status = checkWarp(warp, at, stream.left()); !status)
      return status;
    ++warps;
    visitor.warp(warp);
    for (std::uint64_t left = keptRecords(warp); left > 0;) {
      const std::uint64_t count = std::min(left, kRecordsAtOnce);
      if (piece = stream.take(count * sizeof(format::Record)); !piece)
        return failure(piece.error());
      visitor.records(rowsOf<format::Record>(*piece));
      left -= count;
    }
    visitor.endWarp();
  }
  return stream.finish();
}

} // namespace kperf::decoder
