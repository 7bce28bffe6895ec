// Compares the numbers of views with limits.
#include "decoder/compare/Budget.h"
#include "decoder/compare/BudgetRows.h"
#include "decoder/compare/LossRows.h"
#include "decoder/compare/MissingRow.h"
#include "decoder/compare/MissingTable.h"
#include "decoder/io/Glob.h"
#include "decoder/memory/UncountedKernels.h"
#include "decoder/print/Printer.h"
#include "decoder/table/ColumnMeanings.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/Views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::size_t kMaxCandidates = 12;

/// How many letters two words share at their beginnings and ends: the likelier meant key comes first.
std::size_t likeness(std::string_view a, std::string_view b) {
  const auto head = std::ranges::mismatch(a, b);
  const auto same = static_cast<std::size_t>(head.in1 - a.begin());
  std::size_t tail = 0;
  while (tail < std::min(a.size(), b.size()) && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  return same + tail;
}

const std::string *textOf(const Cell &cell) { return std::get_if<std::string>(&cell); }

/// The command that shows a view, without "kperf ".
std::string commandOf(const View &view, std::optional<By> by) {
  return by ? fmt::format("{} --by={}", view.name, name(*by)) : std::string(view.name);
}

class BudgetCheck {
public:
  explicit BudgetCheck(std::span<const Trace> traces) : traces(traces) {}

  void checkTraces();
  void check(const Budget &budget);
  BudgetResults results{.table = {.name = "budgets",
                                  .columns = {{"budget", Unit::None, Role::Label},
                                              {"verdict", Unit::None, Role::Value, 99},
                                              {"value", Unit::None, Role::Value, 95},
                                              {"unit", Unit::None, Role::Value, 95, true},
                                              {"row", Unit::None, Role::Value, 80},
                                              {"kernel", Unit::None, Role::Value, 60},
                                              {"because", Unit::None, Role::Value, 40},
                                              {"source", Unit::None, Role::Value, 50}}}};

private:
  Status compare(const Budget &budget);
  void addUnchecked(const Budget &budget, const Error &error);
  const Expected<std::vector<Table>> &tablesOf(const View &view, std::optional<By> by = std::nullopt);
  Expected<const Table *> tableOf(const Budget &budget);
  std::string tablesOfView(const std::string &name);
  Expected<const Table *> lossesOf(const Budget &budget);
  Expected<const Table *> groupedTableOf(const Budget &budget);
  bool haveDropped();
  std::string remedyFor(const Table &table, std::size_t row, const std::string &key, const std::string &kernel);
  std::string remedyOfEmpty(const Table &table, std::size_t row, const std::string &label, const std::string &kernel);
  std::string missingOf(const std::string &kernel);
  void noteBuilds(Summands summands);
  void noteWallClock();
  Expected<std::size_t> columnOf(const Budget &budget, const Table &table) const;
  OtherRows otherRowsOf(const Budget &budget, const Table &table);
  bool hasKernel(const std::string &pattern);
  Status add(const Budget &budget, const Table &table, std::size_t row, std::size_t column);
  Status missing(const Budget &budget, std::string what, std::vector<std::string> there) const {
    return failure({.message = fmt::format("budget {}: {}", budget.text, what), .expected = candidates(std::move(there))});
  }
  SourcePlace placeOf(const Budget &budget, const Table &table, std::size_t row) const;

  std::span<const Trace> traces;
  std::map<std::string, Expected<std::vector<Table>>> tables; ///< by command
  std::optional<Expected<Table>> losses;
  std::set<const Table *> asRecorded; ///< of views that show what was recorded, for no more than it is
};

/// "ns", "%", …; empty of counts and ratios.
Cell unitCell(Unit unit) {
  const std::string name = unit == Unit::Percent ? "%" : unitName(unit);
  return name.empty() ? Cell() : Cell(name);
}

/// " ns" behind a number of a column that the budget names without its unit.
std::string unitBehind(const Budget &budget, const Column &column) {
  const Cell unit = unitCell(column.unit);
  return !textOf(unit) || budget.column == keyOf(column) ? "" : " " + *textOf(unit);
}

/// What tables without any row say of that, with what to do about it.
std::string emptyBecause(std::span<const Table> tables) {
  if (!std::ranges::all_of(tables, [](const Table &table) { return table.rows.empty() && !table.notes.empty(); }))
    return "";
  return tables.front().notes.front();
}

/// What a view says of the traces, or why it can't.
const Expected<std::vector<Table>> &BudgetCheck::tablesOf(const View &view, std::optional<By> by) {
  const std::string command = commandOf(view, by);
  const auto known = tables.find(command);
  if (known != tables.end())
    return known->second;
  auto made = view.run(view.traits & kTakesSeveral ? traces : traces.first(1), {.kernel = {}, .by = by});
  if (made && std::string_view(view.name) == "report")
    made->push_back(groupsOf(made->front()));
  if (made && view.traits & kTakesSeveral)
    noteBuilds(view.traits & kHasTimes ? Summands::Times : Summands::Accesses);
  const auto &kept = tables.emplace(command, std::move(made)).first->second;
  if (kept && view.traits & kIsAsRecorded)
    for (const Table &table : *kept)
      asRecorded.insert(&table);
  return kept;
}

/// Whether a kernel's records are not all there.
bool BudgetCheck::haveDropped() {
  for (const View &view : views())
    if (std::string_view(view.name) == "report")
      if (const auto &made = tablesOf(view)) {
        const Table &kernels = made->back();
        const auto column = std::ranges::find(kernels.columns, "records-kept", &Column::name) - kernels.columns.begin();
        return std::ranges::any_of(kernels.rows, [&](const std::vector<Cell> &row) {
          const auto *kept = std::get_if<double>(&row[static_cast<std::size_t>(column)]);
          return kept && *kept < 100;
        });
      }
  return false;
}

/// A table that a view shows only where rows are asked for that stand for something else; null where no view has it.
Expected<const Table *> BudgetCheck::groupedTableOf(const Budget &budget) {
  for (const TableMeaning &meaning : tableMeanings())
    for (const View &view : views())
      for (const By by : view.groupings.all) {
        if (meaning.name != budget.table || (!budget.view.empty() && view.name != budget.view) || meaning.command != commandOf(view, by))
          continue;
        const auto &made = tablesOf(view, by);
        if (!made)
          return failure(made.error());
        if (const auto table = std::ranges::find(*made, budget.table, &Table::name); table != made->end())
          return &*table;
      }
  return nullptr;
}

/// Those of all traces, where the view has those of the first.
Expected<const Table *> BudgetCheck::lossesOf(const Budget &budget) {
  if (!losses)
    losses = lossRows(traces);
  if (!*losses)
    return failure(losses->error());
  const Table &table = **losses;
  const bool isNothing = labelOf(table, 0) == kNothingLost && (!budget.row || matches(*budget.row, kNothingLost));
  if (isNothing && haveDropped()) // which people may take for a loss
    return failure({.message = fmt::format("budget {}: the trace has no table 'losses', but records were dropped", budget.text),
                    .remedy = "hold kernels.records-kept_percent, too"});
  return &table;
}

Expected<const Table *> BudgetCheck::tableOf(const Budget &budget) {
  if (budget.table == "losses" && (budget.view.empty() || budget.view == "info"))
    return lossesOf(budget);
  std::vector<std::string> there;
  for (const View &view : views()) {
    if (!budget.view.empty() && view.name != budget.view)
      continue;
    const auto &made = tablesOf(view);
    if (!made)
      return failure(made.error());
    for (const Table &table : *made) {
      if (table.name == budget.table)
        return &table;
      there.push_back(table.name);
    }
  }
  if (auto grouped = groupedTableOf(budget); !grouped || *grouped)
    return grouped;
  const std::string lacking = fmt::format("budget {}: the trace has no table '{}'", budget.text, budget.table);
  for (const TableMeaning &known : tableMeanings()) // which this trace has no rows for
    if (const auto of = tables.find(std::string(known.command)); known.name == budget.table && of != tables.end())
      if (const std::string why = emptyBecause(*of->second); !why.empty())
        return failure({.message = lacking, .remedy = why});
  if (std::string why = tableIsMissingBecause(budget.view, budget.table, traces); !why.empty())
    return failure({.message = lacking, .remedy = std::move(why)});
  Error error = missing(budget, fmt::format("no table '{}'", budget.table), there).error();
  if (const std::string view = tablesOfView(budget.table); !view.empty())
    error.remedy = view;
  else if (hasKernel(budget.table))
    error.remedy = fmt::format("a kernel is a row, as in kernels.\"{}\".duration_ns", budget.table);
  return failure(error);
}

/// What to name where a budget has a command for a table; "" where it has not.
std::string BudgetCheck::tablesOfView(const std::string &name) {
  std::vector<std::string> names;
  for (const View &view : views())
    if (view.name == name)
      if (const auto &made = tablesOf(view))
        for (const Table &table : *made)
          names.push_back(table.name);
  return names.empty() ? "" : fmt::format("'{}' is a command: name one of its tables, {}", name, fmt::join(names, ", "));
}

/// A limit on times that differ from run to run is broken by chance.
void BudgetCheck::noteWallClock() {
  constexpr std::string_view kNote =
      "times of a CPU's wall clock differ from run to run and machine to machine: for limits on times run the "
      "program with KPERF_HOST_CLOCK=virtual";
  if (std::ranges::find(results.table.notes, kNote) == results.table.notes.end())
    results.table.notes.emplace_back(kNote);
}

/// Budgets are kept or broken by sums over builds, if traces are of several.
void BudgetCheck::noteBuilds(Summands summands) {
  std::vector<std::string> &notes = results.table.notes;
  for (std::string &note : std::array{mixedBuildsNote(traces, summands), summands == Summands::Accesses ? uncountedNote(traces, "") : ""})
    if (!note.empty() && std::ranges::find(notes, note) == notes.end())
      notes.push_back(std::move(note));
}

/// What a column is called that a budget of an older kperf names.
std::string currentColumn(std::string_view column) {
  for (const std::string_view renamed : {"least-sectors", "least-lines", "least-wavefronts"})
    if (column == renamed)
      return "min" + std::string(column.substr(std::string_view("least").size()));
  return std::string(column);
}

Expected<std::size_t> BudgetCheck::columnOf(const Budget &budget, const Table &table) const {
  const std::string column = currentColumn(budget.column);
  std::vector<std::string> keys, inUnits; // inUnits: of columns that are called so, each in a unit of its own
  std::size_t named = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    keys.push_back(keyOf(table.columns[i]));
    if (keys.back() == column)
      return i;
    if (table.columns[i].name != column)
      continue;
    inUnits.push_back(keys.back());
    named = i;
  }
  if (inUnits.size() == 1)
    return named; // as tables for people call it
  if (!inUnits.empty())
    return failure(missing(budget, fmt::format("table {} has '{}' in several units", table.name, budget.column), inUnits).error());
  std::ranges::stable_sort(keys, std::greater<>(), [&](const std::string &key) { return likeness(key, budget.column); });
  keys.resize(std::min(keys.size(), kMaxCandidates));
  return failure(missing(budget, fmt::format("table {} has no column '{}'", table.name, budget.column), keys).error());
}

