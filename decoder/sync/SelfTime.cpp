// Finds the innermost region of a warp at each moment.
#include "decoder/sync/SelfTime.h"

namespace kperf::decoder {

void SelfTime::build(const SyncBlock &block, const RegionSet &regions) {
  stretches.resize(std::max(stretches.size(), block.warps.size()));
  for (std::size_t i = 0; i < block.warps.size(); ++i) {
    const SyncWarp &warp = block.warps[i];
    std::vector<Stretch> &out = stretches[i];
    out.clear();
    around.clear();
    std::uint64_t now = warp.begin;
    const auto emit = [&](std::uint64_t end, std::uint32_t region) {
      if (end <= now)
        return;
      if (!out.empty() && out.back().region == region)
        out.back().end = end;
      else
        out.push_back({now, end, region});
      now = end;
    };
    const auto goTo = [&](std::uint64_t time) {
      for (; !around.empty() && now < time;) {
        emit(std::min(around.back().end, time), around.back().region);
        if (around.back().end <= time)
          around.pop_back();
      }
      emit(time, RegionSet::kNone);
    };
    for (const Span &span : warp.spans) {
      goTo(span.begin);
      const bool isInWait =
          !around.empty() && span.end <= around.back().end && regions.kinds()[around.back().region] == format::RegionKind::Wait;
      around.push_back({span.end, isInWait ? around.back().region : span.region});
    }
    goTo(warp.end);
  }
}

} // namespace kperf::decoder
