// The report: for each kernel, its regions with counts, times and percentiles; shares add up to the kernel's warp time.
#include "decoder/view/ReportView.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/totals/ProbeShare.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/Records.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/AnnotateView.h"
#include "decoder/view/CountedTimesNote.h"
#include "decoder/view/GatheredNotes.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportBounds.h"
#include "decoder/view/ReportColumns.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <tuple>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr const char *kNotOneByOne = "it was summed up on the device: build without --aggregate for it";
constexpr std::string_view kSorts[] = {"share", "total", "count", "mean", "max", "name", "source"};

/// One row in the making; cells are set by column.
class RowCells {
public:
  RowCells(const Table &table, std::vector<Cell> group) : table(table), cells(std::move(group)) { cells.resize(table.columns.size()); }
  void set(std::string_view name, Cell cell, Unit unit = Unit::None) {
    const auto found =
        std::ranges::find_if(table.columns, [&](const Column &column) { return column.name == name && column.unit == unit; });
    cells.at(static_cast<std::size_t>(found - table.columns.begin())) = std::move(cell);
  }
  std::vector<Cell> take() { return std::move(cells); }

private:
  const Table &table;
  std::vector<Cell> cells;
};

class ReportBuilder {
public:
  ReportBuilder(const TotalsSink &totals, const LaunchTimes &times, const RegionSet &regions, const ViewScope &scope,
                const ReportOptions &options, format::Target target)
      : totals(totals), times(times), regions(regions), scope(scope), options(options), target(target) {}

  Table build();

private:
  using Row = std::vector<Cell>;

  void addKernel(std::uint32_t index);
  Row groupOf(const KernelTotals &kernel, const LaunchLedger::Group &launches) const;
  void addRow(const KernelTotals &kernel, const Row &group, std::uint32_t node);
  void setPlace(RowCells &cells, const KernelTotals &kernel, const Region &region);
  void labelNesting(bool hasWaits);
  void addRest(const KernelTotals &kernel, const Row &group, const char *label, std::uint64_t cycles, double net);
  static void setErrors(RowCells &cells, const RowTotals &row);
  void setNetTimes(RowCells &cells, const RowTotals &row, bool isInTree) const;
  void setLengths(RowCells &cells, const RowTotals &row);
  void setPercentile(RowCells &cells, std::string_view name, const LengthRange &range);
  void addRemedies(const RowTotals &row, std::uint64_t untimed);
  /// A time in cycles and, where the rate is known, in ns.
  void setTimes(RowCells &cells, std::string_view name, const Cell &cycles) const;
  std::string label(const KernelTotals &kernel, std::uint32_t node) const;
  std::string path(const KernelTotals &kernel, std::uint32_t node) const;
  bool precedes(const KernelTotals &kernel, std::uint32_t a, std::uint32_t b) const;

  const TotalsSink &totals;
  const LaunchTimes &times;
  const RegionSet &regions;
  const ViewScope &scope;
  const ReportOptions &options;
  format::Target target;
  ClockRate rate;
  ProbeCost cost;
  GatheredNotes notes; ///< about kernels
  Table table{.name = "regions", .columns = reportColumns()};
};

const Region *regionOf(const KernelTotals &kernel, std::uint32_t node, const RegionSet &regions) {
  const std::uint32_t region = kernel.paths[node].region & ~KernelTotals::kOverlap;
  return region < regions.size() ? &regions[region] : nullptr;
}

std::string ReportBuilder::label(const KernelTotals &kernel, std::uint32_t node) const {
  const Region *region = regionOf(kernel, node, regions);
  return region ? region->name : "(other paths)";
}

std::string ReportBuilder::path(const KernelTotals &kernel, std::uint32_t node) const {
  std::string out = label(kernel, node);
  for (std::uint32_t up = kernel.paths[node].parent; up != PathTree::kRoot && out.size() < 4096; up = kernel.paths[up].parent)
    out = label(kernel, up) + "/" + out;
  return out;
}

