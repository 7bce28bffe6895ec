// Several calls of a function in one warp, whose lanes came together inside it: what they came to from then on, the lane that writes of
// each call recorded for all of them.
#ifndef KPERF_RUNTIME_RECONVERGED_CALLS_H
#define KPERF_RUNTIME_RECONVERGED_CALLS_H

#include "runtime/device/StreamRecords.h"

namespace kperf::runtime {

/// Of what the same lanes left together, by the same clock, one record is kept: of the call that began it first. A mark has the payload of
/// a lane that wrote one, as always. `streams`: all of a warp.
void mergeReconverged(std::span<StreamRecords> streams);

/// Of streams that are merged, all of a warp: how often, at least, a lane came to a record without the lane that writes, and left none.
/// As often as that, where nothing was dropped.
std::uint64_t otherLanesOf(std::span<const StreamRecords> streams);

} // namespace kperf::runtime

#endif
