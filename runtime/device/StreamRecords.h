// Converts the streams of functions (kperf/cuda/record/FunctionStream.h) to ordinary records.
#ifndef KPERF_RUNTIME_STREAM_RECORDS_H
#define KPERF_RUNTIME_STREAM_RECORDS_H

#include "runtime/file/FrameTable.h"

#include <kperf/format.h>

#include <cstdint>
#include <span>
#include <vector>

namespace kperf::runtime {

/// What a stream holds.
struct StreamRecords {
  std::vector<format::Record> records; ///< those that were kept, oldest first, in the order of their ends
  std::uint64_t produced = 0;          ///< those, and those that found no room
  std::uint64_t otherLanes = 0;        ///< at least so many came to a record without the lane that writes, and left none
  std::uint64_t unknown = 0;           ///< frames of regions that no module has
};

/// `part`: a header with KPERF_STREAM_PART, as the device wrote it; `pieces`: all of its memory, in pieces of sixteen bytes. Of a
/// function that still runs, what is not zero.
StreamRecords recordsOf(const format::WarpHeader &part, std::span<const format::Record> pieces, const FrameTable &frames, bool keepLast,
                        std::span<const std::uint32_t> switchedOff = {});

} // namespace kperf::runtime

#endif
