// Collects the tables of a report's page.
#include "decoder/view/ReportPage.h"
#include "decoder/timeline/PageTimeline.h"
#include "decoder/view/AnnotateView.h"
#include "decoder/view/DistributionView.h"
#include "decoder/view/MemoryView.h"
#include "decoder/view/OverlapView.h"
#include "decoder/view/RunTable.h"

#include <fmt/format.h>

namespace kperf::decoder {

Expected<ReportPage> makeReportPage(std::span<const Trace> traces, const ViewScope &scope, const ReportOptions &options) {
  ReportPage page;
  page.tables.push_back(runTable(traces));
  ViewScope all = scope;
  all.by.reset(); // each view's own first
  all.isPage = true;
  AnnotateOptions sources;
  sources.source = options.source;
  const auto add = [&](Expected<std::vector<Table>> tables) -> Status {
    if (!tables)
      return failure(tables.error());
    for (Table &table : *tables)
      if (!table.rows.empty())
        page.tables.push_back(std::move(table));
    return {};
  };
  for (const Status &status : {add(distributionView(traces, all)), add(overlapView(traces, all)), add(memoryView(traces, all)),
                               add(annotateView(traces, all, sources))})
    if (!status)
      return failure(status.error());
  std::vector<const Trace *> shown;
  for (const Trace &trace : traces)
    shown.push_back(&trace);
  auto timelines = pageTimelines(shown, scope.kernel, options.pageSpans);
  if (!timelines)
    return failure(timelines.error());
  page.data = std::move(*timelines);
  const auto &program = traces.front().program();
  const std::string_view name = program ? traces.front().string(program->executable) : std::string_view();
  page.title = fmt::format("kperf: {}", name.empty() ? std::string_view(traces.front().name()) : name);
  return page;
}

} // namespace kperf::decoder
