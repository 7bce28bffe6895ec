// Where the launches of a trace stand in another tool's timeline of the same run.
#ifndef KPERF_DECODER_TIMELINE_PLACEMENT_H
#define KPERF_DECODER_TIMELINE_PLACEMENT_H

#include "decoder/io/Error.h"
#include "decoder/timeline/OtherTimeline.h"
#include "decoder/timeline/Timeline.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

struct TimelinePlacement {
  std::map<std::uint32_t, std::int64_t> devices;                            ///< ns to be added, by index in the trace's table
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> launches; ///< the same, by device and grid id
  std::vector<std::string> notes;                                           ///< how well it is known

  std::int64_t shiftOf(std::uint32_t device) const;
  std::int64_t shiftOf(std::uint32_t device, std::uint64_t gridId) const;
};

/// Fails where `other`, a file of that name, has none of the kernels of the trace, or less than half of the launches fit any shift.
Expected<TimelinePlacement> placeAmong(const Trace &trace, const OtherTimeline &other, const std::string &name);

/// The other tool's events as they stand, and behind them those of writeChromeTimeline at their times.
Expected<TimelineSummary> writeChromeTimeline(const Trace &trace, const TimelineOptions &options, const OtherTimeline &other,
                                              const TimelinePlacement &placement, Output &out);

} // namespace kperf::decoder

#endif
