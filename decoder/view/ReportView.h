// Where the time of each kernel goes.
#ifndef KPERF_DECODER_REPORT_VIEW_H
#define KPERF_DECODER_REPORT_VIEW_H

#include "decoder/timeline/PageTimeline.h"
#include "decoder/view/PlacedInstructions.h"
#include "decoder/view/View.h"

namespace kperf::decoder {

struct ReportOptions final : ViewOptions {
  std::string sort = "share";                ///< how the rows stand
  std::string source;                        ///< of a page: AnnotateOptions::source
  std::string placementFile;                 ///< that `placement` is read from, by the caller; "" for none
  std::vector<PlacedInstructions> placement; ///< empty: nothing is known
  std::uint64_t pageSpans = kUsualPageSpans; ///< that the timeline of a page may have

  std::vector<ViewOption> described() override;
};

inline constexpr By kReportRows[] = {By::Region, By::Path};
inline constexpr Groupings kReportGroupings{.all = kReportRows, .help = "region, or path: as regions nest"};

Expected<std::vector<Table>> reportView(std::span<const Trace> traces, const ViewScope &scope, const ReportOptions &options = {});

} // namespace kperf::decoder

#endif
