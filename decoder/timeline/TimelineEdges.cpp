// Draws a timeline's arrows, from what released a wait to the wait, and finds rings of slots between its warps.
#include "decoder/timeline/TimelineEdges.h"

#include <algorithm>

namespace kperf::decoder {

void TimelineEdges::add(const WarpSpans &warp, std::uint32_t device, std::uint32_t lanes, std::uint64_t shown, const WarpClock &clock) {
  if (!blocks.areNeeded())
    return;
  const format::WarpHeader &header = warp.header;
  if (shown != TimelineEdge::kNotShown)
    warps.insert_or_assign({device, header.gridId, header.block, header.warp}, Shown{shown, clock});
  const std::uint64_t threads = std::uint64_t{header.blockX} * header.blockY * header.blockZ;
  const std::uint64_t perWarp = std::max(lanes, 1u);
  blocks.add(device, 0, (threads + perWarp - 1) / perWarp, warp);
}

const TimelineEdges::Shown *TimelineEdges::shownOf(const SyncBlock &block, std::uint32_t warp) const {
  const auto found = warps.find({block.device, block.gridId, block.block, block.warps[warp].index});
  return found == warps.end() ? nullptr : &found->second;
}

void TimelineEdges::look(const SyncBlock &block) {
  graph.build(block);
  for (const SyncGraph::Wait &wait : graph.waits()) {
    unknownWaits += wait.verdict == SyncGraph::Verdict::NotKnown || wait.verdict == SyncGraph::Verdict::OtherBlocks;
    if (wait.verdict != SyncGraph::Verdict::Released || wait.isInner)
      continue;
    const SyncGraph::Event &by = graph.events()[wait.by];
    const Shown *from = shownOf(block, by.warp), *to = shownOf(block, wait.warp);
    if (!from || !to)
      continue;
    const std::uint64_t at = from->clock(by.at);
    take({from->number, to->number, at, std::max(at, to->clock(wait.end)), wait.region, by.region});
  }
  lookForRings(block);
  warps.erase(warps.lower_bound({block.device, block.gridId, block.block, 0}),
              warps.upper_bound({block.device, block.gridId, block.block, ~0u}));
}

void TimelineEdges::lookForRings(const SyncBlock &block) {
  for (WarpRing &ring : findRings(block, regions, graph)) {
    TimelineRing out{
        .fillers = {}, .drainers = {}, .slots = ring.slots, .fills = std::move(ring.fills), .areSidesKnown = ring.areSidesKnown};
    const WarpClock *clock = nullptr; // of all of them, for a block is on one SM
    bool areShown = true;
    for (const auto &[from, to] : {std::pair(&ring.fillers, &out.fillers), std::pair(&ring.drainers, &out.drainers)})
      for (const std::uint32_t warp : *from) {
        const Shown *shown = shownOf(block, warp);
        areShown &= shown != nullptr;
        if (!shown)
          continue;
        to->push_back(shown->number);
        clock = &shown->clock;
      }
    if (!areShown)
      continue;
    for (RingFill &fill : out.fills)
      for (std::uint64_t *at : {&fill.acquired, &fill.filled, &fill.taken, &fill.released})
        *at = *at == RingFill::kNever ? *at : (*clock)(*at);
    takeRing(std::move(out));
  }
}

} // namespace kperf::decoder
