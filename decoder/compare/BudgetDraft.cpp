// Drafts limits from what traces show; only those stay that checkBudgets() finds kept.
#include "decoder/compare/BudgetDraft.h"
#include "decoder/compare/BudgetRows.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/ReportNotes.h"
#include "decoder/view/Views.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace kperf::decoder {
namespace {

constexpr double kMinDraftedShare = 1; // percent

/// Rows are limited by one of their columns.
struct DraftedColumn {
  const char *table, *key;
  bool isTime, isFloor; ///< isFloor: less is worse
};

constexpr DraftedColumn kDraftedColumns[] = {{"kernels", "duration_ns", true, false},
                                             {"regions", "mean_ns", true, false},
                                             {"global-memory", "efficiency_percent", false, true},
                                             {"shared-memory", "conflict-ways", false, false}};

std::optional<double> draftedNumberOf(const Table &table, std::size_t row, std::string_view key) {
  const auto column = std::ranges::find(table.columns, key, &keyOf);
  if (column == table.columns.end())
    return std::nullopt;
  const Cell &cell = table.rows[row][static_cast<std::size_t>(column - table.columns.begin())];
  const auto *whole = std::get_if<std::uint64_t>(&cell);
  const auto *real = std::get_if<double>(&cell);
  return whole ? std::optional(static_cast<double>(*whole)) : real ? std::optional(*real) : std::nullopt;
}

/// With room, of three digits, to the side that has more of it.
double draftedLimitFor(double value, bool isFloor) {
  const double limit = value * (isFloor ? 1 - kDraftRoom : 1 + kDraftRoom);
  if (limit <= 0)
    return 0;
  const double step = std::pow(10, std::floor(std::log10(limit)) - 2), steps = limit / step;
  return step * (isFloor ? std::floor(steps + 1e-9) : std::ceil(steps - 1e-9));
}

class Draft {
public:
  explicit Draft(std::span<const Trace> traces) : traces(traces), clock(hostClock(traces.front())) {}

  Expected<BudgetDraft> run();

private:
  void add(const Table &table, const DraftedColumn &of);
  std::string nameIn(const Table &table, std::size_t row);
  void keepWhatHolds();

  std::span<const Trace> traces;
  std::string_view clock;
  bool hasTimes = false;
  BudgetDraft out;
};

/// By what the source calls a kernel, where that tells it from the others.
std::string Draft::nameIn(const Table &table, std::size_t row) {
  const std::string kernel = kernelOf(table, row), label = labelOf(table, row);
  std::set<std::string> kernels;
  std::size_t namesakes = 0;
  for (std::size_t each = 0; each < table.rows.size(); ++each)
    if (const std::string other = kernelOf(table, each); kernels.insert(other).second)
      namesakes += qualifiedNameOf(other) == qualifiedNameOf(kernel);
  const std::string name = namesakes == 1 ? qualifiedNameOf(kernel) : kernel;
  return table.name == "kernels" ? name : kernels.size() == 1 ? label : fmt::format("{}/{}", name, label);
}

/// A limit for each name: of several rows of one the number that is worst.
void Draft::add(const Table &table, const DraftedColumn &of) {
  std::vector<std::string> names;
  std::map<std::string, double> worst;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto value = draftedNumberOf(table, row, of.key), share = draftedNumberOf(table, row, "share_percent");
    if (!value || (share && *share < kMinDraftedShare) || labelOf(table, row).starts_with('('))
      continue;
    hasTimes |= of.isTime;
    if (of.isTime && clock == "wall clock")
      continue;
    const std::string name = nameIn(table, row);
    const auto [known, isNew] = worst.try_emplace(name, *value);
    known->second = of.isFloor ? std::min(known->second, *value) : std::max(known->second, *value);
    if (isNew)
      names.push_back(name);
  }
  for (const std::string &name : names)
    out.budgets.push_back(
        fmt::format("{}.\"{}\".{} {} {:.6g}", of.table, name, of.key, of.isFloor ? ">=" : "<=", draftedLimitFor(worst[name], of.isFloor)));
}

/// An estimate may not tell whether it keeps a limit, and a name may have what no budget can spell.
void Draft::keepWhatHolds() {
  std::vector<Budget> parsed;
  std::set<std::string> others;
  for (const std::string &text : out.budgets)
    if (auto budget = parseBudget(text))
      parsed.push_back(std::move(*budget));
    else
      others.insert(text);
  const BudgetResults results = checkBudgets(traces, parsed);
  for (std::size_t row = 0; row < results.table.rows.size(); ++row)
    if (std::string text = textIn(results.table, row, "budget");
        textIn(results.table, row, "verdict") != "kept" && std::ranges::find(out.budgets, text) != out.budgets.end())
      others.insert(std::move(text));
  std::erase_if(out.budgets, [&](const std::string &text) { return others.contains(text); });
  others.erase("losses.count == 0");
  if (!others.empty())
    out.notes.push_back(fmt::format("left out: {} that these traces can't tell, such as {}; kperf check of a limit on it says why",
                                    counted(others.size(), "number"), others.begin()->substr(0, others.begin()->find_last_of("<>") - 1)));
}

Expected<BudgetDraft> Draft::run() {
  for (const View &view : views()) {
    if (view.name != std::string_view("report") && view.name != std::string_view("memory"))
      continue;
    auto tables = view.run(traces, {});
    if (!tables)
      return failure(tables.error());
    if (view.name == std::string_view("report"))
      tables->insert(tables->begin(), groupsOf(tables->front()));
    for (const Table &table : *tables)
      for (const DraftedColumn &column : kDraftedColumns)
        if (table.name == column.table)
          add(table, column);
  }
  out.budgets.emplace_back("losses.count == 0");
  if (hasTimes && clock == "wall clock")
    out.notes.emplace_back("no times: those of a CPU's wall clock differ from run to run; with KPERF_HOST_CLOCK=virtual they don't");
  keepWhatHolds();
  return std::move(out);
}

} // namespace

Expected<BudgetDraft> draftBudgets(std::span<const Trace> traces) { return Draft(traces).run(); }

} // namespace kperf::decoder
