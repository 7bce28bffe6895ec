// The columns of the report: those of a kernel, then those of each of its regions.
#ifndef KPERF_DECODER_REPORT_COLUMNS_H
#define KPERF_DECODER_REPORT_COLUMNS_H

#include "decoder/table/Table.h"

namespace kperf::decoder {

std::vector<Column> reportColumns();

} // namespace kperf::decoder

#endif
