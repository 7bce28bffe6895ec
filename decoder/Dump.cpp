// Prints everything in a trace as text that packText() turns back into the same bytes.
#include "Dump.h"
#include "CanonicalStrings.h"
#include "FormatNames.h"
#include "RecordRules.h"
#include "RegionNames.h"
#include "StringTable.h"
#include "SummaryText.h"
#include "TextDefaults.h"
#include "TextLine.h"

#include <cstring>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

class Dump final : public TraceVisitor {
public:
  Dump(const Trace &trace, Output &out) : trace(trace), out(out) {}
  Status run();

  void launches(std::span<const format::LaunchRecord> rows) override;
  void kernels(std::span<const format::KernelRecord> rows) override;
  void losses(std::span<const format::LossRecord> rows) override;
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override;
  void references(const format::ReferencesHeader &head) override;
  void references(std::span<const format::ReferenceRecord> rows) override;
  void warps(const format::WarpsHeader &head) override;
  void warp(const format::WarpHeader &warp) override;
  void records(std::span<const format::Record> rows) override;
  void summary(const format::SummaryRecord &row) override;
  void summaryRow(const SummaryRow &row) override;

private:
  Status section(const Section &section);
  void header();
  void program();
  void device(const format::DeviceRecord &row);
  void region(const format::RegionRecord &row);
  void site(const format::SiteRecord &row);
  void strings(const Section &section);
  void record(const format::Record &row);
  Status unknown(const Section &section);

  template <typename... T> void print(fmt::format_string<T...> text, T &&...values) {
    fmt::format_to(std::back_inserter(line), text, std::forward<T>(values)...);
  }
  template <typename T> void field(const char *key, T value, T usual) {
    if (value != usual)
      print(" {}={}", key, value);
  }
  void text(const char *key, std::uint64_t offset) {
    if (offset != 0)
      print(" {}={}", key, string(offset));
  }
  /// The quoted string, or @offset when its text does not lead back to the offset.
  std::string string(std::uint64_t offset) const;
  void endLine() {
    line += '\n';
    out.write(line);
    line.clear();
  }

  const Trace &trace;
  Output &out;
  std::string line;
  bool hasOwnStrings = false;
  StringTable ownStrings; ///< the file's table, when it is not the canonical one
  std::size_t deviceIndex = 0, regionIndex = 0, siteIndex = 0;
  std::uint64_t stringsAt = 0;
  RegionNames regions;
  format::KeepPolicy policy = format::KeepPolicy::First;
  format::WarpHeader current{};
  std::uint64_t index = 0; ///< of the next record in its warp
};

std::string Dump::string(std::uint64_t offset) const {
  const std::string_view text = trace.string(offset);
  if (offset != 0 && hasOwnStrings && ownStrings.find(text) != offset)
    return fmt::format("@{}", offset);
  return quotedText(text);
}

Status Dump::run() {
  const Expected<bool> canonical = hasCanonicalStrings(trace);
  if (!canonical)
    return failure(canonical.error());
  hasOwnStrings = !*canonical;
  if (hasOwnStrings)
    for (std::string_view left = trace.strings(); !left.empty();) {
      const std::string_view text = left.substr(0, left.find('\0'));
      ownStrings.append(text);
      left.remove_prefix(text.size() + 1);
    }
  header();
  std::optional<format::SectionKind> last;
  for (const Section &part : trace.sections()) {
    const bool needsHead = part.bytes == 0 || last == part.kind;
    last = part.kind;
    if (needsHead && part.kind != format::SectionKind::Warps &&
        part.kind != format::SectionKind::References && part.kind != format::SectionKind::Strings &&
        name(part.kind)) {
      print("section {}", name(part.kind));
      endLine();
    }
    if (Status status = section(part); !status)
      return status;
  }
  if (!trace.incomplete().empty()) {
    print("incomplete");
    endLine();
  }
  return {};
}

