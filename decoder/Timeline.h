// Writes a trace as a timeline that Perfetto and chrome://tracing open.
#ifndef KPERF_DECODER_TIMELINE_H
#define KPERF_DECODER_TIMELINE_H

#include "Error.h"
#include "Output.h"
#include "Trace.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

struct TimelineOptions {
  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>; ///< inclusive; empty for everything

  std::uint64_t mostEvents = 1'000'000; ///< 0 for no limit
  Ranges sms, blocks;
  std::string kernel; ///< shell pattern; "" for all
  /// What overlaps this stretch, in ns from the first warp's start.
  double fromNs = 0, toNs = std::numeric_limits<double>::infinity();
};

struct TimelineSummary {
  std::uint64_t events = 0;    ///< written, without metadata
  std::uint64_t overLimit = 0; ///< left out because of mostEvents
  std::uint64_t filtered = 0;  ///< warps left out by sms, blocks, kernel or the window
  std::uint64_t lost = 0;      ///< records that are no span: dropped, unmatched, empty or damaged
  std::uint64_t warps = 0;
  std::vector<std::string> notes;
};

/// A process for each SM, a thread for each warp, complete events in ns (as µs with a fraction), marks as instants; a
/// range that crosses another is put on a thread of its own. Two passes, bounded memory, valid JSON to the last byte
/// even when the second fails.
Expected<TimelineSummary> writeTimeline(const Trace &trace, const TimelineOptions &options, Output &out);

/// "0-3,7" as ranges.
Expected<TimelineOptions::Ranges> parseRanges(const std::string &text);
/// "A:B" in µs as ns; either side may be missing.
Expected<std::pair<double, double>> parseWindow(const std::string &text);

} // namespace kperf::decoder

#endif