bool ReportBuilder::precedes(const KernelTotals &kernel, std::uint32_t a, std::uint32_t b) const {
  const RowTotals &x = kernel.rows[a], &y = kernel.rows[b];
  const auto mean = [](const RowTotals &row) {
    const std::uint64_t count = row.durations.count();
    return count ? static_cast<double>(row.inclusive) / static_cast<double>(count) : 0;
  };
  const auto most = [](const RowTotals &row) { return row.durations.areExtremesKnown() ? row.durations.max() : 0; };
  const Region *left = regionOf(kernel, a, regions), *right = regionOf(kernel, b, regions);
  if (options.sort == "count" && x.count != y.count)
    return x.count > y.count;
  if (options.sort == "mean")
    return mean(x) > mean(y);
  if (options.sort == "max" && most(x) != most(y))
    return most(x) > most(y);
  if (options.sort == "name")
    return label(kernel, a) < label(kernel, b);
  if (options.sort == "source" && left && right)
    return std::tie(left->file, left->line) < std::tie(right->file, right->line);
  if (options.sort == "share" && scope.by != By::Path && x.exclusive != y.exclusive)
    return x.exclusive > y.exclusive;
  return x.inclusive > y.inclusive;
}

ReportBuilder::Row ReportBuilder::groupOf(const KernelTotals &kernel, const LaunchLedger::Group &launches) const {
  const auto extent = [](const std::uint32_t (&size)[3], bool varies) {
    return varies ? std::string("various") : fmt::format("{}x{}x{}", size[0], size[1], size[2]);
  };
  const TracedDevice &device = totals.devices()[kernel.device];
  Row group;
  group.emplace_back(kernel.name);
  group.push_back(totals.devices().size() > 1 ? Cell(fmt::format("{} ({})", device.ordinal, device.name)) : Cell());
  group.emplace_back(launches.launches);
  group.emplace_back(extent(launches.grid, launches.gridVaries));
  group.emplace_back(extent(launches.block, launches.blockVaries));
  group.push_back(launches.timedLaunches ? Cell(launches.durationNs / static_cast<double>(launches.timedLaunches)) : Cell());
  group.emplace_back(kernel.warps);
  group.push_back(Cell(launches.warpsLaunched));
  group.emplace_back(kernel.cycles);
  const std::optional<double> kept = recordsKept(kernel, launches);
  group.push_back(kept ? Cell(*kept) : Cell());
  const std::optional<double> probes = probePercent(kernel, cost);
  group.push_back(probes ? Cell(*probes) : Cell());
  const auto measured = times.of(kernel.name);
  group.push_back(measured ? Cell(measured->percent) : Cell());
  return group;
}

void ReportBuilder::setTimes(RowCells &cells, std::string_view name, const Cell &cycles) const {
  const auto *whole = std::get_if<std::uint64_t>(&cycles);
  cells.set(name, cycles, Unit::Cycles);
  if (rate.isKnown())
    cells.set(name, (whole ? static_cast<double>(*whole) : std::get<double>(cycles)) * rate.nsPerCycle, Unit::Nanoseconds);
}

/// Of estimates from some of the blocks.
void ReportBuilder::setErrors(RowCells &cells, const RowTotals &row) {
  const std::pair<std::string_view, std::optional<double>> errors[] = {
      {"count-error", row.errors.count}, {"total-error", row.errors.inclusive}, {"mean-error", row.errors.mean}};
  for (const auto &[name, error] : errors)
    if (error && (name == "count-error" || row.durations.count() > 0))
      cells.set(name, 100 * *error, Unit::Percent);
}

double imbalance(double most, double sum, std::uint64_t count) { return sum > 0 ? most * static_cast<double>(count) / sum : 1; }

/// Times less what the probes added to them, by nesting.
void ReportBuilder::setNetTimes(RowCells &cells, const RowTotals &row, bool isInTree) const {
  const double count = static_cast<double>(row.durations.count()) * row.scale;
  const double inside = row.outermost.times(cost.inside) + row.inside.times(cost.around) + cost.beside(row.marks);
  const double inclusive = std::max(0.0, static_cast<double>(row.inclusive) - inside);
  const double beside = row.nested.times(cost.inside) + cost.beside(row.children);
  if (!row.hasUnknownProbes)
    setTimes(cells, "net-total", inclusive);
  if (!row.hasUnknownProbes && !row.isRecursive) {
    setTimes(cells, "net-mean", inclusive / count);
    cells.set("net-error", (row.outermost.times(cost.spread) + row.inside.times(cost.spread)) / count, Unit::Cycles);
  }
  if (isInTree && row.nested.own + row.nested.shared > 0)
    setTimes(cells, "net-self", std::max(0.0, static_cast<double>(row.exclusive) - beside));
}

