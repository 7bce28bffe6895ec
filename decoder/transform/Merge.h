// Merges several traces of one build, from ranks, GPUs or runs, into one.
#ifndef KPERF_DECODER_MERGE_H
#define KPERF_DECODER_MERGE_H

#include "decoder/io/Output.h"
#include "decoder/trace/Trace.h"

#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

struct MergeSummary {
  std::uint64_t warps = 0; ///< of the program
  std::uint64_t devices = 0;
  std::vector<std::string> leftOut; ///< kinds of sections that were not taken over
};

/// Writes one trace with everything of `traces`, which are of one build. A device is the same as another when host,
/// name and uuid are, and the ordinal where there is no uuid; its launches keep their order, trace by trace. The
/// program is the first one's. Memory is bounded; strings stand at the end of the file.
Expected<MergeSummary> mergeTraces(std::span<const Trace> traces, Output &out);

} // namespace kperf::decoder

#endif
