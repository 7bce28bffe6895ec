// Shows the source with time and memory traffic beside it: a region's time at its first line, an access's traffic at its own.
#include "decoder/view/AnnotateView.h"
#include "decoder/memory/MemoryFindings.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportBounds.h"
#include "decoder/view/ReportNotes.h"
#include "decoder/view/SourceText.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::uint32_t kAround = 2;       ///< lines shown before and after a region
constexpr std::uint32_t kMaxLines = 20000; ///< of one file

/// What regions that begin on one line, and accesses that stand on it, add up to, over kernels.
struct LineTime {
  std::uint64_t cycles = 0, count = 0;
  double selfNs = 0, totalNs = 0;
  bool isNsKnown = true, isTimed = false; ///< isTimed: not only marks
  std::set<std::string> names;
  AccessSum memory;
  std::string recorded; ///< the line as the trace has it
  std::string missing;  ///< ReportBounds::remedy() of a kernel that spends time there
};

struct Extent {
  std::uint32_t first, last;
  std::string name;
};

struct FileTime {
  std::map<std::uint32_t, LineTime> lines;
  std::vector<Extent> extents;
  std::uint64_t cycles = 0;
};

class Annotator {
public:
  Annotator(const TotalsSink &totals, const RegionSet &regions, const MemoryTotals &memory, std::span<const Trace> traces,
            const ViewScope &scope, const AnnotateOptions &options)
      : totals(totals), regions(regions), memory(memory), target(traces.front().header().target), scope(scope), options(options) {
    for (const Trace &trace : traces)
      tracedUnixNs = std::min(tracedUnixNs, trace.header().createdUnixNs);
  }
  Table build();

private:
  void addKernel(std::uint32_t index);
  void addMemory();
  void addFindings();
  void addRemedies(const LineTime &line);
  void setTime(std::vector<Cell> &cells, const LineTime &line) const;
  void setMemory(std::vector<Cell> &cells, const AccessSum &sum) const;
  /// Whether it is there.
  bool addFile(const std::string &name, const FileTime &file);
  static std::uint32_t changedLines(const FileTime &file, const std::vector<std::string> &text);
  void addLine(const std::string &name, std::uint32_t number, const FileTime &file, std::string_view text);
  std::string innermost(const FileTime &file, std::uint32_t line) const;

  const TotalsSink &totals;
  const RegionSet &regions;
  const MemoryTotals &memory;
  format::Target target;
  const ViewScope &scope;
  const AnnotateOptions &options;
  std::map<std::string, FileTime> files;
  std::uint64_t tracedUnixNs = ~std::uint64_t{0}; ///< when the first of the traces was begun; 0: not known
  std::uint64_t life = 0, outside = 0, notRecorded = 0, unplaced = 0;
  std::string missing; ///< of any kernel's time
  Table table{.name = "lines",
              .columns = {{"file", Unit::None, Role::Group},
                          {"share", Unit::Percent, Role::Value, 95},
                          {"self", Unit::Nanoseconds, Role::Value, 60},
                          {"total", Unit::Nanoseconds, Role::Value, 0},
                          {"count", Unit::None, Role::Value, 50},
                          {"traffic", Unit::Percent, Role::Value, 90},
                          {"traffic", Unit::Bytes, Role::Value, 42},
                          {"efficiency", Unit::Percent, Role::Value, 88},
                          {"wavefronts", Unit::None, Role::Value, 41},
                          {"conflict-ways", Unit::Ratio, Role::Value, 86},
                          {"region", Unit::None, Role::Value, 40},
                          {"inside", Unit::None, Role::Value, 0},
                          {"line", Unit::None, Role::Label},
                          {"text", Unit::None, Role::Label, 50, false, true}}};
};
/// Cells of a row.
enum At {
  kFile,
  kShare,
  kSelf,
  kTotal,
  kCount,
  kTrafficPercent,
  kTraffic,
  kEfficiency,
  kWavefronts,
  kWays,
  kRegion,
  kInside,
  kLine,
  kText
};

