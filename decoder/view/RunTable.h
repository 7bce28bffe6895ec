// A table of the runs that traces are of: program, devices, time.
#ifndef KPERF_DECODER_RUN_TABLE_H
#define KPERF_DECODER_RUN_TABLE_H

#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <span>
#include <string>

namespace kperf::decoder {

/// "2026-11-25 22:04:11 UTC"
std::string utcText(std::uint64_t unixNs);

/// A row for each trace; what a trace does not say is empty.
Table runTable(std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