/// One that is known to lie in a range: the middle of it, and how far that is from its ends.
void ReportBuilder::setPercentile(RowCells &cells, std::string_view name, const LengthRange &range) {
  if (range.min == range.max)
    return setTimes(cells, name, range.min);
  const auto least = static_cast<double>(range.min), most = static_cast<double>(range.max);
  setTimes(cells, name, (least + most) / 2);
  cells.set(fmt::format("{}-error", name), 100 * (most - least) / (most + least), Unit::Percent);
  for (const auto &[unit, scale] : {std::pair{"cycles", 1.0}, {"ns", rate.nsPerCycle}})
    table.bounds[{table.rows.size(), fmt::format("{}_{}", name, unit)}] = {least * scale, most * scale, kNotOneByOne};
}

/// Percentiles and extremes, where every entry's length counts in them.
void ReportBuilder::setLengths(RowCells &cells, const RowTotals &row) {
  if (row.durations.areBounded()) {
    setPercentile(cells, "p50", row.durations.within(0.5));
    setPercentile(cells, "p95", row.durations.within(0.95));
    setPercentile(cells, "p99", row.durations.within(0.99));
  }
  if (row.durations.areExtremesKnown()) {
    setTimes(cells, "max", row.durations.max());
    cells.set("min", row.durations.min(), Unit::Cycles);
  }
}

/// For what the next row lacks because its entries were summed up, lie inside each other, or hold probes of which nothing is known.
void ReportBuilder::addRemedies(const RowTotals &row, std::uint64_t untimed) {
  const auto add = [&](std::initializer_list<const char *> keys, const std::string &remedy) {
    for (const char *key : keys)
      table.remedies.try_emplace({table.rows.size(), key}, remedy);
  };
  if (untimed > 0)
    add({"share_percent", "total_ns", "total_cycles", "total_percent", "mean_ns", "mean_cycles", "max_ns", "max_cycles", "min_cycles",
         "self_ns", "self_cycles", "warp-imbalance", "sm-imbalance"},
        fmt::format("it was summed up in 32 bits in {}s that lived for longer: build with --extremes", regions.terms().warp));
  if (!row.durations.areExtremesKnown())
    add({"max_ns", "max_cycles", "min_cycles"}, "it was summed up without the shortest and the longest entry: build with --extremes");
  if (untimed > 0 || !row.durations.areBounded())
    add({"p50_ns", "p95_ns", "p99_ns", "p50_cycles", "p95_cycles", "p99_cycles"},
        "it was summed up on the device: build without --aggregate for it, or with --histogram to know it within a third");
  if (untimed > 0 || !row.durations.areKnown())
    add({"net-total_ns", "net-total_cycles", "net-mean_ns", "net-mean_cycles", "net-self_ns", "net-self_cycles", "net-error_cycles"},
        kNotOneByOne);
  if (row.hasUnknownProbes)
    add({"net-total_ns", "net-total_cycles", "net-mean_ns", "net-mean_cycles", "net-error_cycles"},
        "what probes its time holds is not known: records in it were dropped (raise KPERF_RECORDS), or it is recorded as begin and end");
  if (row.isRecursive)
    add({"net-mean_ns", "net-mean_cycles", "net-error_cycles"}, "entries of it lie inside of others: --by=path tells them apart");
}

/// Of the next row: where it stands in the source, and in machine code.
void ReportBuilder::setPlace(RowCells &cells, const KernelTotals &kernel, const Region &region) {
  cells.set("kind", named(region.kind));
  cells.set("source", region.location());
  if (const std::string placed = placedText(options.placement, kernel.name, region.id); !placed.empty())
    cells.set("inside", placed);
  if (!region.file.empty())
    table.places[table.rows.size()] = {region.file, region.line};
}

