// Reads a trace file (kperf/format.h) in passes, with bounded memory, trusting none of its bytes.
#ifndef KPERF_DECODER_TRACE_H
#define KPERF_DECODER_TRACE_H

#include "decoder/io/ByteSource.h"
#include "decoder/io/Error.h"
#include "decoder/trace/Records.h"

#include <kperf/format_references.h>
#include <kperf/format_summary.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// Where one section lies. Bytes of the file: the 24 of its header, `bytes` of payload, the padding.
struct Section {
  format::SectionKind kind;
  std::uint64_t offset; ///< of its SectionHeader
  std::uint64_t bytes;  ///< payload without the padding
  std::uint64_t checksum;

  std::uint64_t payload() const { return offset + sizeof(format::SectionHeader); }
  std::uint64_t end() const { return payload() + (bytes + 7) / 8 * 8; }
};

/// One row of a summary, with what follows it in the file.
struct SummaryRow {
  const format::SummaryRowRecord &record;
  std::span<const std::uint64_t> lengths; ///< cycles under kRowExact, else LengthBuckets
  std::span<const std::uint64_t> multiprocessors;
};

/// Receives the parts of a trace that are too large to hold, in the order of the file. What the spans point to lives
/// until the call returns.
class TraceVisitor {
public:
  virtual ~TraceVisitor() = default;
  virtual void launches(std::span<const format::LaunchRecord>) {}
  virtual void losses(std::span<const format::LossRecord>) {}
  virtual void kernels(std::span<const format::KernelRecord>) {}
  virtual void launchTimes(std::span<const format::LaunchTimesRecord>) {}
  virtual void hostRanges(std::span<const format::HostRangeRecord>) {}
  virtual void clocks(std::span<const format::ClockRecord>) {}
  virtual void siteCounters(std::span<const format::SiteCounterRecord>) {}
  /// Once for each section, then for each piece of its rows.
  virtual void references(const format::ReferencesHeader &) {}
  virtual void references(std::span<const format::ReferenceRecord>) {}
  virtual void warps(const format::WarpsHeader &) {}
  /// The header of a warp, or of a further part of it; keptRecords() records follow in calls of records(), then
  /// endWarp().
  virtual void warp(const format::WarpHeader &) {}
  virtual void records(std::span<const format::Record>) {}
  virtual void endWarp() {}
  /// A kernel of a reduced trace; its rows follow.
  virtual void summary(const format::SummaryRecord &) {}
  virtual void summaryRow(const SummaryRow &) {}
  /// Which summaries and rows they name is not looked at.
  virtual void summedLengths(std::span<const format::SummedLengthsRecord>) {}
  virtual void markProbes(std::span<const format::MarkProbesRecord>) {}
  virtual void sampledLaunches(std::span<const format::SampledLaunchesRecord>) {}
};

class Trace {
public:
  /// Opens a file, finds its sections and loads the small tables (program, strings, devices, regions, sites).
  static Expected<Trace> open(const std::string &path);
  static Expected<Trace> read(ByteSource source);

  const std::string &name() const { return source.name(); }
  std::uint64_t fileBytes() const { return source.size(); }
  const format::FileHeader &header() const { return fileHeader; }
  std::span<const Section> sections() const { return sectionList; }

  /// Why the file is incomplete, "" when its End section is there. An incomplete file is readable up to wholeBytes().
  const std::string &incomplete() const { return incompleteReason; }
  std::uint64_t wholeBytes() const { return whole; }

