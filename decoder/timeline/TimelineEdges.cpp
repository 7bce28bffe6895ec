// Arrows of a timeline: from who let a wait go on to the wait.
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

void TimelineEdges::look(const SyncBlock &block) {
  graph.build(block);
  const auto first = warps.lower_bound({block.device, block.gridId, block.block, 0});
  const auto last = warps.upper_bound({block.device, block.gridId, block.block, ~0u});
  const auto shownOf = [&](std::uint32_t warp) { return warps.find({block.device, block.gridId, block.block, block.warps[warp].index}); };
  for (const SyncGraph::Wait &wait : graph.waits()) {
    unknownWaits += wait.verdict == SyncGraph::Verdict::NotKnown || wait.verdict == SyncGraph::Verdict::OtherBlocks;
    if (wait.verdict != SyncGraph::Verdict::Released || wait.isInner)
      continue;
    const SyncGraph::Event &by = graph.events()[wait.by];
    const auto from = shownOf(by.warp), to = shownOf(wait.warp);
    if (from == warps.end() || to == warps.end())
      continue;
    const std::uint64_t at = from->second.clock(by.at);
    take({from->second.number, to->second.number, at, std::max(at, to->second.clock(wait.end)), wait.region, by.region});
  }
  warps.erase(first, last);
}

} // namespace kperf::decoder
