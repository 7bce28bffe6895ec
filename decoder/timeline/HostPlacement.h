// Puts traces onto the clock of the host that they ran on.
#ifndef KPERF_DECODER_HOST_PLACEMENT_H
#define KPERF_DECODER_HOST_PLACEMENT_H

#include "decoder/timeline/Timeline.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

struct HostPlacement {
  std::vector<std::unique_ptr<HostAxis>> axes; ///< of those of the parts that have one; they refer to the clocks that they were placed by
  std::vector<TimelinePart> parts;
  std::vector<std::string> notes; ///< how exact it is, and what is left out
};

/// A single trace has the host's axis where that is needed: for NVTX ranges, and for several devices. Several must have it: it fails where
/// one does not say how its devices' clocks stand to the host's, or where they are of different hosts, or of different boots of one, whose
/// clocks `clocks` (null: none) does not have by one of them.
Expected<HostPlacement> placeByHost(std::span<const Trace> traces, const HostClocks *clocks = nullptr);

/// Calls `run(part, options)` for each part, which has its share of the events, and adds up what they say; an error ends it.
Expected<TimelineSummary> runTimelines(std::span<const TimelinePart> parts, const TimelineOptions &options,
                                       const std::function<Expected<TimelineSummary>(const TimelinePart &, const TimelineOptions &)> &run);

} // namespace kperf::decoder

#endif
