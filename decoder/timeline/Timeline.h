// A trace on a time axis, and the formats in which timelines are written.
#ifndef KPERF_DECODER_TIMELINE_H
#define KPERF_DECODER_TIMELINE_H

#include "decoder/io/Error.h"
#include "decoder/io/Output.h"
#include "decoder/span/RegionSet.h"
#include "decoder/span/Spans.h"
#include "decoder/sync/WarpRings.h"
#include "decoder/timeline/HostAxis.h"
#include "decoder/trace/Trace.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

struct TimelineOptions {
  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>; ///< inclusive; empty for everything

  std::uint64_t maxEvents = 1'000'000; ///< 0 for no limit
  Ranges sms, blocks;
  std::string kernel; ///< shell pattern; "" for all
  /// What overlaps this stretch of the time axis, in ns.
  double fromNs = 0, toNs = std::numeric_limits<double>::infinity();
};

struct TimelineSummary {
  std::uint64_t events = 0;    ///< written, without metadata, launches and counters
  std::uint64_t overLimit = 0; ///< left out because of maxEvents
  std::uint64_t filtered = 0;  ///< warps left out by sms, blocks, kernel or the window
  std::uint64_t lost = 0;      ///< records that are no span: dropped, unmatched, empty or damaged
  std::uint64_t warps = 0;
  std::vector<std::string> notes;
};

/// A trace by itself, or one of several on a time axis.
struct TimelinePart {
  TimelinePart(const Trace &trace, const HostAxis *axis = nullptr, std::string label = {}, std::uint64_t number = 0)
      : trace(trace), axis(axis), label(std::move(label)), number(number) {}

  const Trace &trace;
  const HostAxis *axis; ///< the time axis; without one that begins with the first warp's start, by the clock of its device
  std::string label;    ///< which trace it is, where there are several
  std::uint64_t number; ///< among them, from 0 on
};

/// A trace whose times are ns from the first warp's start on any device.
struct TimelineContext {
  const Trace &trace;
  const RegionSet &regions;
  std::uint64_t lengthNs; ///< to the last warp's end
  const HostAxis *axis;
  std::uint64_t baseNs; ///< of the first warp's start, by its device's clock

  /// What is to be added to a time of a device's for one on the axis.
  std::int64_t shiftAt(std::uint32_t device, std::uint64_t ns) const {
    return axis ? static_cast<std::int64_t>(static_cast<std::uint64_t>(axis->shiftAt(device, baseNs + ns)) + baseNs) : 0;
  }
};

struct TimelineLaunch {
  std::uint32_t device; ///< index in the trace's table
  std::uint64_t gridId;
  const std::string &kernel;
  std::uint64_t begin, end, warps, records; ///< records: kept in the trace
  std::optional<std::uint64_t> stream;      ///< as the host named it; nothing when its launches cannot be told apart
  std::array<std::uint32_t, 3> grid, block; ///< blocks and threads
};

/// "stream 0x…", "default stream", or "launches" when it is not known.
std::string streamText(const std::optional<std::uint64_t> &stream);

struct TimelineWarp {
  const WarpSpans &warp;
  std::uint32_t device; ///< index in the trace's table
  const std::string &kernel;
  std::uint64_t begin, end;
  std::uint32_t role; ///< the region, no wait, that it was in for longest, not in one inside; RegionSet::kNone without any
};

struct TimelineSpan {
  const Span &span;
  std::uint64_t begin, end;
  std::uint32_t depth; ///< how many spans are around it
  std::uint32_t lane;  ///< 0, or from 1 on for spans that cross others: those of a lane do not overlap
};

/// An arrow from a warp that let another, or itself, go on to the wait that ended.
struct TimelineEdge {
  static constexpr std::uint64_t kNotShown = ~std::uint64_t{0};

  std::uint64_t fromWarp, toWarp; ///< which of the warps that warp() took, from 0 on
  std::uint64_t from, to;         ///< ns: when it arrived or issued, when the wait ended
  std::uint32_t wait, by;         ///< regions: what waited, and the arrival or issue that it waited for

  /// Where an arrow ends that is to point to the wait, and not to what follows.
  std::uint64_t tip() const { return to - (to > from); }
};

/// A ring of slots of a block of which every warp that fills or drains it is shown.
struct TimelineRing {
  std::vector<std::uint64_t> fillers, drainers; ///< which of the warps that warp() took, from 0 on
  std::uint32_t slots;
  std::vector<RingFill> fills; ///< in ns
  bool areSidesKnown;          ///< as in WarpRing
};

/// Writes what a timeline shows. Calls come in this order: start, hostRange…, launch…, (warp, span…, mark…, endWarp; edge, ring)…, active…,
/// activeRegion…, end. What start was given lives until then.
class TimelineSink {
public:
  virtual ~TimelineSink() = default;
  virtual void start(const TimelineContext &) = 0;
  /// Those around others first. Its times are on the axis, which all others' are not (TimelineContext::shiftAt).
  virtual void hostRange(const TimelineHostRange &) {}
  virtual void launch(const TimelineLaunch &) {}
  /// Whether the warp's spans and marks are wanted; else the next call is for another warp.
  virtual bool warp(const TimelineWarp &) = 0;
  /// By begin, then longer first.
  virtual void span(const TimelineSpan &) = 0;
  virtual void mark(const Mark &, std::uint64_t /*at*/) {}
  virtual void endWarp() {}
  /// Whether edge() is of use.
  virtual bool showsEdges() const { return false; }
  virtual void edge(const TimelineEdge &) {}
  /// Where edge() is of use.
  virtual void ring(TimelineRing) {}
  /// Warps that were active on a device from `at` to the next call, on average.
  virtual void active(std::uint32_t /*device*/, std::uint64_t /*at*/, double /*warps*/) {}
  /// The same of warps in a region: an index in the RegionSet, or RegionSet::kNone for those beyond the first 64.
  virtual void activeRegion(std::uint32_t /*device*/, std::uint32_t /*region*/, std::uint64_t /*at*/, double /*warps*/) {}
  virtual void end() {}
};

/// Two passes over the trace, bounded memory.
Expected<TimelineSummary> runTimeline(const TimelinePart &part, const TimelineOptions &options, TimelineSink &sink);

/// Trace Event Format: a process for each SM, a thread for each warp, complete events in ns (as µs with a fraction),
/// marks as instants, launches, active warps and the host's processes on top; a range that crosses another is put on a thread of its own.
/// Valid JSON to the last byte even when the second pass fails.
Expected<TimelineSummary> writeChromeTimeline(std::span<const TimelinePart> parts, const TimelineOptions &options, Output &out);

/// Perfetto's native format (perfetto.proto beside this): a track for each device, SM, block and warp, one in the
/// other.
Expected<TimelineSummary> writePerfettoTimeline(std::span<const TimelinePart> parts, const TimelineOptions &options, Output &out);

/// "0-3,7" as ranges.
Expected<TimelineOptions::Ranges> parseRanges(const std::string &text);
/// "A:B" in µs as ns; either side may be missing.
Expected<std::pair<double, double>> parseWindow(const std::string &text);

} // namespace kperf::decoder

#endif