void ReportBuilder::addRow(const KernelTotals &kernel, const Row &group, std::uint32_t node) {
  const RowTotals &row = kernel.rows[node];
  const Region *region = regionOf(kernel, node, regions);
  const auto inclusive = static_cast<double>(row.inclusive), exclusive = static_cast<double>(row.exclusive);
  const auto life = static_cast<double>(std::max<std::uint64_t>(kernel.cycles, 1));
  const bool isTimed = row.durations.count() > 0;
  const bool isInTree = isTimed && row.overlapping < row.count;
  const std::uint64_t untimed = region && !isInstant(region->kind) ? row.untimed() : 0;
  std::uint64_t sms = 0, maxOnSm = 0;
  for (const std::uint64_t cycles : row.bySm) {
    sms += cycles > 0;
    maxOnSm = std::max(maxOnSm, cycles);
  }
  RowCells cells(table, group);
  cells.set("depth", std::uint64_t{kernel.paths[node].depth - 1});
  cells.set("region", label(kernel, node));
  cells.set("path", path(kernel, node));
  cells.set("count", row.count);
  if (region)
    setPlace(cells, kernel, *region);
  if (isTimed) {
    setTimes(cells, "total", row.inclusive);
    const bool isWeighed = kernel.sampling.launchIntervals.most > 1 && !row.isRecursive && untimed == 0;
    setTimes(cells, "mean", isWeighed ? inclusive / static_cast<double>(row.count) : row.durations.mean());
    if (untimed == 0)
      setLengths(cells, row);
    cells.set("total", 100.0 * inclusive / life, Unit::Percent);
  }
  if (isTimed && untimed == 0) { // else warps whose part is unknown would count as idle
    cells.set("warp-imbalance", imbalance(static_cast<double>(row.maxInWarp), inclusive, row.warps), Unit::Ratio);
    cells.set("sm-imbalance", imbalance(static_cast<double>(maxOnSm), inclusive, sms), Unit::Ratio);
  }
  setErrors(cells, row);
  if (isInTree) {
    cells.set("share", 100.0 * exclusive / life, Unit::Percent);
    setTimes(cells, "self", row.exclusive);
  }
  if (isTimed && untimed == 0 && cost.isKnown && row.durations.areKnown())
    setNetTimes(cells, row, isInTree);
  if (row.unmatchedBegins + row.unmatchedEnds > 0)
    cells.set("unmatched", row.unmatchedBegins + row.unmatchedEnds);
  if (row.overlapping > 0)
    cells.set("overlapping", row.overlapping);
  addRemedies(row, untimed);
  table.rows.push_back(cells.take());
}

/// Time of the kernel that no region explains.
void ReportBuilder::addRest(const KernelTotals &kernel, const Row &group, const char *label, std::uint64_t cycles, double net) {
  const double share = 100.0 * static_cast<double>(cycles) / static_cast<double>(std::max<std::uint64_t>(kernel.cycles, 1));
  RowCells cells(table, group);
  cells.set("region", std::string(label));
  cells.set("path", std::string(label));
  cells.set("share", share, Unit::Percent);
  cells.set("total", share, Unit::Percent);
  setTimes(cells, "total", cycles);
  setTimes(cells, "self", cycles);
  if (cost.isKnown && kernel.records.sums == 0) {
    setTimes(cells, "net-total", std::max(0.0, net));
    setTimes(cells, "net-self", std::max(0.0, net));
  }
  table.rows.push_back(cells.take());
}

/// Where regions nest, self and total differ: both are shown, and which of the two a column is of is said. A wait holds no region, so that
/// its share is all of its time, and what it takes is missing in that of the loop around it.
void ReportBuilder::labelNesting(bool hasWaits) {
  const auto self =
      std::ranges::find_if(table.columns, [](const Column &column) { return column.name == "self" && column.unit == Unit::Nanoseconds; });
  self->priority = 91;
  if (hasWaits)
    table.notes.emplace_back("share and self are without the regions and waits inside, total, mean and percentiles with them: the share of "
                             "a wait is all of its time, and no part of the share of a loop or region around it");
  else
    table.notes.emplace_back("share and self are without the regions inside, total, mean and percentiles with them");
}

void ReportBuilder::addKernel(std::uint32_t index) {
  const KernelTotals &kernel = totals.kernels()[index];
  const LaunchLedger::Group &launches = totals.launches().group(index);
  const TracedDevice &device = totals.devices()[kernel.device];
  rate = totals.rateOf(index, target);
  cost = device.probes.cost();
  const Row group = groupOf(kernel, launches);
  const ReportBounds bounds(kernel, launches, rate, regions.terms());
  if (!bounds.remedy().empty())
    table.partial[kernel.name] = bounds.remedy();
  for (const std::uint32_t node : kernel.paths.inOrder([&](std::uint32_t a, std::uint32_t b) { return precedes(kernel, a, b); }))
    if (node < kernel.rows.size()) {
      addRow(kernel, group, node);
      bounds.addRegion(table, kernel.rows[node]);
    }
  addRest(kernel, group, "(unattributed)", kernel.unattributed,
          static_cast<double>(kernel.unattributed) - cost.beside(kernel.probes.topLevel));
  bounds.addRest(table, /*isNotRecorded=*/false);
  if (kernel.records.dropped > 0 || kernel.notRecorded > 0) {
    addRest(kernel, group, "(not recorded)", kernel.notRecorded, static_cast<double>(kernel.notRecorded));
    bounds.addRest(table, /*isNotRecorded=*/true);
  }
  for (const std::string &note : kernelNotes(kernel, launches, rate, cost, regions))
    notes.add(kernel.name, note);
  if (const auto measured = times.of(kernel.name))
    notes.add(kernel.name, measuredNote(kernel.name, *measured));
  if (!device.isListed)
    notes.add(kernel.name, fmt::format("{} ran on device {}, which the trace does not describe", kernel.name, device.ordinal));
}

