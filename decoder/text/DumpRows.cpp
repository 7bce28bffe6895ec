// Prints the rows of a trace's tables, its warps and their records.
#include "decoder/text/Dumper.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/RecordRules.h"
#include "decoder/text/SummaryText.h"
#include "decoder/text/TextDefaults.h"

namespace kperf::decoder {

void Dumper::program() {
  const format::ProgramRecord &row = *trace.program();
  print("program");
  text("executable", row.executable);
  text("command", row.commandLine);
  text("runtime", row.runtimeVersion);
  text("host", row.hostName);
  field("pid", row.processId, std::uint64_t{0});
  endLine();
}

void Dumper::device(const format::DeviceRecord &row) {
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

void Dumper::region(const format::RegionRecord &row) {
  print("region {:#x} {} {}", row.id, named(row.kind), string(row.name));
  text("function", row.function);
  text("file", row.file);
  field("line", row.line, 0u);
  field("column", row.column, 0u);
  field("endLine", row.endLine, row.line);
  if (nextOf(row) != 0)
    print(" next={:#x}", row.next);
  else if (row.sync != 0)
    print(" operation={} object={}", named(operationOf(row)), named(objectOf(row)));
  text("source", row.source);
  endLine();
  regions.add(row.id, trace.string(row.name), row.kind == format::RegionKind::Kernel);
}

void Dumper::site(const format::SiteRecord &row) {
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

void Dumper::machineAccess(const format::MachineAccessRecord &row) {
  print("machine {:#x} {}", row.site, named(row.state));
  if (row.leader != 0)
    print(" leader={:#x}", row.leader);
  field("bytes", std::uint32_t{row.bytes}, 0u);
  if (row.pieces != 0)
    print(" pieces={:#x}", row.pieces);
  endLine();
}

void Dumper::siteCounters(std::span<const format::SiteCounterRecord> rows) {
  for (const format::SiteCounterRecord &row : rows) {
    print("counters {:#x}", row.site);
    field("device", row.device, 0u);
    field("sampled", row.sampled, 1u);
    field("group", std::uint32_t{row.group}, 0u);
    field("groups", std::uint32_t{row.groups}, 0u);
    for (unsigned counter = 0; counter < format::kSiteCounters; ++counter)
      field(name(static_cast<format::SiteCounter>(counter)), row.counts[counter], std::uint64_t{0});
    endLine();
  }
}

void Dumper::references(const format::ReferencesHeader &head) {
  print("references");
  field("device", head.device, 0u);
  if (head.incomplete != 0)
    print(" incomplete={:#x}", head.incomplete);
  field("sampled", head.sampled, 1u);
  field("run", head.run, 0u);
  endLine();
}

void Dumper::references(std::span<const format::ReferenceRecord> rows) {
  for (const format::ReferenceRecord &row : rows) {
    print("  reference {:#x} site={:#x} sectors={:#x}", row.line & format::kReferenceLineMask, row.tag & format::kIdMask,
          row.tag >> format::kReferenceSectorShift);
    field("class", row.line >> format::kReferenceClassShift, std::uint64_t{0});
    field("order", row.order, 0u);
    field("sm", row.line >> format::kReferenceSmShift & format::kReferenceSmMask, std::uint64_t{0});
    field("iteration", static_cast<std::uint32_t>(row.iteration), static_cast<std::uint32_t>(format::kNoIteration));
    field("reserved", row.reserved, 0u);
    endLine();
  }
}

void Dumper::launches(std::span<const format::LaunchRecord> rows) {
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

void Dumper::kernels(std::span<const format::KernelRecord> rows) {
  for (const format::KernelRecord &row : rows) {
    print("needs {}", string(row.kernel));
    forNeeds(row, [&](const char *key, auto value, auto usual) { field(key, value, decltype(value){usual}); });
    endLine();
  }
}

void Dumper::losses(std::span<const format::LossRecord> rows) {
  for (const format::LossRecord &row : rows) {
    print("loss {}", named(row.kind));
    field("device", row.device, 0u);
    field("count", row.count, std::uint64_t{0});
    text("reason", row.reason);
    endLine();
  }
}

void Dumper::warps(const format::WarpsHeader &head) {
  policy = head.policy;
  current = {};
  print("warps");
  field("device", head.device, 0u);
  if (head.policy != format::KeepPolicy::First)
    print(" keep={}", named(head.policy));
  endLine();
}

void Dumper::warp(const format::WarpHeader &warp) {
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

void Dumper::records(std::span<const format::Record> rows) {
  for (const format::Record &row : rows) {
    record(row);
    ++index;
  }
}

void Dumper::record(const format::Record &row) {
  switch (kindOf(row)) {
  case format::RecordKind::Span:
    print("  span {} {}..{}", regions.reference(idOf(row)), row.first, row.second);
    break;
  case format::RecordKind::Adjacent:
    print("  adjacent {} {}..{} next={}", regions.reference(idOf(row)), row.first, row.second, row.lanes);
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
  case format::RecordKind::Lengths:
    print("  lengths {} {} {} {}", regions.reference(idOf(row)), row.first, row.second, row.lanes);
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

void Dumper::summary(const format::SummaryRecord &row) {
  print("summary");
  field("device", row.device, 0u);
  if (row.kernel != regions.firstKernel())
    print(" kernel={}", regions.reference(row.kernel));
  text("name", row.name);
  print("{}", fieldsOf(row));
  endLine();
}

void Dumper::summedLengths(std::span<const format::SummedLengthsRecord> rows) {
  for (const format::SummedLengthsRecord &row : rows) {
    print("summed-lengths {}.{}", row.summary, row.row);
    for (unsigned power = 0; power < format::kLengthPowers; ++power)
      field(std::to_string(power).c_str(), row.counts[power], std::uint64_t{0});
    endLine();
  }
}

void Dumper::summaryRow(const SummaryRow &row) {
  print("  row {}{}", row.record.region == 0 ? "0x0" : regions.reference(row.record.region), fieldsOf(row));
  endLine();
}

} // namespace kperf::decoder