/// Whether any table of the trace has rows of a kernel that is meant.
bool BudgetCheck::hasKernel(const std::string &pattern) {
  for (const View &view : views())
    if (const auto &made = tablesOf(view))
      for (const Table &table : *made)
        for (std::size_t row = 0; row < table.rows.size(); ++row)
          if (const std::string kernel = kernelOf(table, row); !kernel.empty() && isKernel(pattern, kernel))
            return true;
  return false;
}

OtherRows BudgetCheck::otherRowsOf(const Budget &budget, const Table &table) {
  OtherRows out{.why = emptyBecause(std::span(&table, 1))};
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const std::string kernel = kernelOf(table, row); isKernel(budget.kernel, kernel)) {
      out.labels.push_back(labelOf(table, row));
      if (out.missing.empty() && (budget.table == "regions" || asRecorded.contains(&table)))
        out.missing = missingOf(kernel);
    } else
      out.kernels.push_back(kernel);
  for (const TableMeaning &meaning : tableMeanings())
    if (meaning.name == budget.table && out.command.empty())
      out.command = meaning.command;
  out.hasKernel = out.labels.empty() && hasKernel(budget.kernel);
  return out;
}

/// What to do where a number can't be told; "" where it can. Views that show what was recorded as it is say nothing of how far that is from
/// all of it, which the report knows of each kernel.
std::string BudgetCheck::remedyFor(const Table &table, std::size_t row, const std::string &key, const std::string &kernel) {
  if (const auto remedy = table.remedies.find({row, key}); remedy != table.remedies.end())
    return remedy->second;
  return asRecorded.contains(&table) ? missingOf(kernel) : "";
}

