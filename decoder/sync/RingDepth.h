// How many slots the rings of a block need so that nobody waits for want of one.
#ifndef KPERF_DECODER_RING_DEPTH_H
#define KPERF_DECODER_RING_DEPTH_H

#include "decoder/sync/Replay.h"
#include "decoder/sync/WarpRings.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

struct RingDepths {
  /// Of each ring, no fewer than it has: with fewer the block takes a hundredth longer than with a slot for each turn.
  std::vector<std::uint32_t> slots;
  std::uint64_t cycles; ///< that the block would take with those
};

/// By replay of the block, in which all else stays. `rings`: all of it; `replay`: built of it.
RingDepths depthsOf(std::span<const WarpRing> rings, const Replay &replay);

} // namespace kperf::decoder

#endif