Status Dump::section(const Section &part) {
  switch (part.kind) {
  case format::SectionKind::Program:
    program();
    return {};
  case format::SectionKind::Strings:
    if (hasOwnStrings)
      strings(part);
    return {};
  case format::SectionKind::Devices:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::DeviceRecord); ++i)
      device(trace.devices()[deviceIndex++]);
    return {};
  case format::SectionKind::Regions:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::RegionRecord); ++i)
      region(trace.regions()[regionIndex++]);
    return {};
  case format::SectionKind::Sites:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::SiteRecord); ++i)
      site(trace.sites()[siteIndex++]);
    return {};
  case format::SectionKind::SiteCounters:
  case format::SectionKind::References:
  case format::SectionKind::Summaries:
  case format::SectionKind::Launches:
  case format::SectionKind::Warps:
  case format::SectionKind::Losses:
  case format::SectionKind::Kernels:
    return trace.visitSection(part, *this);
  case format::SectionKind::End:
    return {};
  }
  return unknown(part);
}

void Dump::header() {
  const format::FileHeader &file = trace.header();
  print("kperf {}.{}", file.versionMajor, file.versionMinor);
  if (file.target != TextDefaults::target)
    print(" target={}", named(file.target));
  field("created", file.createdUnixNs, std::uint64_t{0});
  if (file.buildId != 0)
    print(" build={:#x}", file.buildId);
  endLine();
}

void Dump::program() {
  const format::ProgramRecord &row = *trace.program();
  print("program");
  text("executable", row.executable);
  text("command", row.commandLine);
  text("runtime", row.runtimeVersion);
  text("host", row.hostName);
  field("pid", row.processId, std::uint64_t{0});
  endLine();
}

void Dump::strings(const Section &section) {
  print("strings");
  endLine();
  std::string_view left = trace.strings().substr(stringsAt, section.bytes);
  stringsAt += section.bytes;
  while (!left.empty()) {
    const std::string_view text = left.substr(0, left.find('\0'));
    print("  {}", quotedText(text));
    endLine();
    left.remove_prefix(text.size() + 1);
  }
}

void Dump::device(const format::DeviceRecord &row) {
  print("device {}", row.device);
  text("name", row.name);
  text("architecture", row.architecture);
  text("driver", row.driver);
  field("multiprocessors", row.multiprocessors, 0u);
  field("lanes", row.warpLanes, TextDefaults::warpLanes);
  field("khz", row.clockKhz, 0u);
  field("tick", row.timerTickNs, 0u);
  field("memory", row.memoryBytes, std::uint64_t{0});
  if (std::ranges::any_of(row.uuid, [](unsigned char byte) { return byte != 0; })) {
    print(" uuid=");
    for (const unsigned char byte : row.uuid)
      print("{:02x}", byte);
  }
  endLine();
}

void Dump::region(const format::RegionRecord &row) {
  print("region {:#x} {} {}", row.id, named(row.kind), string(row.name));
  text("function", row.function);
  text("file", row.file);
  field("line", row.line, 0u);
  field("column", row.column, 0u);
  field("endLine", row.endLine, row.line);
  if (row.sync != 0)
    print(" operation={} object={}", named(operationOf(row)), named(objectOf(row)));
  text("source", row.source);
  endLine();
  regions.add(row.id, trace.string(row.name), row.kind == format::RegionKind::Kernel);
}

void Dump::site(const format::SiteRecord &row) {
  print("site {:#x} {} {}", row.id, named(row.kind), string(row.expression));
  if (row.region != 0)
    print(" region={}", regions.reference(row.region));
  text("function", row.function);
  text("file", row.file);
  field("line", row.line, 0u);
  field("column", row.column, 0u);
  field("width", row.width, 0u);
  field("bytes", row.elementBytes, 0u);
  text("reason", row.reason);
  text("source", row.source);
  endLine();
}