/// What the report says is missing from a kernel's numbers, and how to get it; "" where all is there.
std::string BudgetCheck::missingOf(const std::string &kernel) {
  for (const View &view : views())
    if (std::string_view(view.name) == "report")
      if (const auto &made = tablesOf(view))
        if (const auto partial = made->front().partial.find(kernel); partial != made->front().partial.end())
          return partial->second;
  return "";
}

/// What to do where a row has no number.
std::string BudgetCheck::remedyOfEmpty(const Table &table, std::size_t row, const std::string &label, const std::string &kernel) {
  if (label.starts_with('('))
    return "rows in brackets are of what no region holds: put a region there, or name one that is there";
  const auto count = std::ranges::find(table.columns, "count", &Column::name);
  const bool hasNoEntry =
      count != table.columns.end() && table.rows[row][static_cast<std::size_t>(count - table.columns.begin())] == Cell(std::uint64_t{0});
  const std::string missing = hasNoEntry ? missingOf(kernel) : "";
  return missing.empty() ? "kperf report says why in its notes" : missing;
}

Status BudgetCheck::add(const Budget &budget, const Table &table, std::size_t row, std::size_t column) {
  const Cell &cell = table.rows[row][column];
  const std::string label = labelOf(table, row), kernel = kernelOf(table, row);
  const std::string what = kernel.empty() || kernel == label ? label : fmt::format("{} of {}", label, kernel);
  if (std::holds_alternative<std::string>(cell))
    return failure({.message = fmt::format("budget {}: {} of {} is no number", budget.text, budget.column, what), .found = *textOf(cell)});
  const std::string key = keyOf(table.columns[column]);
  if (const std::string remedy = remedyFor(table, row, key, kernel); !remedy.empty())
    return failure({.message = fmt::format("budget {}: {} of {} can't be told", budget.text, budget.column, what), .remedy = remedy});
  if (std::holds_alternative<std::monostate>(cell))
    return failure({.message = fmt::format("budget {}: {} of {} is not known", budget.text, budget.column, what),
                    .remedy = remedyOfEmpty(table, row, label, kernel)});
  const auto *whole = std::get_if<std::uint64_t>(&cell);
  const double value = whole ? static_cast<double>(*whole) : std::get<double>(cell);
  const bool isViolation = !budget.holds(value);
  if (const auto bounds = table.bounds.find({row, key});
      bounds != table.bounds.end() && !budget.isDecidedWithin(bounds->second.min, bounds->second.max))
    return failure({.message = fmt::format("budget {}: {} of {} can't be told", budget.text, budget.column, what),
                    .found = std::isinf(bounds->second.max) ? fmt::format("{:.6g} or more", bounds->second.min)
                                                            : fmt::format("{:.6g} to {:.6g}", bounds->second.min, bounds->second.max),
                    .remedy = bounds->second.remedy});
  const std::string source = textIn(table, row, "source");
  results.broken += isViolation;
  const Unit unit = table.columns[column].unit;
  const bool isAccess = std::ranges::find(table.columns, "access", &Column::name) != table.columns.end();
  const std::string clock(unit == Unit::Nanoseconds || unit == Unit::Cycles ? hostClock(traces.front()) : std::string_view());
  if (clock == "wall clock")
    noteWallClock();
  results.table.rows.push_back({budget.text, std::string(isViolation ? "broken" : "kept"), value, unitCell(unit), label, kernel,
                                budget.because.empty() ? Cell() : Cell(budget.because), source});
  Finding finding{.rule = budget.text,
                  .subject = kernel.empty() ? table.name : kernel,
                  .row = isAccess ? fmt::format("{} ({})", label, textIn(table, row, "kind")) : label, // load and store of one text differ
                  .message =
                      fmt::format("{} of {} is {:.6g}{}{}: {}{}", budget.column, what, value, unitBehind(budget, table.columns[column]),
                                  clock.empty() ? "" : fmt::format(" (host target, {})", clock), budget.text,
                                  budget.because.empty() ? "" : " (" + budget.because + ")"),
                  .isViolation = isViolation};
  const SourcePlace place = placeOf(budget, table, row);
  finding.file = place.file;
  finding.line = place.line;
  finding.column = place.column;
  results.table.findings.push_back(std::move(finding));
  return {};
}

