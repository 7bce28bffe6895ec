// By how many rows of an array neighbouring lanes differ, as far as the text of the access tells.
#ifndef KPERF_DECODER_LANE_ROWS_H
#define KPERF_DECODER_LANE_ROWS_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace kperf::decoder {

/// A row is what the last index of several counts in, or, of an array of one dimension, what the lane is multiplied by.
struct LaneRows {
  std::uint64_t count;
  bool isCertain; ///< else it is an assumption, as of "tile[row][k]"
  bool operator==(const LaneRows &) const = default;
};

/// Of an access whose lanes have one distance. Nothing: by no number of rows that is the same for all lanes, or that the text has, as of
/// "tile[threadIdx.x / 2][k]" and "tile[n * threadIdx.x][k]".
std::optional<LaneRows> laneRows(std::string_view expression);

} // namespace kperf::decoder

#endif