void Annotator::addKernel(std::uint32_t index) {
  const KernelTotals &kernel = totals.kernels()[index];
  const ClockRate rate = totals.rateOf(index, target);
  const std::string remedy = ReportBounds(kernel, totals.launches().group(index), rate, regions.terms()).remedy();
  missing = missing.empty() ? remedy : missing;
  life += kernel.cycles;
  outside += kernel.unattributed;
  notRecorded += kernel.notRecorded;
  for (std::uint32_t node = 1; node < kernel.rows.size(); ++node) {
    const std::uint32_t index = kernel.paths[node].region & ~KernelTotals::kOverlap;
    const RowTotals &row = kernel.rows[node];
    if (index >= regions.size() || regions[index].file.empty() || regions[index].line == 0) {
      unplaced += row.exclusive;
      continue;
    }
    const Region &region = regions[index];
    FileTime &file = files[region.file];
    LineTime &line = file.lines[region.line];
    file.cycles += row.exclusive;
    line.cycles += row.exclusive;
    line.count += row.count;
    line.isNsKnown &= rate.isKnown();
    line.isTimed |= row.durations.count() > 0;
    line.selfNs += static_cast<double>(row.exclusive) * rate.nsPerCycle;
    line.totalNs += static_cast<double>(row.inclusive) * rate.nsPerCycle;
    line.recorded = region.source;
    line.missing = line.missing.empty() ? remedy : line.missing;
    if (line.names.insert(region.name).second)
      file.extents.push_back({region.line, std::max(region.line, region.endLine), region.name});
  }
}

std::string Annotator::innermost(const FileTime &file, std::uint32_t line) const {
  const Extent *found = nullptr;
  for (const Extent &extent : file.extents)
    if (extent.first <= line && line <= extent.last && (!found || extent.last - extent.first < found->last - found->first))
      found = &extent;
  return found ? found->name : "";
}

void Annotator::addMemory() {
  for (const SiteTotals &each : memory.sites()) {
    const format::SiteRecord &site = *each.site.record;
    if (each.sum.globals() + each.sum.shareds() == 0 || site.line == 0)
      continue;
    LineTime &line = files[each.site.text(site.file)].lines[site.line];
    line.memory.add(each.sum);
    if (line.recorded.empty())
      line.recorded = each.site.text(site.source);
  }
}

void Annotator::setTime(std::vector<Cell> &cells, const LineTime &line) const {
  std::string names;
  for (const std::string &region : line.names)
    names += (names.empty() ? "" : ", ") + region;
  if (names.empty())
    return;
  if (line.isTimed)
    cells[kShare] = 100.0 * static_cast<double>(line.cycles) / static_cast<double>(std::max<std::uint64_t>(life, 1));
  if (line.isTimed && line.isNsKnown) {
    cells[kSelf] = line.selfNs;
    cells[kTotal] = line.totalNs;
  }
  cells[kCount] = line.count;
  cells[kRegion] = names;
}

void Annotator::setMemory(std::vector<Cell> &cells, const AccessSum &sum) const {
  if (sum.globals() > 0) {
    cells[kTrafficPercent] = AccessSum::percent(sum[format::kSectors], memory.all()[format::kSectors]);
    cells[kTraffic] = sum.trafficBytes();
    cells[kEfficiency] = sum.efficiency();
  }
  if (sum.shareds() > 0) {
    cells[kWavefronts] = sum[format::kWavefronts];
    cells[kWays] = sum.ways();
  }
}

/// Of the next row, where its numbers are of a part of what there was.
void Annotator::addRemedies(const LineTime &line) {
  const auto add = [&](std::initializer_list<const char *> keys, const std::string &remedy) {
    for (const char *key : keys)
      table.remedies.try_emplace({table.rows.size(), key}, remedy);
  };
  if (!line.names.empty() && !missing.empty())
    add({"share_percent"}, missing);
  if (!line.names.empty() && !line.missing.empty())
    add({"self_ns", "total_ns", "count"}, line.missing);
  if (!line.memory.isEmpty() && memory.sampled() > 1)
    add({"traffic_percent", "traffic_bytes", "efficiency_percent", "wavefronts", "conflict-ways"},
        "not all accesses were counted: global-memory and shared-memory know how far off they are; KPERF_SAMPLE=1, and with nvcc kperf-cc "
        "--exact, "
        "count all");
}

