// The text form of a summary and its rows: what follows the words that name them.
#ifndef KPERF_DECODER_SUMMARY_TEXT_H
#define KPERF_DECODER_SUMMARY_TEXT_H

#include "decoder/trace/Trace.h"

#include <string>

namespace kperf::decoder {

/// " key=value" for each member that is not 0, without device, kernel, name and the number of rows.
std::string fieldsOf(const format::SummaryRecord &summary);
/// The same without the region.
std::string fieldsOf(const SummaryRow &row);

} // namespace kperf::decoder

#endif
