// Shows the cost of memory accesses by site, source line, region or function, the program's reuse of memory, faults, and what was not seen.
#include "decoder/view/MemoryView.h"
#include "decoder/memory/LocalityTables.h"
#include "decoder/memory/MachineTable.h"
#include "decoder/memory/MemoryFindings.h"
#include "decoder/memory/SampledBounds.h"
#include "decoder/memory/UncountedKernels.h"
#include "decoder/span/RegionSet.h"
#include "decoder/table/NumberFormat.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/LossNotes.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::size_t kPageRows = 64;

/// Rows of a table, each with what it adds up.
struct Grouped {
  std::string label, function, region, source, kind;
  SampledSum counts = {};
  GroupLocality locality = {};
  SourcePlace place = {}; ///< where rows are places
};

/// The error of an estimate in percent; nothing where it can't be known.
Cell errorCell(const SampledSum &of, format::SiteCounter counter) {
  const std::optional<double> error = of.sampled[counter].error();
  const auto estimate = static_cast<double>(of.sum[counter]);
  return error && estimate > 0 ? Cell(100 * *error / estimate) : Cell();
}

class MemoryTables {
public:
  MemoryTables(std::span<const Trace> traces, const MemoryTotals &totals, const Locality &locality, By by, const std::string &functions,
               bool isPage)
      : traces(traces), totals(totals), locality(locality), by(by), functions(functions), isPage(isPage) {
    for (const Trace &trace : traces)
      regions.add(trace);
  }

  std::vector<Table> build() {
    std::vector<Table> out;
    if (by == By::Unseen) {
      out.push_back(unseen());
      return out;
    }
    if (by == By::Cache || by == By::Page) {
      out.push_back(by == By::Cache ? cacheTable(locality, termsOf(traces.front())) : pageTable(locality, totals, kPageRows));
      if (by == By::Page)
        addLocalityBounds(out.back(), locality, termsOf(traces.front()));
      if (locality.source().runs().empty() && locality.source().withoutRoom() == 0)
        out.back().notes = {totals.executionsSampled() > 1
                                ? "the trace holds no uses of cache lines, which tell of reuse where every access is counted: build "
                                  "with --exact"
                                : "the trace holds no uses of cache lines: build with --probes=memory, and leave KPERF_LINES above 0"};
      addNotes(out.back().notes);
      out.back().addLead(mixedBuildsNote(traces, Summands::Accesses));
      return out;
    }
    group();
    if (totals.all().globals() > 0)
      out.push_back(global());
    if (totals.all().shareds() > 0)
      out.push_back(shared());
    if (!locality.isEmpty())
      out.push_back(reuse());
    if (!locality.isEmpty() && isPage)
      out.insert(out.end(), {cacheTable(locality, termsOf(traces.front())), pageTable(locality, totals, kPageRows)});
    Table faults = findings();
    if (!faults.rows.empty())
      out.push_back(std::move(faults));
    if (Table machine = machineTable(totals); !machine.rows.empty())
      out.push_back(std::move(machine));
    if (out.empty())
      out.push_back({.name = "memory", .columns = {{"site", Unit::None, Role::Label}}, .rows = {}, .notes = {}});
    addNotes(out.back().notes);
    out.front().addLead(mixedBuildsNote(traces, Summands::Accesses));
    return out;
  }

private:
  /// "" of what stands in a kernel and in no part of it, as of accesses of builds without regions.
  std::string regionName(const format::SiteRecord &site) const {
    const std::uint32_t index = site.region ? regions.find(site.region) : RegionSet::kNone;
    return index == RegionSet::kNone || regions[index].kind == format::RegionKind::Kernel ? "" : regions[index].name;
  }