void Annotator::addLine(const std::string &name, std::uint32_t number, const FileTime &file, std::string_view text) {
  std::vector<Cell> cells(table.columns.size());
  cells[kFile] = name;
  const std::string inside = innermost(file, number);
  if (const auto found = file.lines.find(number); found != file.lines.end()) {
    setTime(cells, found->second);
    setMemory(cells, found->second.memory);
    addRemedies(found->second);
  }
  table.places[table.rows.size()] = {name, number};
  if (!inside.empty())
    cells[kInside] = inside;
  cells[kLine] = std::uint64_t{number};
  cells[kText] = shownLine(text);
  table.rows.push_back(std::move(cells));
}

/// Where the time goes as notes, what is wrong with accesses as warnings.
void Annotator::addFindings() {
  for (const auto &[name, file] : files)
    for (const auto &[number, line] : file.lines) {
      if (!line.isTimed)
        continue;
      const std::string time = line.isNsKnown ? fmt::format(", {:.6g} ns in all", line.selfNs) : "";
      table.findings.push_back(
          {.rule = "region-time",
           .subject = *line.names.begin(),
           .message = fmt::format("{}: {} of the {} time{}, {} {}", fmt::join(line.names, ", "),
                                  percentText(static_cast<double>(line.cycles), static_cast<double>(std::max<std::uint64_t>(life, 1))),
                                  regions.terms().warp, time, line.count, line.count == 1 ? "entry" : "entries"),
           .file = name,
           .line = number,
           .level = Finding::Level::Note,
           .isViolation = true});
    }
  for (const MemoryFinding &fault : diagnoseAccesses(memory))
    table.findings.push_back(asFinding(fault));
}

/// How many of the annotated lines are not what was compiled.
std::uint32_t Annotator::changedLines(const FileTime &file, const std::vector<std::string> &text) {
  std::uint32_t changed = 0;
  for (const auto &[number, line] : file.lines)
    changed += !line.recorded.empty() && (number > text.size() || text[number - 1].find(line.recorded) == std::string::npos);
  return changed;
}

bool Annotator::addFile(const std::string &name, const FileTime &file) {
  const SourceText source = scope.readsSources ? sourceText(options.source.empty() ? "." : options.source, name) : SourceText();
  const std::vector<std::string> &text = source.lines;
  const std::uint32_t changed = changedLines(file, text);
  std::uint32_t shown = 0, last = 0;
  if (text.empty() || (changed > 0 && options.source.empty())) {
    for (const auto &[number, line] : file.lines)
      addLine(name, number, file, line.recorded);
    return false;
  }
  const auto isNear = [&](std::uint32_t line) {
    return std::ranges::any_of(file.extents,
                               [&](const Extent &extent) { return line + kAround >= extent.first && line <= extent.last + kAround; });
  };
  for (std::uint32_t number = 1; number <= text.size() && shown < kMaxLines; ++number) {
    const auto found = file.lines.find(number);
    if (found == file.lines.end() && !isNear(number))
      continue;
    if (shown > 0 && number != last + 1)
      table.gaps.insert(table.rows.size());
    addLine(name, number, file, text[number - 1]);
    last = number;
    ++shown;
  }
  if (changed > 0)
    table.notes.push_back(fmt::format("{} is not what was compiled: {} of its {} annotated lines read differently; give "
                                      "--source the version that the trace is of",
                                      name, changed, file.lines.size()));
  const auto compared =
      static_cast<std::uint64_t>(std::ranges::count_if(file.lines, [](const auto &line) { return !line.second.recorded.empty(); }));
  if (changed == 0 && tracedUnixNs > 0 && source.writtenUnixNs > tracedUnixNs)
    table.notes.push_back(fmt::format("{} was written to after the trace: {} with regions or accesses {} as when it was compiled; the "
                                      "trace does not have the others, which may differ",
                                      name, counted(compared, "line"), compared == 1 ? "reads" : "read"));
  return true;
}

