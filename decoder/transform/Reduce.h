// Reduces traces to one small trace that holds the sums of their warps.
#ifndef KPERF_DECODER_REDUCE_H
#define KPERF_DECODER_REDUCE_H

#include "decoder/trace/Trace.h"

#include <span>
#include <vector>

namespace kperf::decoder {

struct Reduced {
  std::vector<std::byte> bytes; ///< the file
  std::uint64_t kernels = 0;
};

/// Sums up every kernel of `traces`, which are of one build and may be reduced themselves: counts, times, length
/// buckets, clock, coverage, losses, memory counters and what probes cost. A view that needs no single warp says of
/// the result what it says of the traces. As in a report of several traces, devices are the same where ordinal and name
/// are. One pass over each; memory is bounded by the number of kernels and regions. `timed`: traces of other builds of the program, of
/// which the times of launches are kept, and nothing else.
Expected<Reduced> reduceTraces(std::span<const Trace> traces, std::span<const Trace> timed = {});

} // namespace kperf::decoder

#endif
