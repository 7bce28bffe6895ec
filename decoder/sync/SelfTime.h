// Splits a warp's time into stretches, each with its innermost region.
#ifndef KPERF_DECODER_SELF_TIME_H
#define KPERF_DECODER_SELF_TIME_H

#include "decoder/span/RegionSet.h"
#include "decoder/sync/SyncBlocks.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

class SelfTime {
public:
  struct Stretch {
    std::uint64_t begin, end;
    std::uint32_t region; ///< RegionSet::kNone outside of all regions
  };

  /// Of several regions that a warp is in the innermost is the one that began last; inside a wait it is that wait, or one inside it.
  /// Stretches follow each other from the warp's begin to its end.
  void build(const SyncBlock &block, const RegionSet &regions);

  std::span<const Stretch> of(std::size_t warp) const { return stretches[warp]; }

  /// Calls `take(begin, end, region)` for what lies between two times, in order.
  template <typename Take> void forBetween(std::size_t warp, std::uint64_t from, std::uint64_t to, Take take) const {
    const std::vector<Stretch> &all = stretches[warp];
    auto at = std::ranges::upper_bound(all, from, {}, &Stretch::end);
    for (; from < to && at != all.end() && at->begin < to; ++at)
      take(std::max(at->begin, from), std::min(at->end, to), at->region);
  }

private:
  std::vector<std::vector<Stretch>> stretches;
  struct Around { ///< a region that a warp is in
    std::uint64_t end;
    std::uint32_t region;
  };
  std::vector<Around> around;
};

} // namespace kperf::decoder

#endif