  const std::optional<format::ProgramRecord> &program() const { return programRecord; }
  std::span<const format::DeviceRecord> devices() const { return deviceList; }
  std::span<const format::DeviceLimitsRecord> deviceLimits() const { return limitList; }
  std::span<const format::RegionRecord> regions() const { return regionList; }
  std::span<const format::SiteRecord> sites() const { return siteList; }
  /// What was executed for sites; those that it does not list were not looked at.
  std::span<const format::MachineAccessRecord> machineAccesses() const { return machineList; }
  /// The device of that ordinal, or null.
  const format::DeviceRecord *device(std::uint32_t ordinal) const;
  /// Its index in devices(), or devices().size() for an ordinal that is not listed.
  std::uint32_t deviceIndex(std::uint32_t ordinal) const {
    const auto found = std::ranges::find(deviceList, ordinal, &format::DeviceRecord::device);
    return static_cast<std::uint32_t>(found - deviceList.begin());
  }
  /// Whether kernels are summed up in it: of those there are no warps to look at.
  bool isReduced() const { return has(format::SectionKind::Summaries); }
  bool hasReferences() const { return has(format::SectionKind::References); }
  bool has(format::SectionKind kind) const { return std::ranges::find(sectionList, kind, &Section::kind) != sectionList.end(); }
  /// The concatenation of all Strings sections.
  std::string_view strings() const { return stringTable; }
  /// The string at an offset that came from this trace; "" for one that lies outside.
  std::string_view string(std::uint64_t offset) const;

  /// Passes over launches, losses, counters and warps of the whole file, and verifies every checksum it passes.
  Status visit(TraceVisitor &visitor) const;
  /// The same for one section.
  Status visitSection(const Section &section, TraceVisitor &visitor) const;
  /// The payload of one section as it is, for sections that are small enough to be held (at most 1 GiB).
  Expected<std::vector<std::byte>> payload(const Section &section) const;

  /// How many blocks a recorded one stands for, at most: of large launches more than of small ones. Reads the whole trace.
  Expected<std::uint32_t> samplingInterval() const;

private:
  explicit Trace(ByteSource source) : source(std::move(source)) {}
  Status readHeader();
  Status index();
  Status checkEnd(const Section &section);
  Status loadTables();
  Status loadProgram(const Section &section);
  template <typename T> Status loadTable(const Section &section, std::vector<T> &out, std::uint64_t most);
  Status loadStrings(const Section &section);
  Status checkTables() const;
  Status checkRegion(const format::RegionRecord &region, std::uint64_t at) const;
  Status checkMachineAccess(const format::MachineAccessRecord &row, std::uint64_t at) const;
  Status checkSite(const format::SiteRecord &site, std::uint64_t at) const;
  Status checkCounters(const format::SiteCounterRecord &row, std::uint64_t at) const;
  Status checkTimes(const format::LaunchTimesRecord &row, std::uint64_t at) const;
  template <typename Row> friend class RowChecks;
  /// A trace of a version that this reader knows in full: what should be zero must be.
  bool isStrict() const { return fileHeader.versionMinor <= format::kVersionMinor; }
  Status checkKnown(bool isKnown, std::uint64_t at, std::string message, std::uint64_t found) const;
  template <typename Row, typename Take> Status visitRows(const Section &section, Take take) const;
  Status visitReferences(const Section &section, TraceVisitor &visitor) const;
  Status visitWarps(const Section &section, TraceVisitor &visitor, std::uint64_t &warps) const;
  Status visitSummaries(const Section &section, TraceVisitor &visitor) const;
  Status checkSummary(const format::SummaryRecord &summary, std::uint64_t at) const;
  Status checkSummaryRow(const format::SummaryRowRecord &row, std::uint64_t at, std::uint32_t number) const;
  Status visitSection(const Section &section, TraceVisitor &visitor, std::uint64_t &warps) const;
  Status checkWarp(const format::WarpHeader &warp, std::uint64_t at, std::uint64_t left) const;
  Error error(std::uint64_t offset, std::string message, std::string found, std::string expected) const;

  ByteSource source;
  format::FileHeader fileHeader{};
  std::vector<Section> sectionList;
  std::string incompleteReason;
  std::uint64_t whole = 0;
  std::optional<std::uint64_t> warpsAtEnd; ///< what the End section says
  std::optional<format::ProgramRecord> programRecord;
  std::vector<format::DeviceRecord> deviceList;
  std::vector<format::DeviceLimitsRecord> limitList;
  std::vector<format::RegionRecord> regionList;
  std::vector<format::SiteRecord> siteList;
  std::vector<format::MachineAccessRecord> machineList;
  std::string stringTable;
};

} // namespace kperf::decoder

#endif
