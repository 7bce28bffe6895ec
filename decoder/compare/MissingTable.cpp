// Says why traces have no row of a table, and what to do about it.
#include "decoder/compare/MissingTable.h"
#include "decoder/span/RegionSet.h"
#include "decoder/table/ColumnMeanings.h"
#include "decoder/trace/VendorTerms.h"
#include "decoder/view/Views.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::decoder {
namespace {

struct Absence {
  std::string_view table, why;
};

/// Of tables that a view leaves out where they would have no row.
constexpr Absence kAbsences[] = {
    {"overlap-pairs", "no two regions ran at the same time"},
    {"stuck", "no wait was unfinished when the trace was written"},
    {"in-flight", "no asynchronous work was waited for"},
    {"path", "it is of one block alone, which kperf overlap --block=N shows: hold critical-path, which is of all"},
    {"global-memory", "no access to global memory was counted"},
    {"shared-memory", "no access to shared memory was counted"},
    {"reuse", "the trace holds no uses of cache lines: build with --probes=memory --exact, and leave KPERF_LINES above 0"},
    {"machine", "no access that was counted differs from its machine code, or that was not looked at"},
    {"devices", "the trace lists none"},
    {"launches", "the trace lists none"},
};

bool haveWaits(std::span<const Trace> traces) {
  RegionSet regions;
  for (const Trace &trace : traces)
    regions.add(trace);
  return regions.hasWaits();
}

/// Why none of the views shows a table that kperf knows; "" where that is not known.
std::string absenceOf(const TableMeaning &table, std::span<const Trace> traces) {
  const bool isOfWaits = table.name == "waits" || table.name == "critical-path" || table.name == "in-flight";
  if (isOfWaits && !haveWaits(traces))
    return "no wait has a probe: build with --probes=region,sync; where it was built so, its sources have none";
  if (const auto *const known = std::ranges::find(kAbsences, table.name, &Absence::table); known != std::end(kAbsences))
    return std::string(known->why);
  if (isOfWaits)
    return fmt::format("no {} came to a wait", termsOf(traces.front()).warp);
  std::vector<std::string_view> commands;
  for (const View &view : views())
    commands.emplace_back(view.name);
  const std::string_view command = table.command.substr(0, table.command.find(' '));
  if (std::ranges::find(commands, command) == commands.end())
    return fmt::format("kperf {} shows it, and budgets are of the tables of {}", table.command, fmt::join(commands, ", "));
  return "";
}

} // namespace

std::string tableIsMissingBecause(std::string_view view, std::string_view table, std::span<const Trace> traces) {
  for (const TableMeaning &known : tableMeanings())
    if (known.name == table && (view.empty() || known.command.substr(0, known.command.find(' ')) == view))
      if (std::string why = absenceOf(known, traces); !why.empty())
        return why;
  return "";
}

} // namespace kperf::decoder
