// Regions that run with few lanes of their warps.
//
// Model: with all lanes active the same work takes the share of the time that lanes were active in. At best the rest is saved, where the
// region is on the critical path; whether lanes can be filled is not in the trace: the least is nothing, likely half.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {

void findDivergence(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const std::uint64_t threads = std::uint64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2];
  const double lanes =
      std::min<double>(kernel.warpLanes > 32 ? 32 : kernel.warpLanes, static_cast<double>(std::max<std::uint64_t>(threads, 1)));
  for (const RegionFacts &region : kernel.regions) {
    if (region.kind == format::RegionKind::Wait || region.lanes <= 0 || region.lanes > 0.75 * lanes)
      continue;
    const double idle = 1 - region.lanes / lanes;
    double most = region.share * idle;
    if (const auto path = kernel.gainOf(PathStep::Kind::Region, region.region))
      most = std::min(most, *path * idle);
    if (most < kLeastEvidence)
      continue;
    Explained found{.rule = "divergence",
                    .what =
                        fmt::format("{:.1f} of {:.0f} lanes are active in {}", region.lanes, lanes, regionText(program, region.region))};
    found.place = region.place;
    found.evidence = fmt::format("{} entries, {:.1f} % of the {}-time, with {:.1f} lanes on average", region.count, region.share,
                                 program.warp(), region.lanes);
    found.command = "report";
    found.why = fmt::format("a {} runs each side of a branch, and a loop until its last lane is done", program.warp());
    found.remedy = "give neighbouring lanes equal work: sort by length, or let the whole warp share each lane's loop";
    found.confirm = "count and share of the region in kperf report";
    found.noise = region.probeShare;
    found.gain = {0, most / 2, std::min(100.0, most + 2)};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