/// Where a row's code is, or that of the region that it is about; of one without, as of a whole kernel, where its budget is, else where
/// some code of the kernel or of any other is: readers of SARIF refuse a file of which one result has no place.
SourcePlace BudgetCheck::placeOf(const Budget &budget, const Table &table, std::size_t row) const {
  if (const auto place = table.places.find(row); place != table.places.end())
    return place->second;
  if (const auto report = tables.find("report"); report != tables.end() && report->second && !textIn(table, row, "region").empty())
    for (const Table &regions = report->second->front(); const auto &[other, place] : regions.places)
      if (textIn(regions, other, "region") == textIn(table, row, "region") && kernelOf(regions, other) == kernelOf(table, row))
        return place;
  if (!budget.place.file.empty())
    return budget.place;
  const std::string kernel = kernelOf(table, row);
  SourcePlace any;
  for (const auto &[view, made] : tables)
    for (const Table &each : made ? std::span<const Table>(*made) : std::span<const Table>())
      for (const auto &[other, place] : each.places) {
        if (!kernel.empty() && kernelOf(each, other) == kernel)
          return place;
        any = any.file.empty() ? place : any;
      }
  return any;
}

void BudgetCheck::checkTraces() {
  for (const Trace &trace : traces)
    if (!trace.incomplete().empty())
      addUnchecked({.text = "whole traces", .table = "trace"},
                   {.message = fmt::format("incomplete: {}", trace.incomplete()),
                    .remedy = "let the program end by itself; what is missing may break any budget",
                    .file = trace.name()});
}

