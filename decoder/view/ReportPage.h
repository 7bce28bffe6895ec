// The tables that a report's page holds beside the report's own.
#ifndef KPERF_DECODER_REPORT_PAGE_H
#define KPERF_DECODER_REPORT_PAGE_H

#include "decoder/print/Printer.h"
#include "decoder/view/ReportView.h"

#include <vector>

namespace kperf::decoder {

struct ReportPage {
  std::vector<Table> tables; ///< the runs, durations, overlap, memory and source
  std::vector<PageData> data;
  std::string title;
};

/// Several passes over the traces, of which the first ones have a timeline each.
Expected<ReportPage> makeReportPage(std::span<const Trace> traces, const ViewScope &scope, const ReportOptions &options);

} // namespace kperf::decoder

#endif