  void group() {
    std::map<std::string, std::size_t> known;
    std::unordered_map<std::uint32_t, std::size_t> rowOf; ///< by site
    for (const SiteTotals &each : totals.sites()) {
      const format::SiteRecord &site = *each.site.record;
      const std::string function = each.site.function, region = regionName(site);
      const std::string at = each.site.place(by == By::Site);
      const std::string key = by == By::Function ? function : by == By::Region ? function + '\n' + region : at + '\n' + function;
      const auto [entry, isNew] = by == By::Site ? std::pair(known.end(), true) : known.try_emplace(key, rows.size());
      if (isNew) {
        rows.push_back({each.site.text(by == By::Site ? site.expression : site.source), function, region, at, named(site.kind)});
        Grouped &row = rows.back();
        row.place = {each.site.text(site.file), site.line, by == By::Site ? site.column : 0};
        row.label.erase(0, row.label.find_first_not_of(" \t"));
        if (by == By::Region)
          row.label = region.empty() ? "(no region)" : region;
        if (by == By::Function)
          row.label = function;
      }
      const std::size_t row = isNew ? rows.size() - 1 : entry->second;
      rows[row].counts.add(each.sum, each.sampled);
      all.add(each.sum, each.sampled);
      rowOf[site.id] = row;
    }
    const std::vector<GroupLocality> localities = locality.groups(rowOf, rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
      rows[row].locality = localities[row];
  }

  /// The columns that say what a row is.
  std::vector<Column> identity() const {
    std::vector<Column> columns;
    if (by != By::Function)
      columns.push_back({"function", Unit::None, Role::Group});
    columns.push_back({by == By::Site ? "access" : name(by), Unit::None, Role::Label});
    if (by == By::Site)
      columns.push_back({"kind", Unit::None, Role::Value, 60});
    return columns;
  }

  std::vector<Cell> identityOf(const Grouped &row) const {
    std::vector<Cell> cells;
    if (by != By::Function)
      cells.emplace_back(row.function);
    cells.emplace_back(row.label);
    if (by == By::Site)
      cells.emplace_back(row.kind);
    return cells;
  }

  void addSource(Table &table) const {
    if (by == By::Site || by == By::Line) {
      table.columns.push_back({"region", Unit::None, Role::Value, 30});
      table.columns.push_back({"source", Unit::None, Role::Value, 50});
    }
  }

  void addRows(Table &table, auto isShown, auto weight, auto cellsOf) const {
    std::vector<const Grouped *> order;
    for (const Grouped &row : rows)
      if (isShown(row))
        order.push_back(&row);
    std::map<std::string, double> byFunction;
    for (const Grouped *row : order)
      byFunction[row->function] += weight(*row);
    std::ranges::stable_sort(order, [&](const Grouped *a, const Grouped *b) {
      if (by != By::Function && a->function != b->function)
        return std::pair(byFunction[b->function], a->function) < std::pair(byFunction[a->function], b->function);
      return weight(*a) > weight(*b);
    });
    for (const Grouped *row : order) {
      std::vector<Cell> cells = identityOf(*row);
      cellsOf(cells, *row);
      if (by == By::Site || by == By::Line) {
        cells.push_back(row->region.empty() ? Cell() : Cell(row->region));
        cells.emplace_back(row->source);
        table.places[table.rows.size()] = row->place;
      }
      table.rows.push_back(std::move(cells));
    }
  }

  Table global() const {
    Table table{.name = "global-memory", .columns = identity(), .rows = {}, .notes = {}, .title = "global memory"};
    const auto add = [&](const char *name, Unit unit, unsigned priority) { table.columns.push_back({name, unit, Role::Value, priority}); };
    const auto addSum = [&](const char *name, unsigned priority) {
      table.columns.push_back(summed({name, Unit::Bytes, Role::Value, priority}));
    };
    add("share", Unit::Percent, 99);
    add("efficiency", Unit::Percent, 97);
    add("sectors", Unit::None, 95);
    if (totals.sampled() > 1)
      add("sectors-error", Unit::Percent, 94);
    add("min-sectors", Unit::None, 70);
    add("accesses", Unit::None, 80);
    add("shape", Unit::None, 90);
    add("lanes", Unit::None, 65);
    addSum("bytes", 40);
    addSum("distinct-bytes", 20);
    addSum("traffic", 45);
    add("lines", Unit::None, 35);
    add("min-lines", Unit::None, 10);
    add("bytes-per-line", Unit::None, 38);
    add("misaligned", Unit::None, 25);
    add("same-address", Unit::None, 22);
    addSource(table);
    addRows(
        table, [](const Grouped &row) { return row.counts.sum.globals() > 0; },
        [](const Grouped &row) { return static_cast<double>(row.counts.sum[format::kSectors]); },
        [&](std::vector<Cell> &cells, const Grouped &row) {
          const AccessSum &sum = row.counts.sum;
          addBounds(table, row.counts, all, /*isShared=*/false);
          cells.insert(cells.end(), {AccessSum::percent(sum[format::kSectors], totals.all()[format::kSectors]), sum.efficiency(),
                                     sum[format::kSectors]});
          if (totals.sampled() > 1)
            cells.push_back(errorCell(row.counts, format::kSectors));
          cells.insert(cells.end(), {sum[format::kMinSectors], sum.globals(), sum.shape(), sum.perAccess(format::kLanes),
                                     sum[format::kBytes], sum[format::kDistinctBytes], sum.trafficBytes(), sum[format::kLines],
                                     sum[format::kMinLines], AccessSum::ratio(sum[format::kDistinctBytes], sum[format::kLines]),
                                     sum[format::kMisaligned], sum.perAccess(format::kSerialLanes)});
        });
    return table;
  }

  Table shared() const {
    Table table{.name = "shared-memory",
                .columns = identity(),
                .rows = {},
                .notes = {},
                .title = std::string(termsOf(traces.front()).sharedMemory)};
    const auto add = [&](const char *name, Unit unit, unsigned priority) { table.columns.push_back({name, unit, Role::Value, priority}); };
    add("share", Unit::Percent, 99);
    add("conflict-ways", Unit::Ratio, 97);
    add("wavefronts", Unit::None, 95);
    if (totals.sampled() > 1)
      add("wavefronts-error", Unit::Percent, 94);
    add("min-wavefronts", Unit::None, 70);
    add("accesses", Unit::None, 80);
    add("stride", Unit::Bytes, 60);
    add("lanes", Unit::None, 65);
    table.columns.push_back(summed({"bytes", Unit::Bytes, Role::Value, 40}));
    add("same-address", Unit::None, 22);
    addSource(table);
    addRows(
        table, [](const Grouped &row) { return row.counts.sum.shareds() > 0; },
        [](const Grouped &row) { return static_cast<double>(row.counts.sum[format::kWavefronts]); },
        [&](std::vector<Cell> &cells, const Grouped &row) {
          const AccessSum &sum = row.counts.sum;
          addBounds(table, row.counts, all, /*isShared=*/true);
          cells.insert(cells.end(), {AccessSum::percent(sum[format::kWavefronts], totals.all()[format::kWavefronts]), sum.ways(),
                                     sum[format::kWavefronts]});
          if (totals.sampled() > 1)
            cells.push_back(errorCell(row.counts, format::kWavefronts));
          cells.insert(cells.end(),
                       {sum[format::kMinWavefronts], sum.shareds(), sum[format::kSharedStrided] ? Cell(sum.sharedStride()) : Cell(),
                        AccessSum::ratio(sum[format::kSharedLanes], sum.shareds()), sum[format::kSharedBytes],
                        AccessSum::ratio(sum[format::kSharedSerialLanes], sum.shareds())});
        });
    return table;
  }

  Table reuse() const {
    const ReuseEstimate all = locality.footprint();
    Table table{.name = "reuse", .columns = identity(), .rows = {}, .notes = {}};
    table.title = fmt::format("cache lines: {}{} touched in all", formatted(all.value, Unit::Bytes, false),
                              all.error > 0 ? " ± " + formatted(all.error, Unit::Bytes, false) : "");
    addLocalityColumns(table);
    addSource(table);
    addRows(
        table, [](const Grouped &row) { return row.locality.references > 0; },
        [](const Grouped &row) { return row.locality.footprint.value; },
        [](std::vector<Cell> &cells, const Grouped &row) { addLocalityCells(cells, row.locality); });
    addLocalityBounds(table, locality, termsOf(traces.front()));
    return table;
  }

  Table findings() const {
    Table table{.name = "findings", .columns = {}, .rows = {}, .notes = {}, .title = "findings"};
    for (const char *name : {"source", "function", "kind", "access", "cause", "fix", "effect"})
      table.columns.push_back({name, Unit::None, Role::Value});
    for (const MemoryFinding &finding : diagnoseAccesses(totals)) {
      const format::SiteRecord &site = *finding.site.record;
      const std::string at = finding.site.place(true), function = finding.site.function;
      table.places[table.rows.size()] = {finding.site.text(site.file), site.line, site.column};
      table.rows.push_back(
          {at, function, named(site.kind), finding.site.text(site.expression), finding.cause, finding.fix, finding.effect});
      table.findings.push_back(asFinding(finding));
    }
    for (const MemoryFinding &finding : diagnoseArrays(totals)) // people read of an array once
      table.excerpts.push_back(asExcerpt(finding));
    return table;
  }

  Table unseen() const {
    Table table{.name = "unseen", .columns = {}, .rows = {}, .notes = {}, .title = "accesses that no probe watches"};
    table.columns = {{"source", Unit::None, Role::Label},
                     {"access", Unit::None, Role::Value, 90},
                     {"function", Unit::None, Role::Value, 50},
                     {"reason", Unit::None, Role::Value, 95}};
    for (const TracedSite &site : totals.unseen()) {
      table.places[table.rows.size()] = {site.text(site.record->file), site.record->line, site.record->column};
      table.rows.push_back({site.place(true), site.text(site.record->expression), site.function, site.text(site.record->reason)});
    }
    if (const auto kernels = uncountedKernels(traces, functions))
      for (const UncountedKernel &kernel : *kernels) {
        table.places[table.rows.size()] = {kernel.file, kernel.line};
        table.rows.push_back({fmt::format("{}:{}", kernel.file, kernel.line), std::string("(all)"), kernel.name,
                              std::string("its file lists no access: built without --probes=memory, or it has none")});
      }
    if (table.rows.empty())
      table.notes.emplace_back(traces.front().sites().empty() ? nothingText() : "every access in the source has a probe");
    return table;
  }

  std::string executionsText() const {
    const std::uint32_t least = totals.leastExecutionsSampled(), most = totals.executionsSampled();
    return least == most ? fmt::to_string(most) : fmt::format("{} to {}", least, most);
  }

  std::string sampledNote() const {
    bool isAnyKnown = false, isAllKnown = true, isUnknownGroups = false;
    double ifAlike = 0; // percent
    for (const Grouped &row : rows)
      for (const auto &[sampled, estimate] : {std::pair(&row.counts.sampled[format::kSectors], row.counts.sum[format::kSectors]),
                                              std::pair(&row.counts.sampled[format::kWavefronts], row.counts.sum[format::kWavefronts])}) {
        const std::optional<double> error = sampled->error();
        if (estimate == 0 || error == 0)
          continue;
        (error ? isAnyKnown : isAllKnown) = error.has_value();
        isUnknownGroups |= sampled->isOfUnknownGroups();
        if (!error)
          ifAlike = std::max(ifAlike, 100 * sampled->errorIfAlike().value_or(0) / static_cast<double>(estimate));
      }
    const std::uint32_t executions = totals.executionsSampled(), blocks = totals.sampled() / executions;
    const bool isOfBlocks = blocks > 1 || executions <= 1;
    const std::string_view block = isOfBlocks ? termsOf(traces.front()).block : std::string_view("execution");
    std::string text = isOfBlocks ? fmt::format("one {} in {} was counted", block, blocks) : std::string();
    if (executions > 1)
      text += fmt::format(
          "{}one execution in {} of each access was counted, more of those in no loop of a small launch, fewer of those that are "
          "made often{}",
          isOfBlocks ? ", and of what it did " : "", executionsText(),
          isOfBlocks ? "" : " (KPERF_SAMPLE_ACCESSES=1 or a build with --exact counts all)");
    text += "; numbers are estimates for all of them";
    if (isAnyKnown)
      text += fmt::format(", and 95 % confidence intervals of sectors and wavefronts are ± the errors given; they miss what only a few "
                          "{0}s do, if none of these was counted",
                          block);
    if (!rows.empty() && isUnknownGroups)
      text += "; how far off they are can't be known: the trace has sums alone, for it is older than 1.10";
    else if (!rows.empty() && !isAllKnown)
      text += fmt::format("; how far off they are can't be known{0}: too few {1}s were counted{2} a few of them make up most of the sum{3}",
                          isAnyKnown ? " where no error is given" : "", block, isOfBlocks ? "," : ", or",
                          isOfBlocks ? ", or all counted the same, so that one that differs may be missing" : "");
    if (ifAlike > 0)
      text += fmt::format("; if none differs, they are within {:.1f} % in 95 of 100 cases, for how many {}s are counted is chance", ifAlike,
                          block);
    return text;
  }

  /// Why no access is there.
  std::string nothingText() const {
    if (std::ranges::all_of(traces, [](const Trace &trace) { return trace.sites().empty(); }))
      return "the trace holds no memory accesses: build with --probes=memory or --probes=region,memory; where it was built so, its sources "
             "have none that can be counted";
    if (!functions.empty())
      return fmt::format("no memory access was counted in a function whose name matches '{}'", functions);
    HostLaunches launches;
    for (const Trace &trace : traces)
      if (!launches.add(trace)) // it was read before
        break;
    if (const std::uint64_t launched = launches.all().probed; launched > 0)
      return fmt::format("no memory access was counted in {}: what they reached has none that is watched", counted(launched, "launch"));
    return "no memory access was counted: was a kernel of an instrumented file launched?";
  }

  void addNotes(std::vector<std::string> &notes) const {
    if (totals.sites().empty())
      notes.push_back(nothingText());
    for (const Trace &trace : traces)
      if (std::string glossary = glossaryOf(trace); !glossary.empty())
        notes.push_back(glossary + fmt::format(", and its wavefronts are {}", termsOf(trace).passes));
    if (!totals.sites().empty())
      notes.push_back(machineNote(totals, traces.front().header().target));
    if (by == By::Region && std::ranges::any_of(rows, [](const Grouped &row) { return !row.region.empty(); }))
      notes.emplace_back("a region has the accesses that its own text holds: those of a function that it calls are that function's, where "
                         "kperf report counts their time in the region, too; what it calls (unattributed) is part of (no region)");
    if (totals.sampled() > 1)
      notes.push_back(sampledNote());
    if (HostLaunches launches; std::ranges::all_of(traces, [&](const Trace &trace) { return launches.add(trace).has_value(); }))
      if (const HostLaunches::Choices all = launches.all(); all.plain > 0)
        notes.push_back(
            fmt::format("{} of {} launches ran without probes: numbers are of the other {} (KPERF_SAMPLE_LAUNCHES=1 records all)",
                        all.plain, all.plain + all.probed, all.probed));
    for (const Trace &trace : traces)
      if (const auto losses = memoryLosses(trace))
        notes.insert(notes.end(), losses->begin(), losses->end());
    for (std::string &note : localityNotes(locality, termsOf(traces.front())))
      notes.push_back(std::move(note));
    if (const std::size_t places = totals.unseen().size(); places > 0)
      notes.push_back(fmt::format("accesses in {} place{} of the source are not counted: --by=unseen lists them and says why", places,
                                  places == 1 ? "" : "s"));
    if (std::string note = uncountedNote(traces, functions); !note.empty())
      notes.push_back(std::move(note));
    if (totals.unreached() > 0)
      notes.push_back(fmt::format("{} in the source {} never reached", counted(totals.unreached(), "access"),
                                  totals.unreached() == 1 ? "was" : "were"));
    if (totals.unknown() > 0)
      notes.push_back(fmt::format("counters of {} that the trace does not list are left out", counted(totals.unknown(), "site")));
    const std::uint64_t other = totals.all()[format::kOtherAccesses];
    if (other > 0)
      notes.push_back(fmt::format("{} to constant or local memory {} no sectors", counted(other, "access"), other == 1 ? "has" : "have"));
  }

  std::span<const Trace> traces;
  const MemoryTotals &totals;
  const Locality &locality;
  By by;
  const std::string &functions;
  bool isPage;
  RegionSet regions;
  std::vector<Grouped> rows;
  SampledSum all; ///< of all rows
};

} // namespace

Expected<std::vector<Table>> memoryView(std::span<const Trace> traces, const ViewScope &scope, const MemoryOptions &) {
  if (Status status = checkSameBuild(traces); !status)
    return failure(status.error());
  const Expected<MemoryTotals> totals = MemoryTotals::read(traces, scope.kernel);
  if (!totals)
    return failure(totals.error());
  const Expected<Locality> locality = Locality::read(traces, scope.kernel);
  if (!locality)
    return failure(locality.error());
  return MemoryTables(traces, *totals, *locality, scope.by.value_or(By::Site), scope.kernel, scope.isPage).build();
}

} // namespace kperf::decoder
