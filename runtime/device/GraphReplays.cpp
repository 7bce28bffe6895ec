// Finds where warps of the same gridId appear again.
#include "runtime/device/GraphReplays.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kperf::runtime {

void GraphReplays::note(const format::WarpHeader &warp) {
  if (!(warp.flags & format::kWarpContinued))
    launches[warp.gridId].warps.push_back({warp.startNs, warp.block, warp.warp});
}

void GraphReplays::divide() {
  for (auto &[gridId, launch] : launches) {
    std::ranges::sort(launch.warps, {}, &Warp::startNs);
    std::set<std::pair<std::uint64_t, std::uint32_t>> seen;
    for (const Warp &warp : launch.warps)
      if (!seen.emplace(warp.block, warp.warp).second) {
        launch.begins.push_back(warp.startNs);
        seen = {{warp.block, warp.warp}};
      }
    launch.warps = {};
  }
}

std::uint64_t GraphReplays::idOf(const format::WarpHeader &warp) const {
  const auto found = launches.find(warp.gridId);
  if (found == launches.end())
    return warp.gridId;
  const Launch &launch = found->second;
  const auto replay = std::ranges::upper_bound(launch.begins, warp.startNs) - launch.begins.begin();
  return warp.gridId | (launch.before + static_cast<std::uint64_t>(replay)) << format::kReplayShift;
}

void GraphReplays::forget() {
  for (auto &[gridId, launch] : launches) {
    launch.before += launch.begins.size() + 1;
    launch.begins.clear();
  }
  constexpr std::size_t kMax = 1 << 20; // a launch that is no replay never comes back
  if (launches.size() > kMax)
    std::erase_if(launches, [](const auto &entry) { return entry.second.before < 2; });
}

} // namespace kperf::runtime
