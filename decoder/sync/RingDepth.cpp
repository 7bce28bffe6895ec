// How many slots the rings of a block need so that nobody waits for want of one.
#include "decoder/sync/RingDepth.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

std::size_t turnsOf(const WarpRing &ring) {
  std::size_t turns = 0;
  for (const std::vector<std::uint32_t> &waits : ring.asks)
    turns = std::max(turns, waits.size());
  return turns;
}

} // namespace

RingDepths depthsOf(std::span<const WarpRing> rings, const Replay &replay) {
  std::vector<Replay::Deeper> deeper;
  for (const WarpRing &ring : rings)
    deeper.push_back({ring.asks, turnsOf(ring)}); // a slot for each turn
  const std::uint64_t least = replay.lengthWith(deeper);
  // One ring after the other gets the fewest that are enough; more slots make nothing later, so those lie between too few and enough.
  for (Replay::Deeper &ring : deeper) {
    std::size_t enough = ring.more;
    for (std::size_t fewest = 0; fewest < enough;) {
      ring.more = fewest + (enough - fewest) / 2;
      if (100 * replay.lengthWith(deeper) <= 101 * least)
        enough = ring.more;
      else
        fewest = ring.more + 1;
    }
    ring.more = enough;
  }
  RingDepths out{{}, replay.lengthWith(deeper)};
  for (std::size_t i = 0; i < rings.size(); ++i)
    out.slots.push_back(rings[i].slots + static_cast<std::uint32_t>(deeper[i].more));
  return out;
}

} // namespace kperf::decoder
