// A host's wall clock as the time axis of a trace: where the times of its devices stand on it, and what its threads did there.
#ifndef KPERF_DECODER_HOST_AXIS_H
#define KPERF_DECODER_HOST_AXIS_H

#include "decoder/io/Error.h"
#include "decoder/timeline/HostClocks.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// A range or a mark of the host's; ns from the axis' origin on.
struct TimelineHostRange {
  std::uint32_t process, thread;
  format::HostRangeKind kind;
  std::string_view name, domain;
  std::int64_t begin, end;
  std::uint32_t color;
  std::uint32_t lane; ///< those of a thread, a lane and a kind lie in one another, or apart
  bool isOpen;        ///< it had not ended; `end` is the last that is known of the host

  std::uint64_t length() const { return static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin); }
};

/// Leaves as many, the longest, in their order; returns how many are gone.
std::uint64_t keepLongest(std::vector<TimelineHostRange> &ranges, std::size_t count);

/// Of one trace. Offsets are wrong by no more than errorNs() where the clocks ran evenly between two comparisons of them.
class HostAxis {
public:
  /// Reads the trace's Clocks, HostRanges and Losses.
  static Expected<HostAxis> read(const Trace &trace);

  /// Which boots of which hosts its clocks are of.
  const std::set<Boot> &boots() const { return allBoots; }
  /// Whether each device of the trace can be placed, by the clock of one host.
  bool isKnown() const { return isComplete && allBoots.size() == 1; }
  bool hasRanges() const { return !rows.empty(); }
  /// The times of the axis are those of another host, whose clock `line` has by this one's; it outlives the axis.
  void follow(const ClockLine &line) { leader = &line; }
  /// The earliest time of the axis that is known of, before the first launch; ns since 1970.
  std::uint64_t beginNs() const { return onAxis(earliest); }
  /// Of this host's own clock, from and to.
  std::pair<std::uint64_t, std::uint64_t> ownNs() const { return {earliest, latest}; }
  void setOrigin(std::uint64_t axisNs) { origin = axisNs; }

  /// What is to be added to a time of that device's clock for one on the axis.
  std::int64_t shiftAt(std::uint32_t device, std::uint64_t deviceNs) const;
  /// The most that a time of any device may be off.
  double errorNs() const { return maxErrorNs + (leader ? leader->errorNs() : 0); }
  /// The longest time between two readings of a device's clock; 0 where each was read once.
  std::uint64_t gapNs() const { return maxGapNs; }

  /// In an order in which those around others come first; `trace` is the one that was read.
  std::vector<TimelineHostRange> ranges(const Trace &trace) const;
  /// What is not among them, for messages.
  std::vector<std::string> notes() const;

private:
  class Reader;
  void finish(const Trace &trace);
  /// Of this host's clock, by that of the axis.
  std::uint64_t onAxis(std::uint64_t hostNs) const { return hostNs + static_cast<std::uint64_t>(leader ? leader->offsetAt(hostNs) : 0); }

  std::map<std::uint32_t, ClockLine> byDevice; ///< by index in the trace's table
  const ClockLine *leader = nullptr;           ///< follow()'s
  std::vector<format::HostRangeRecord> rows;
  std::set<Boot> allBoots;
  std::uint64_t earliest = ~std::uint64_t{0}, latest = 0, origin = 0;
  std::uint64_t leftOut = 0, unlisted = 0; ///< ranges: here, and by the runtime
  double maxErrorNs = 0;
  std::uint64_t maxGapNs = 0;
  bool isComplete = false;
};

} // namespace kperf::decoder

#endif