void Dump::siteCounters(std::span<const format::SiteCounterRecord> rows) {
  for (const format::SiteCounterRecord &row : rows) {
    print("counters {:#x}", row.site);
    field("device", row.device, 0u);
    field("sampled", row.sampled, 1u);
    field("reserved", row.reserved, 0u);
    for (unsigned counter = 0; counter < format::kSiteCounters; ++counter)
      field(name(static_cast<format::SiteCounter>(counter)), row.counts[counter], std::uint64_t{0});
    endLine();
  }
}

void Dump::references(const format::ReferencesHeader &head) {
  print("references");
  field("device", head.device, 0u);
  if (head.incomplete != 0)
    print(" incomplete={:#x}", head.incomplete);
  field("sampled", head.sampled, 1u);
  field("run", head.run, 0u);
  endLine();
}

void Dump::references(std::span<const format::ReferenceRecord> rows) {
  for (const format::ReferenceRecord &row : rows) {
    print("  reference {:#x} site={:#x} sectors={:#x}", row.line & format::kReferenceLineMask, row.tag & format::kIdMask,
          row.tag >> format::kReferenceSectorShift);
    field("class", row.line >> format::kReferenceClassShift, std::uint64_t{0});
    field("order", row.order, 0u);
    field("sm", row.line >> format::kReferenceSmShift & format::kReferenceSmMask, std::uint64_t{0});
    field("block", row.block, 0u);
    field("iteration", static_cast<std::uint32_t>(row.iteration), static_cast<std::uint32_t>(format::kNoIteration));
    endLine();
  }
}

void Dump::launches(std::span<const format::LaunchRecord> rows) {
  for (const format::LaunchRecord &row : rows) {
    print("launch {}", string(row.kernel));
    field("device", row.device, 0u);
    field("time", row.hostNs, std::uint64_t{0});
    if (row.stream != 0)
      print(" stream={:#x}", row.stream);
    print(" grid={}x{}x{} block={}x{}x{}", row.grid[0], row.grid[1], row.grid[2], row.block[0], row.block[1],
          row.block[2]);
    field("shared", row.dynamicSharedBytes, 0u);
    if (row.flags != 0)
      print(" flags={:#x}", row.flags);
    endLine();
  }
}

void Dump::kernels(std::span<const format::KernelRecord> rows) {
  for (const format::KernelRecord &row : rows) {
    print("needs {}", string(row.kernel));
    forNeeds(row, [&](const char *key, auto value, auto usual) { field(key, value, decltype(value){usual}); });
    endLine();
  }
}

void Dump::losses(std::span<const format::LossRecord> rows) {
  for (const format::LossRecord &row : rows) {
    print("loss {}", named(row.kind));
    field("device", row.device, 0u);
    field("count", row.count, std::uint64_t{0});
    text("reason", row.reason);
    endLine();
  }
}

void Dump::warps(const format::WarpsHeader &head) {
  policy = head.policy;
  current = {};
  print("warps");
  field("device", head.device, 0u);
  if (head.policy != format::KeepPolicy::First)
    print(" keep={}", named(head.policy));
  endLine();
}