Table Annotator::build() {
  for (std::uint32_t i = 0; i < totals.kernels().size(); ++i)
    addKernel(i);
  addFindings(); // of what regions say: lines without any come next
  addMemory();
  std::vector<std::map<std::string, FileTime>::const_iterator> order;
  for (auto file = files.cbegin(); file != files.cend(); ++file)
    order.push_back(file);
  std::ranges::stable_sort(order, std::greater<>(), [](const auto &file) { return file->second.cycles; });
  bool isAnyThere = false;
  for (const auto &file : order)
    isAnyThere |= addFile(file->first, file->second);
  const auto whole = static_cast<double>(std::max<std::uint64_t>(life, 1));
  if (totals.kernels().size() > 1 && !table.rows.empty())
    table.notes.push_back(fmt::format("share is of the {} time of all {} kernels together; kperf report's is of each kernel's own",
                                      regions.terms().warp, totals.kernels().size()));
  if (outside > 0)
    table.notes.push_back(
        fmt::format("{} of the {} time is in no region", percentText(static_cast<double>(outside), whole), regions.terms().warp));
  if (notRecorded > 0)
    table.notes.push_back(fmt::format("what {} of the {} time went into was not recorded: kperf report says why",
                                      percentText(static_cast<double>(notRecorded), whole), regions.terms().warp));
  if (unplaced > 0)
    table.notes.push_back(fmt::format("{} of the {} time is in regions whose place in the source is not known",
                                      percentText(static_cast<double>(unplaced), whole), regions.terms().warp));
  if (!isAnyThere && !files.empty())
    table.notes.push_back(
        fmt::format("the trace has only the first lines of regions and those of accesses, and no file of these is below {}: "
                    "--source FOLDER shows the others",
                    options.source.empty() ? "this folder" : options.source));
  return std::move(table);
}

} // namespace

ViewOption sourceOption(std::string &folder) {
  return {.name = "--source", .value = &folder, .shown = "FOLDER", .help = "folder of the sources (default: this one)"};
}

std::vector<ViewOption> AnnotateOptions::described() { return {sourceOption(source)}; }

Expected<std::vector<Table>> annotateView(std::span<const Trace> traces, const ViewScope &scope, const AnnotateOptions &options) {
  std::error_code ignored;
  if (!options.source.empty() && !std::filesystem::is_directory(options.source, ignored))
    return failure({.message = "--source is no folder", .found = options.source, .expected = "the folder of the program's sources"});
  RegionSet regions;
  TotalsSink totals(regions, scope.kernel, false);
  LaunchWeights weights;
  if (Status status = decodeTotals(traces, regions, totals, &weights); !status)
    return failure(status.error());
  const Expected<MemoryTotals> memory = MemoryTotals::read(traces, scope.kernel);
  if (!memory)
    return failure(memory.error());
  std::vector<Table> tables;
  const bool isEmpty = totals.kernels().empty() && memory->sites().empty();
  tables.push_back(Annotator(totals, regions, *memory, traces, scope, options).build());
  if (Status status =
          addSampleNote(tables.front().notes, traces, fmt::format("counts and times are estimates for all {}s", regions.terms().block));
      !status)
    return failure(status.error());
  if (areLaunchesSampled(totals.kernels()))
    tables.front().notes.push_back(
        "counts and times of regions are estimates for all launches, of which an overhead budget chose by chance "
        "those that were recorded: kperf report says how many");
  for (const Summands summands : {Summands::Times, Summands::Accesses})
    tables.front().addLead(mixedBuildsNote(traces, summands));
  if (isEmpty)
    tables.front().notes.push_back(noWarpsNote(traces));
  return tables;
}

} // namespace kperf::decoder
