// What the page of a report holds beside the report's own table.
#include "ReportPage.h"
#include "PageTimeline.h"

#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kMostSpans = 1'000'000; ///< 13 MB in the page

} // namespace

Expected<ReportPage> makeReportPage(std::span<const Trace> traces, const ViewOptions &options) {
  ReportPage page;
  ViewOptions all = options;
  all.by = ""; // each view's own first
  for (const auto view : {distributionView, overlapView, memoryView, annotateView}) {
    auto tables = view(traces, all);
    if (!tables)
      return failure(tables.error());
    for (Table &table : *tables)
      if (!table.rows.empty())
        page.tables.push_back(std::move(table));
  }
  auto timeline = pageTimeline(traces.front(), options.kernel, kMostSpans);
  if (!timeline)
    return failure(timeline.error());
  page.data.push_back({"timeline", std::move(*timeline)});
  const auto &program = traces.front().program();
  const std::string_view name = program ? traces.front().string(program->executable) : std::string_view();
  page.title = fmt::format("kperf: {}", name.empty() ? std::string_view(traces.front().name()) : name);
  return page;
}

} // namespace kperf::decoder
