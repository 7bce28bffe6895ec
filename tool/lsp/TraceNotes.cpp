// Takes the notes from the views of `kperf annotate`, `kperf memory` and `kperf explain`.
#include "tool/lsp/TraceNotes.h"
#include "decoder/explain/Explanation.h"
#include "decoder/table/NumberFormat.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/AnnotateView.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::tool {
namespace {

using decoder::Cell;
using decoder::Table;
using decoder::Unit;

constexpr double kMinWays = 1.1; ///< of a conflict that is worth a word: a tenth is wasted, as for findings

/// A row's cells by the key of their column.
class Row {
public:
  Row(const Table &table, const std::vector<Cell> &cells) : table(table), cells(cells) {}

  const Cell &operator[](std::string_view key) const {
    static const Cell kNothing;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (keyOf(table.columns[i]) == key)
        return cells[i];
    return kNothing;
  }
  const double *real(std::string_view key) const { return std::get_if<double>(&(*this)[key]); }
  std::uint64_t integer(std::string_view key) const {
    const auto *found = std::get_if<std::uint64_t>(&(*this)[key]);
    return found ? *found : 0;
  }
  std::string text(std::string_view key) const {
    const auto *found = std::get_if<std::string>(&(*this)[key]);
    return found ? *found : "";
  }

private:
  const Table &table;
  const std::vector<Cell> &cells;
};

/// Adds the words for the row's time to what a hint and its tool tip say.
void addTime(const Row &row, std::vector<std::string> &label, std::vector<std::string> &detail) {
  const std::string region = row.text("region");
  if (region.empty())
    return;
  const std::uint64_t count = row.integer("count");
  if (const double *share = row.real("share_percent"))
    label.push_back(fmt::format("{:.1f} %", *share));
  if (const double *self = row.real("self_ns"))
    label.push_back(formatted(*self, Unit::Nanoseconds, false));
  label.push_back(fmt::format("{} {}", count, count == 1 ? "entry" : "entries"));
  const double *total = row.real("total_ns");
  detail.push_back(fmt::format("region {}: share of the warp time and time of its own, without the regions inside{}", region,
                               total ? fmt::format("; {} with them", formatted(*total, Unit::Nanoseconds, false)) : ""));
}

/// The same for its memory accesses.
void addMemory(const Row &row, std::vector<std::string> &label, std::vector<std::string> &detail) {
  if (const double *share = row.real("traffic_percent"))
    label.push_back(fmt::format("{:.1f} % of traffic", *share));
  if (const double *efficiency = row.real("efficiency_percent")) {
    label.push_back(fmt::format("{:.0f} % efficient", *efficiency));
    detail.push_back(fmt::format("{} moved in sectors of 32 bytes, {:.1f} % of which had to be",
                                 formatted(static_cast<double>(row.integer("traffic_bytes")), Unit::Bytes, true), *efficiency));
  }
  if (const double *ways = row.real("conflict-ways"); ways && *ways >= kMinWays) {
    label.push_back(fmt::format("{:.1f}-way conflicts", *ways));
    detail.push_back(fmt::format("{} wavefronts, {:.2f} times as many as without bank conflicts", row.integer("wavefronts"), *ways));
  }
}

void addLines(const Table &table, const std::string &origin, TraceNotes &out) {
  for (const std::vector<Cell> &cells : table.rows) {
    const Row row(table, cells);
    std::vector<std::string> label, detail;
    addTime(row, label, detail);
    addMemory(row, label, detail);
    if (!label.empty() && !origin.empty()) {
      label.emplace_back("host target");
      detail.push_back(origin);
    }
    out.files[row.text("file")].lines[static_cast<std::uint32_t>(row.integer("line"))] = {
        .recorded = row.text("text"),
        .label = fmt::format("{}", fmt::join(label, ", ")),
        .detail = fmt::format("{}", fmt::join(detail, "\n"))};
  }
}

decoder::Status addAccesses(std::span<const decoder::Trace> traces, const std::string &kernel, TraceNotes &out) {
  const auto totals = decoder::MemoryTotals::read(traces, kernel);
  if (!totals)
    return decoder::failure(totals.error());
  for (const decoder::MemoryFinding &fault : decoder::diagnoseAccesses(*totals)) {
    const decoder::Finding finding = asFinding(fault);
    out.files[finding.file].problems.push_back({.line = finding.line,
                                                .rule = finding.rule,
                                                .message = finding.message,
                                                .expression = fault.site.text(fault.site.record->expression),
                                                .rowPadding = fault.rowPadding});
  }
  return {};
}

/// The file that "kernel.cu:12" is about, if there is one and one only, and the line.
std::pair<FileNotes *, std::uint32_t> placed(const std::string &place, TraceNotes &notes) {
  const std::size_t colon = place.rfind(':');
  std::uint32_t line = 0;
  if (colon == std::string::npos || std::from_chars(place.data() + colon + 1, place.data() + place.size(), line).ec != std::errc())
    return {nullptr, 0};
  const auto name = std::filesystem::path(place.substr(0, colon)).filename();
  FileNotes *found = nullptr;
  for (auto &[file, each] : notes.files)
    if (std::filesystem::path(file).filename() == name && each.lines.contains(line)) {
      if (found)
        return {nullptr, 0};
      found = &each;
    }
  return {found, line};
}

decoder::Status addExplanation(std::span<decoder::Trace> traces, const std::string &kernel, TraceNotes &out) {
  auto facts = decoder::readFacts(traces, kernel);
  if (!facts)
    return decoder::failure(facts.error());
  const decoder::Explanation explanation = decoder::explain(std::move(*facts));
  for (const decoder::KernelExplanation &each : explanation.kernels)
    for (const decoder::Explained &found : each.findings) {
      const auto [file, line] = placed(found.place, out);
      // Of memory accesses more is said above.
      if (!file || std::ranges::any_of(file->problems, [&](const auto &other) { return other.line == line && other.rule == found.rule; }))
        continue;
      file->problems.push_back(
          {.line = line,
           .rule = found.rule,
           .message = fmt::format("{}: {}; try: {}; gain: {}", found.what, found.evidence, found.remedy, gainText(found.gain))});
    }
  return {};
}

} // namespace

decoder::Expected<TraceNotes> readTraceNotes(std::span<const std::string> names, const std::string &kernel) {
  std::vector<decoder::Trace> traces;
  TraceNotes out;
  for (const std::string &name : names) {
    auto trace = decoder::Trace::open(name);
    if (!trace)
      return decoder::failure(trace.error());
    if (!trace->incomplete().empty())
      out.general.push_back(fmt::format("{} is incomplete: {}", name, trace->incomplete()));
    traces.push_back(std::move(*trace));
  }
  const auto tables = decoder::annotateView(traces, {.kernel = kernel});
  if (!tables)
    return decoder::failure(tables.error());
  const std::string origin = originOf(traces.front());
  if (!origin.empty())
    out.general.push_back(origin);
  for (const Table &table : *tables)
    addLines(table, origin, out);
  if (auto status = addAccesses(traces, kernel, out); !status)
    return decoder::failure(status.error());
  if (auto status = addExplanation(traces, kernel, out); !status)
    return decoder::failure(status.error());
  return out;
}

} // namespace kperf::tool