void Dump::warp(const format::WarpHeader &warp) {
  index = firstIndex(warp, policy);
  const bool isMore = continues(warp, current);
  const format::WarpHeader usual =
      isMore ? TextDefaults::more(current, keptRecords(warp)) : TextDefaults::warp(keptRecords(warp));
  current = warp;
  if (isMore)
    print("more");
  else
    print("warp {}.{}", warp.block, warp.warp);
  field("gridId", warp.gridId, usual.gridId);
  field("sm", warp.sm, usual.sm);
  if (!isMore || warp.startNs != usual.startNs || warp.endNs != usual.endNs)
    print(" ns={}..{}", warp.startNs, warp.endNs);
  if (!isMore || warp.startCycles != usual.startCycles || warp.endCycles != usual.endCycles)
    print(" cycles={}..{}", warp.startCycles, warp.endCycles);
  if (warp.kernel != (isMore ? usual.kernel : regions.firstKernel()))
    print(" kernel={}", regions.reference(warp.kernel));
  if (warp.nameAddress != usual.nameAddress)
    print(" name={}", string(warp.nameAddress));
  if (warp.gridX != usual.gridX || warp.gridY != usual.gridY || warp.gridZ != usual.gridZ)
    print(" grid={}x{}x{}", warp.gridX, warp.gridY, warp.gridZ);
  if (warp.blockX != usual.blockX || warp.blockY != usual.blockY || warp.blockZ != usual.blockZ)
    print(" block={}x{}x{}", warp.blockX, warp.blockY, warp.blockZ);
  field("produced", warp.produced, usual.produced);
  field("capacity", warp.capacity, usual.capacity);
  field("sampled", warp.sampled, usual.sampled);
  field("passed", warp.passed, 0u);
  if (warp.flags != usual.flags)
    print(" flags={}", flagWords(warp.flags, kWarpFlagWords));
  endLine();
}

void Dump::records(std::span<const format::Record> rows) {
  for (const format::Record &row : rows) {
    record(row);
    ++index;
  }
}

void Dump::record(const format::Record &row) {
  switch (kindOf(row)) {
  case format::RecordKind::Span:
    print("  span {} {}..{}", regions.reference(idOf(row)), row.first, row.second);
    break;
  case format::RecordKind::Begin:
  case format::RecordKind::End:
    print("  {} {} {}", name(kindOf(row)), regions.reference(idOf(row)), row.first);
    field("second", row.second, 0u);
    break;
  case format::RecordKind::Mark:
    print("  mark {} {}", regions.reference(idOf(row)), row.first);
    field("payload", row.second, 0u);
    break;
  case format::RecordKind::Sum:
    print("  sum {} count={} cycles={}", regions.reference(idOf(row)), row.lanes,
          std::uint64_t{row.second} << 32 | row.first);
    break;
  case format::RecordKind::Extremes:
    print("  extremes {} {}..{}", regions.reference(idOf(row)), row.first, row.second);
    field("around", row.lanes, 0u);
    break;
  case format::RecordKind::Total:
    print("  total {} count={} cycles={}", regions.reference(idOf(row)), row.lanes, row.first);
    field("around", row.second, 0u);
    break;
  default:
    if (row.first == 0 && row.second == 0 && row.lanes == 0 && row.tag == 0)
      print("  empty");
    else
      print("  record {:#x} {:#x} {:#x} {:#x}", row.first, row.second, row.lanes, row.tag);
    return endLine();
  }
  if (hasClock(kindOf(row)) && row.lanes != TextDefaults::lanes)
    print(" lanes={:#x}", row.lanes);
  field("generation", generationOf(row), expectedGeneration(current, index));
  endLine();
}

void Dump::summary(const format::SummaryRecord &row) {
  print("summary");
  field("device", row.device, 0u);
  if (row.kernel != regions.firstKernel())
    print(" kernel={}", regions.reference(row.kernel));
  text("name", row.name);
  print("{}", fieldsOf(row));
  endLine();
}

void Dump::summaryRow(const SummaryRow &row) {
  print("  row {}{}", row.record.region == 0 ? "0x0" : regions.reference(row.record.region), fieldsOf(row));
  endLine();
}

Status Dump::unknown(const Section &section) {
  const auto payload = trace.payload(section);
  if (!payload)
    return failure(payload.error());
  print("section {:#x}", static_cast<std::uint32_t>(section.kind));
  endLine();
  for (std::size_t at = 0; at < payload->size(); ++at) {
    if (at % 32 == 0)
      print("  hex ");
    print("{:02x}", std::to_integer<unsigned>((*payload)[at]));
    if (at % 32 == 31 || at + 1 == payload->size())
      endLine();
  }
  return {};
}

} // namespace

Status dumpTrace(const Trace &trace, Output &out) { return Dump(trace, out).run(); }

} // namespace kperf::decoder