Table ReportBuilder::build() {
  std::vector<std::uint32_t> order(totals.kernels().size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return totals.kernels()[i].cycles; });
  bool isAnyNested = false, hasWaits = false; // in one kernel
  for (const std::uint32_t index : order) {
    addKernel(index);
    const KernelTotals &kernel = totals.kernels()[index];
    const auto isNested = [](const RowTotals &row) { return row.durations.count() > 0 && row.exclusive < row.inclusive; };
    if (!std::ranges::any_of(kernel.rows, isNested))
      continue;
    isAnyNested = true;
    for (std::uint32_t node = 1; node < kernel.rows.size(); ++node)
      if (const Region *region = regionOf(kernel, node, regions))
        hasWaits |= region->kind == format::RegionKind::Wait && kernel.rows[node].durations.count() > 0;
  }
  if (isAnyNested)
    labelNesting(hasWaits);
  for (auto &[text, kernels] : notes.take())
    table.notes.push_back(std::move(text));
  return std::move(table);
}

} // namespace

/// Above the tables: that numbers in their heads are estimates. The notes below say of each kernel which ones, and how good they are.
static std::string sampledLead(const TotalsSink &totals, const VendorTerms &terms) {
  std::string first;
  std::uint32_t most = 1;
  std::size_t count = 0;
  for (const KernelTotals &kernel : totals.kernels()) {
    if (kernel.sampling.interval <= 1)
      continue;
    first = count++ == 0 ? kernel.name : first;
    most = std::max(most, kernel.sampling.interval);
  }
  if (count == 0)
    return "";
  return fmt::format(
      "not every {} was recorded of {}{} (1 in {} at the least): {}s and sums are estimates for all, records-kept is of what was "
      "to be recorded",
      terms.block, first, count == 1 ? "" : fmt::format(" and {} more", count - 1), most, terms.warp);
}

std::vector<ViewOption> ReportOptions::described() {
  return {
      {.name = "--sort", .value = &sort, .words = kSorts},
      sourceOption(source),
      {.name = "--placement", .value = &placementFile, .shown = "FILE", .help = "PROGRAM, or kperf verify's JSON: adds how much is inside"},
      {.name = "--limit",
       .value = &pageSpans,
       .shown = "N",
       .help = "html: at most N spans in the timeline (1000000)",
       .min = 1,
       .max = kMaxPageSpans}};
}

Expected<std::vector<Table>> reportView(std::span<const Trace> traces, const ViewScope &scope, const ReportOptions &options) {
  RegionSet regions;
  TotalsSink totals(regions, scope.kernel, scope.by == By::Path);
  LaunchWeights weights;
  if (Status status = decodeTotals(traces, regions, totals, &weights); !status)
    return failure(status.error());
  const auto times = LaunchTimes::read({traces});
  if (!times)
    return failure(times.error());
  std::vector<Table> tables;
  tables.push_back(ReportBuilder(totals, *times, regions, scope, options, traces.front().header().target).build());
  Expected<std::vector<std::string>> notes = traceNotes(traces, &weights);
  if (!notes)
    return failure(notes.error());
  std::vector<std::string> &all = tables.front().notes;
  all.insert(all.end(), notes->begin(), notes->end());
  std::ranges::move(unseenNotes(totals.unseen(), regions.terms()), std::back_inserter(all));
  if (std::string note = sharedIdNote(regions); !note.empty())
    all.push_back(std::move(note));
  if (totals.kernels().empty())
    all.push_back(noWarpsNote(traces));
  else if (std::string note = countedTimesNote(traces); !note.empty())
    all.push_back(std::move(note));
  tables.front().addLead(sampledLead(totals, regions.terms()));
  tables.front().addLead(mixedBuildsNote(traces, Summands::Times));
  return tables;
}

} // namespace kperf::decoder
