// Converts the streams of functions (kperf/cuda/record/FunctionStream.h) to ordinary records.
#ifndef KPERF_RUNTIME_STREAM_RECORDS_H
#define KPERF_RUNTIME_STREAM_RECORDS_H

#include "runtime/file/FrameTable.h"

#include <kperf/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kperf::runtime {

/// A piece of a stream that is kept.
struct StreamPiece {
  std::size_t end;              ///< how many of the stream's records there are up to it
  std::uint32_t lanes;          ///< how many came to it
  bool isToldElsewhere = false; ///< another stream of the warp has what they came to
};

/// What a stream holds.
struct StreamRecords {
  std::vector<format::Record> records; ///< those that were kept, oldest first, in the order of their ends
  std::vector<StreamPiece> pieces;     ///< that hold them, likewise
  std::uint64_t produced = 0;          ///< records that were kept, and those that found no room
  std::uint64_t startCycles = 0;       ///< no later than any of its clocks
  std::optional<std::int64_t> came; ///< how often lanes came to a piece; not known where some were dropped. Of lanes that left a function
                                    ///< beside those of another call of it, what one stream has too many another has too few
  bool saysLanes = true;            ///< each piece does
  bool isRow = false;               ///< kperf/cuda/record/EventRow.h's, of which lanes without the first one count themselves
  std::uint64_t otherLanes = 0;     ///< these
  std::uint64_t unknown = 0;        ///< frames of regions that no module has
};

/// `part`: a header with KPERF_STREAM_PART, as the device wrote it; `pieces`: all of its memory, in pieces of sixteen bytes. Of a
/// function that still runs, what is not zero.
StreamRecords recordsOf(const format::WarpHeader &part, std::span<const format::Record> pieces, const FrameTable &frames, bool keepLast,
                        std::span<const std::uint32_t> switchedOff = {});

} // namespace kperf::runtime

#endif
