// Collects the tables of a report's page.
#include "decoder/view/ReportPage.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/view/RunTable.h"

#include <fmt/format.h>

namespace kperf::decoder {

Expected<ReportPage> makeReportPage(std::span<const Trace> traces, const ViewOptions &options) {
  ReportPage page;
  page.tables.push_back(runTable(traces));
  ViewOptions all = options;
  all.by.reset(); // each view's own first
  all.isPage = true;
  for (const auto view : {distributionView, overlapView, memoryView, annotateView}) {
    auto tables = view(traces, all);
    if (!tables)
      return failure(tables.error());
    for (Table &table : *tables)
      if (!table.rows.empty())
        page.tables.push_back(std::move(table));
  }
  std::vector<const Trace *> shown;
  for (const Trace &trace : traces)
    shown.push_back(&trace);
  auto timelines = pageTimelines(shown, options.kernel, options.pageSpans);
  if (!timelines)
    return failure(timelines.error());
  page.data = std::move(*timelines);
  const auto &program = traces.front().program();
  const std::string_view name = program ? traces.front().string(program->executable) : std::string_view();
  page.title = fmt::format("kperf: {}", name.empty() ? std::string_view(traces.front().name()) : name);
  return page;
}

} // namespace kperf::decoder
