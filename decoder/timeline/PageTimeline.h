// Writes the timeline of a report page: columns of numbers that the page's script reads without parsing them one by one.
#ifndef KPERF_DECODER_PAGE_TIMELINE_H
#define KPERF_DECODER_PAGE_TIMELINE_H

#include "decoder/io/Error.h"
#include "decoder/print/Printer.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

/// Bytes of a span or a mark in a page: ten in base64.
constexpr std::uint64_t kBytesPerSpan = 14;
constexpr std::uint64_t kUsualPageSpans = 1'000'000;
/// A browser reads no text of more than 512 MB.
constexpr std::uint64_t kMaxPageSpans = 20'000'000;

/// Traces of which a page has a timeline; of others it says so.
constexpr std::size_t kMaxPageTimelines = 4;

/// JSON with base64 columns, little-endian, for each of the first traces. Together they have `maxSpans` spans and marks at most: of a
/// trace with more than its part the first launches are taken, or of the first launch the first SMs; the occupancy of SMs is of all warps.
/// Each says what was left out.
Expected<std::vector<PageData>> pageTimelines(std::span<const Trace *const> traces, const std::string &kernelPattern,
                                              std::uint64_t maxSpans);

} // namespace kperf::decoder

#endif
