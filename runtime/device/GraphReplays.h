// Tells the replays of a graph apart, since a kernel in a graph has the same gridId in every replay.
#ifndef KPERF_RUNTIME_GRAPH_REPLAYS_H
#define KPERF_RUNTIME_GRAPH_REPLAYS_H

#include <kperf/format.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace kperf::runtime {

/// A warp of a launch runs once. Replays of one graph follow each other, so where a warp comes for the second time, in the order of
/// their starts, the next replay has begun.
class GraphReplays {
public:
  /// Looks at a warp that was recorded since the last forget().
  void note(const format::WarpHeader &warp);
  /// Finds where replays begin, behind the last note().
  void divide();
  /// The warp's gridId, with the number of its replay, from 0 on, in the bits above format::kReplayShift.
  std::uint64_t idOf(const format::WarpHeader &warp) const;
  /// Goes on: later replays have later numbers.
  void forget();

private:
  struct Warp {
    std::uint64_t startNs, block;
    std::uint32_t warp;
  };
  struct Launch {
    std::uint64_t before = 0;          ///< replays that were seen before
    std::vector<Warp> warps;           ///< until they are divided
    std::vector<std::uint64_t> begins; ///< starts of all replays but the first
  };

  std::unordered_map<std::uint64_t, Launch> launches; ///< by gridId
};

} // namespace kperf::runtime

#endif
