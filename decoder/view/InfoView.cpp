// Shows what a trace holds: the program, the sizes of the file's sections, devices, regions, launches, losses.
#include "decoder/view/InfoView.h"
#include "decoder/span/RegionSet.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/Records.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/ReportNotes.h"
#include "decoder/view/RunTable.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::size_t kMaxLaunchRows = 1000;

/// Counts what is too large to hold.
class Census final : public TraceVisitor {
public:
  using LaunchKey = std::tuple<std::uint32_t, std::uint32_t, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>>;

  void launches(std::span<const format::LaunchRecord> rows) override {
    for (const format::LaunchRecord &row : rows) {
      ++launchCount;
      const LaunchKey key{row.kernel, row.device, std::to_array(row.grid), std::to_array(row.block)};
      const auto found = byKernel.find(key);
      if (found != byKernel.end())
        ++found->second;
      else if (byKernel.size() < kMaxLaunchRows)
        byKernel.emplace(key, 1);
      else
        ++otherLaunches;
    }
  }
  void warp(const format::WarpHeader &warp) override {
    ++parts;
    if (parts == 1 || !continues(warp, previous)) {
      ++(isCalibration(warp) ? calibrationCount : warpCount);
      previous = warp;
    }
    if (isCalibration(warp))
      return;
    unfinished += !isFinished(warp) && !isForeign(warp) && (warp.flags & format::kWarpContinued) == 0;
    produced += warp.produced;
    kept += keptRecords(warp);
  }

  std::uint64_t launchCount = 0, otherLaunches = 0, parts = 0, warpCount = 0, calibrationCount = 0, unfinished = 0, produced = 0, kept = 0;
  std::map<LaunchKey, std::uint64_t> byKernel;

private:
  format::WarpHeader previous{};
};

Table traceTable(const Trace &trace, const Census &census) {
  Table table{.name = "trace", .columns = {{"field", Unit::None, Role::Label}, {"value", Unit::None, Role::Label}}};
  const auto add = [&](const char *field, std::string value) { table.rows.push_back({std::string(field), std::move(value)}); };
  const format::FileHeader &header = trace.header();
  add("file", trace.name());
  add("size", fmt::format("{} bytes", trace.fileBytes()));
  add("format", fmt::format("{}.{}", header.versionMajor, header.versionMinor));
  add("complete", trace.incomplete().empty() ? "yes" : "no: " + trace.incomplete());
  add("target", named(header.target));
  if (const std::string_view clock = hostClock(trace); !clock.empty())
    add("clock", std::string(clock));
  add("created", utcText(header.createdUnixNs));
  add("build id", fmt::format("{:016x}", header.buildId));
  if (const auto &program = trace.program()) {
    add("program", std::string(trace.string(program->executable)));
    add("command line", std::string(trace.string(program->commandLine)));
    add("runtime", std::string(trace.string(program->runtimeVersion)));
    add("host", std::string(trace.string(program->hostName)));
    add("process", std::to_string(program->processId));
  }
  if (trace.isReduced())
    add("reduced", fmt::format("yes: launches and {}s are summed up by kernel", termsOf(trace).warp));
  add("launches", std::to_string(census.launchCount));
  add("warps", fmt::format("{} ({} unfinished)", census.warpCount, census.unfinished));
  if (census.calibrationCount > 0)
    add("calibration", fmt::format("{} {}{} of the runtime's own, for what probes cost", census.calibrationCount, termsOf(trace).warp,
                                   census.calibrationCount == 1 ? "" : "s"));
  add("records",
      fmt::format("{} produced, {} kept ({})", census.produced, census.kept,
                  percentText(static_cast<double>(census.kept), static_cast<double>(std::max<std::uint64_t>(census.produced, 1)))));
  return table;
}

/// Every byte of the file is in one row.
Table sectionTable(const Trace &trace) {
  Table table{.name = "sections",
              .columns = {{"section", Unit::None, Role::Label}, {"count", Unit::None}, {"size", Unit::Bytes}, {"share", Unit::Percent}},
              .title = "sections"};
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> byKind;
  std::uint64_t headerEnd = trace.wholeBytes();
  for (const Section &section : trace.sections()) {
    auto &[count, bytes] = byKind[static_cast<std::uint32_t>(section.kind)];
    ++count;
    bytes += section.end() - section.offset;
    headerEnd = std::min(headerEnd, section.offset);
  }
  const auto add = [&](std::string label, Cell count, std::uint64_t bytes) {
    table.rows.push_back(
        {std::move(label), std::move(count), bytes, 100.0 * static_cast<double>(bytes) / static_cast<double>(trace.fileBytes())});
  };
  add("(file header)", Cell(), headerEnd);
  for (const auto &[kind, sum] : byKind)
    add(named(static_cast<format::SectionKind>(kind)), sum.first, sum.second);
  if (trace.wholeBytes() < trace.fileBytes())
    add("(cut off)", Cell(), trace.fileBytes() - trace.wholeBytes());
  add("(all)", std::uint64_t{trace.sections().size()}, trace.fileBytes());
  return table;
}

