// The timeline of a report page: columns of numbers that the page's script reads without parsing them one by one.
#ifndef KPERF_DECODER_PAGE_TIMELINE_H
#define KPERF_DECODER_PAGE_TIMELINE_H

#include "Error.h"
#include "Trace.h"

#include <string>

namespace kperf::decoder {

/// JSON with base64 columns, little-endian. Of a trace with more than `mostSpans` spans the first launches are taken,
/// or of the first launch the first SMs; the occupancy of SMs is of all warps. The text says what was left out.
Expected<std::string> pageTimeline(const Trace &trace, const std::string &kernelPattern, std::uint64_t mostSpans);

} // namespace kperf::decoder

#endif
