// Says why traces have no row of a table, and what to do about it.
#ifndef KPERF_DECODER_MISSING_TABLE_H
#define KPERF_DECODER_MISSING_TABLE_H

#include "decoder/trace/Trace.h"

#include <span>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// Of a table that no view shows of these traces; `view`: that it was asked of, "" for any. "" where no view has such a table at all.
std::string tableIsMissingBecause(std::string_view view, std::string_view table, std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