Table deviceTable(const Trace &trace) {
  Table table{.name = "devices",
              .columns = {{"device", Unit::None, Role::Label},
                          {"name", Unit::None, Role::Label},
                          {"architecture", Unit::None},
                          {"driver", Unit::None, Role::Value, 20},
                          {"multiprocessors", Unit::None, Role::Value, 30},
                          {"lanes", Unit::None, Role::Value, 30},
                          {"clock", Unit::Kilohertz, Role::Value, 40},
                          {"timer-tick", Unit::Nanoseconds, Role::Value, 25},
                          {"memory", Unit::Bytes, Role::Value, 35},
                          {"uuid", Unit::None, Role::Value, 0}},
              .title = "devices"};
  for (const format::DeviceRecord &device : trace.devices()) {
    std::string uuid;
    for (const unsigned char byte : device.uuid)
      uuid += fmt::format("{:02x}", byte);
    table.rows.push_back({std::uint64_t{device.device}, std::string(trace.string(device.name)),
                          std::string(trace.string(device.architecture)), std::string(trace.string(device.driver)),
                          std::uint64_t{device.multiprocessors}, std::uint64_t{device.warpLanes}, std::uint64_t{device.clockKhz},
                          std::uint64_t{device.timerTickNs}, device.memoryBytes, uuid});
  }
  return table;
}

Table regionTable(const Trace &trace) {
  Table table{.name = "regions",
              .columns = {{"id", Unit::None, Role::Label},
                          {"kind", Unit::None},
                          {"name", Unit::None, Role::Label},
                          {"function", Unit::None, Role::Value, 30},
                          {"source", Unit::None, Role::Value, 40},
                          {"text", Unit::None, Role::Value, 0}},
              .title = "regions"};
  RegionSet regions;
  regions.add(trace);
  for (std::uint32_t i = 0; i < regions.size(); ++i) {
    const Region &region = regions[i];
    if (!region.file.empty())
      table.places[table.rows.size()] = {region.file, region.line};
    table.rows.push_back(
        {fmt::format("{:06x}", region.id), named(region.kind), region.name, region.function, region.location(), region.source});
  }
  if (std::string note = sharedIdNote(regions); !note.empty())
    table.notes.push_back(std::move(note));
  return table;
}

Table launchTable(const Trace &trace, const Census &census) {
  Table table{.name = "launches",
              .columns = {{"kernel", Unit::None, Role::Label},
                          {"device", Unit::None, Role::Value, 30},
                          {"grid", Unit::None},
                          {"block", Unit::None},
                          {"launches", Unit::None}},
              .title = "launches"};
  const auto extent = [](const std::array<std::uint32_t, 3> &size) { return fmt::format("{}x{}x{}", size[0], size[1], size[2]); };
  for (const auto &[key, count] : census.byKernel) {
    const auto &[kernel, device, grid, block] = key;
    table.rows.push_back({std::string(trace.string(kernel)), std::uint64_t{device}, extent(grid), extent(block), count});
  }
  if (census.otherLaunches > 0)
    table.rows.push_back({std::string("(others)"), Cell(), Cell(), Cell(), census.otherLaunches});
  return table;
}

/// Lists the losses of one trace in a table of those of several.
struct LossLister final : TraceVisitor {
  explicit LossLister(Table &table) : table(table) {}
  void losses(std::span<const format::LossRecord> rows) override {
    for (const format::LossRecord &loss : rows)
      table.rows.push_back({named(loss.kind), std::uint64_t{loss.device}, loss.count, std::string(trace->string(loss.reason))});
  }

  Table &table;
  const Trace *trace = nullptr;
};

} // namespace

std::span<const ViewOption> infoOptions() { return {}; }

Expected<Table> lossTable(std::span<const Trace> traces) {
  Table table{.name = "losses",
              .columns = {{"loss", Unit::None, Role::Label},
                          {"device", Unit::None, Role::Value, 30},
                          {"count", Unit::None},
                          {"reason", Unit::None, Role::Label}},
              .title = "losses"};
  LossLister lister(table);
  for (const Trace &trace : traces) {
    lister.trace = &trace;
    for (const Section &section : trace.sections())
      if (section.kind == format::SectionKind::Losses)
        if (Status status = trace.visitSection(section, lister); !status)
          return failure(status.error());
  }
  return table;
}

Expected<std::vector<Table>> infoView(std::span<const Trace> traces, const ViewScope &, const InfoOptions &) {
  const Trace &trace = traces.front();
  Census census;
  if (Status status = trace.visit(census); !status)
    return failure(status.error());
  Expected<std::vector<std::string>> notes = traceNotes(traces.first(1));
  if (!notes)
    return failure(notes.error());
  if (Status status =
          addSampleNote(*notes, traces.first(1), fmt::format("{}s and records are those; kperf report estimates all", termsOf(trace).warp));
      !status)
    return failure(status.error());
  Expected<Table> losses = lossTable(traces.first(1));
  if (!losses)
    return failure(losses.error());
  losses->rows.resize(std::min(losses->rows.size(), kMaxLaunchRows)); // budgets hold all
  std::vector<Table> tables{traceTable(trace, census), sectionTable(trace)};
  for (Table &table : std::vector<Table>{deviceTable(trace), regionTable(trace), launchTable(trace, census), std::move(*losses)})
    if (!table.rows.empty())
      tables.push_back(std::move(table));
  tables.back().notes.insert(tables.back().notes.end(), notes->begin(), notes->end());
  return tables;
}

} // namespace kperf::decoder
