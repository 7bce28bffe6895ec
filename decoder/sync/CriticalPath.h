// Finds the critical path of a block: from its end back to its begin, at each wait along the warp that was waited for.
#ifndef KPERF_DECODER_CRITICAL_PATH_H
#define KPERF_DECODER_CRITICAL_PATH_H

#include "decoder/sync/SelfTime.h"
#include "decoder/sync/SyncGraph.h"

#include <compare>
#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// What a stretch of the path is: all stretches of one kind, region and reason are a row of the table.
struct PathStep {
  enum class Kind : std::uint8_t {
    Region,      ///< the warp's own time in its innermost region
    Wait,        ///< from the release of a wait to its end, or a wait that did not wait
    Flight,      ///< asynchronous work, from issue to completion; the region is that of its issue
    OtherBlocks, ///< of a wait for a cluster or grid: after the last of this block had come
    NoRegion,    ///< the warp's own time outside of all regions
    Start,       ///< before the warp that the path ends in began
    NotKnown,    ///< all before the place where the path breaks
  };
  Kind kind;
  std::uint32_t region = RegionSet::kNone; ///< of NotKnown: the wait, or none
  UnknownReason why = UnknownReason::None; ///< of NotKnown

  auto operator<=>(const PathStep &) const = default;
};

struct PathSegment {
  PathStep step;
  std::uint64_t begin, end;
  std::uint32_t warp;                    ///< index in the block's warps
  std::uint32_t from = SyncGraph::kNone; ///< index of the wait, where the path comes from another warp or from asynchronous work

  std::uint64_t cycles() const { return end - begin; }
};

class CriticalPath {
public:
  explicit CriticalPath(const RegionSet &regions) : regions(regions) {}

  /// Walks back from the end of the last warp: in a warp to the latest wait that waited, then on where that was
  /// released. The segments, in order of time, follow each other from the block's begin to its end.
  void build(const SyncBlock &block, const SyncGraph &graph, const SelfTime &own);

  std::span<const PathSegment> segments() const { return path; }

private:
  void walk();
  const SyncGraph::Wait *waitBefore(std::uint32_t warp, std::uint64_t time) const;
  void add(PathStep step, std::uint64_t begin, std::uint64_t end, std::uint32_t from = SyncGraph::kNone);
  void addOwn(std::uint64_t begin, std::uint64_t end);
  bool addWait(const SyncGraph::Wait &wait);

  const RegionSet &regions;
  const SyncBlock *block = nullptr;
  const SyncGraph *graph = nullptr;
  const SelfTime *own = nullptr;
  std::vector<PathSegment> path; ///< the last one first while it is made
  std::vector<PathSegment> pieces;
  std::vector<std::vector<std::uint32_t>> stops; ///< by warp: waits that the path may turn at
  std::vector<bool> isVisited;                   ///< by wait
  std::uint32_t warp = 0;                        ///< where the walk is
  std::uint64_t time = 0;
};

} // namespace kperf::decoder

#endif