void BudgetCheck::check(const Budget &budget) {
  const Status status = compare(budget);
  if (status)
    return;
  Error error = status.error();
  if (!budget.place.file.empty() && error.file.empty()) {
    error.file = budget.place.file;
    error.line = budget.place.line;
    error.column = budget.place.column;
  }
  addUnchecked(budget, error);
}

void BudgetCheck::addUnchecked(const Budget &budget, const Error &error) {
  results.table.rows.push_back({budget.text,
                                std::string("not checked"),
                                {},
                                {},
                                budget.kernel.empty() ? Cell() : Cell("of " + budget.kernel),
                                {},
                                budget.because.empty() ? Cell() : Cell(budget.because),
                                {}});
  results.table.findings.push_back({.rule = budget.text,
                                    .subject = budget.kernel.empty() ? budget.table : budget.kernel,
                                    .message = error.text(),
                                    .file = budget.place.file,
                                    .line = budget.place.line,
                                    .column = budget.place.column,
                                    .isViolation = true,
                                    .isUnchecked = true});
  results.failures.push_back(error);
}

Status BudgetCheck::compare(const Budget &budget) {
  const auto table = tableOf(budget);
  if (!table)
    return failure(table.error());
  const auto column = columnOf(budget, **table);
  if (!column)
    return failure(column.error());
  if (!budget.row && budget.table == "regions" &&
      (*table)->columns[*column].role == Role::Group) { // one verdict a kernel, not one a region
    Budget ofKernels = budget;
    ofKernels.view = "report";
    ofKernels.table = "kernels";
    return compare(ofKernels);
  }
  const auto found = rowsOf(budget, **table);
  if (!found)
    return failure(found.error());
  const std::vector<std::size_t> &rows = *found;
  if (rows.empty() && budget.table == "losses" && budget.row && budget.kernel.empty() && isKindOfLoss(*budget.row))
    return add(budget, noLossRow(**table, *budget.row), 0, *column);
  if (rows.empty())
    return failure(missingRow(budget, otherRowsOf(budget, **table)));
  // A row such as (unattributed) has no percentile: it is skipped when others that are meant have one. One that would
  // have it in another trace is not: a budget that is not looked at is not kept.
  const auto isEmpty = [&](std::size_t row) { return std::holds_alternative<std::monostate>((*table)->rows[row][*column]); };
  const bool areAllEmpty = std::ranges::all_of(rows, isEmpty);
  const std::string key = keyOf((*table)->columns[*column]);
  Status first; // of rows that can't be told: the others have their verdicts all the same
  for (const std::size_t row : rows)
    if (areAllEmpty || !isEmpty(row) || (*table)->remedies.contains({row, key}))
      if (Status status = add(budget, **table, row, *column); !status && first)
        first = status;
  return first;
}

} // namespace

BudgetResults checkBudgets(std::span<const Trace> traces, std::span<const Budget> budgets) {
  BudgetCheck check(traces);
  check.checkTraces();
  for (const Budget &budget : budgets)
    check.check(budget);
  return std::move(check.results);
}

} // namespace kperf::decoder
