// Rings of slots through which warps of one role hand data to those of another: who fills each slot, who drains it, and when.
#ifndef KPERF_DECODER_WARP_RINGS_H
#define KPERF_DECODER_WARP_RINGS_H

#include "decoder/sync/SyncGraph.h"

#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// One turn of a slot, in the block's cycles; kNever for what did not come, or was not recorded any more.
struct RingFill {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  std::uint32_t slot = 0;
  std::uint64_t acquired = kNever; ///< a filler went on from its wait for the slot; without such a wait as `filled`
  std::uint64_t filled = kNever;   ///< the last filler arrived, or its asynchronous copy was complete
  std::uint64_t taken = kNever;    ///< the first drainer went on from its wait
  std::uint64_t released = kNever; ///< the last drainer gave the slot back
};

struct WarpRing {
  std::vector<std::uint32_t> fillers, drainers; ///< indices in the block's warps, ascending
  std::uint32_t slots = 0;
  std::vector<RingFill> fills;       ///< by slot, then time
  std::vector<std::uint32_t> takes;  ///< regions of the drainers' waits, ascending
  std::vector<std::uint32_t> issues; ///< regions of the copies that fill slots, ascending
  /// Of each warp that waits for free slots those waits: indices in SyncGraph::waits(), by time. None unless it is sure that they are for
  /// free ones: nobody had to release a slot for its first turn.
  std::vector<std::vector<std::uint32_t>> asks;
  bool areSidesKnown = false; ///< by copies or a pipeline's names; else who signals first is taken for who fills
};

/// Whether warps hand data to each other by such an object.
bool isHandover(format::SyncObject kind);

/// The rings of a block, in the order of their first fills. A slot is a pair of barriers in shared memory of which one is signalled by the
/// warps that wait for the other one; of the two the one that asynchronous copies complete, or else that is signalled first, says that
/// the slot is full. Pairs are made in the order in which the slots are used first. The stages of a pipeline of several warps are slots
/// too. None of a block whose beginning was not recorded. `graph`: built of `block`.
std::vector<WarpRing> findRings(const SyncBlock &block, const RegionSet &regions, const SyncGraph &graph);

} // namespace kperf::decoder

#endif
