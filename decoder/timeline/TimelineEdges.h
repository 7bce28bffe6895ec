// Draws a timeline's arrows, from what released a wait to the wait, and finds rings of slots between its warps.
#ifndef KPERF_DECODER_TIMELINE_EDGES_H
#define KPERF_DECODER_TIMELINE_EDGES_H

#include "decoder/span/WarpClock.h"
#include "decoder/sync/SyncGraph.h"
#include "decoder/timeline/Timeline.h"

#include <functional>
#include <map>
#include <tuple>

namespace kperf::decoder {

class TimelineEdges {
public:
  using Take = std::function<void(const TimelineEdge &)>;
  using TakeRing = std::function<void(TimelineRing)>;

  TimelineEdges(const RegionSet &regions, Take take, TakeRing takeRing)
      : regions(regions), blocks(regions, [this](const SyncBlock &block) { look(block); }), graph(regions), take(std::move(take)),
        takeRing(std::move(takeRing)) {}

  /// Adds a warp of a block, shown or not. `shown`: how many warps were shown before it; TimelineEdge::kNotShown
  /// without a track.
  void add(const WarpSpans &warp, std::uint32_t device, std::uint32_t lanes, std::uint64_t shown, const WarpClock &clock);
  void finish() { blocks.finish(); }

  /// Waits that have no arrow because it is not known who let them go on, or only that it was in another block.
  std::uint64_t unknown() const { return unknownWaits; }

private:
  struct Shown {
    std::uint64_t number;
    WarpClock clock;
  };
  void look(const SyncBlock &block);
  void lookForRings(const SyncBlock &block);
  const Shown *shownOf(const SyncBlock &block, std::uint32_t warp) const; ///< null: without a track

  const RegionSet &regions;
  SyncBlocks blocks;
  SyncGraph graph;
  Take take;
  TakeRing takeRing;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t>, Shown> warps; ///< by device, grid, block, index
  std::uint64_t unknownWaits = 0;
};

} // namespace kperf::decoder

#endif
