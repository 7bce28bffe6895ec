// Regions that run with few lanes of their warps.
//
// Model: with all lanes active the same work takes the share of the time that lanes were active in. At best the rest is saved, where the
// region is on the critical path; one way to share the work may fill the lanes of all such regions, as of both sides of a branch. Whether
// lanes can be filled is not in the trace: the minimum is 0, likely half. Where probes of such lanes took much of the kernel's time,
// the region's share of it may have been all: then all idle lanes' time is the most.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

struct Divergent {
  const RegionFacts *region = nullptr;
  double idle = 0; ///< of its lanes, 0 to 1
  double max = 0;  ///< percent of the kernel's duration that all lanes would save
};

/// Regions of few lanes, the one of which all lanes would save most first.
std::vector<Divergent> divergentRegions(const KernelFacts &kernel, double lanes) {
  std::vector<Divergent> out;
  for (const RegionFacts &region : kernel.regions) {
    if (region.kind == format::RegionKind::Wait || region.lanes <= 0 || region.lanes > 0.75 * lanes)
      continue;
    const double idle = 1 - region.lanes / lanes;
    const double path = kernel.gainOf(PathStep::Kind::Region, region.region).value_or(region.share);
    if (const double most = std::min(region.share, path) * idle; most >= kMinEvidence)
      out.push_back({&region, idle, most});
  }
  std::ranges::stable_sort(out, std::greater<>(), &Divergent::max);
  return out;
}

} // namespace

void findDivergence(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const std::uint64_t threads = std::uint64_t{kernel.launches.block[0]} * kernel.launches.block[1] * kernel.launches.block[2];
  const double lanes = std::min<double>(kernel.device.warpLanes > 32 ? 32 : kernel.device.warpLanes,
                                        static_cast<double>(std::max<std::uint64_t>(threads, 1)));
  const std::vector<Divergent> all = divergentRegions(kernel, lanes);
  if (all.empty())
    return;
  const RegionFacts &region = *all.front().region;
  double most = 0, idle = 0;
  Explained found{.rule = "divergence", .place = region.place};
  for (const Divergent &each : all) {
    most += each.max;
    idle = std::max(idle, each.idle);
    found.noise = found.noise && each.region->probeShare ? std::optional(*found.noise + *each.region->probeShare) : std::nullopt;
  }
  found.what = fmt::format("{:.1f} of {:.0f} lanes are active in {}", region.lanes, lanes, regionText(program, region.region));
  if (all.size() > 1)
    found.what += fmt::format(", and few in {} more", all.size() - 1);
  found.evidence = fmt::format("{} entries, {:.1f} % of the {}-time, with {:.1f} lanes on average", region.count, region.share,
                               program.warp(), region.lanes);
  found.command = "report";
  found.why = fmt::format("a {} runs each side of a branch, and a loop until its last lane is done", program.warp());
  found.remedy = "give neighbouring lanes equal work: sort by length, or let the whole warp share each lane's loop";
  found.confirm = "count and share of the region in kperf report";
  if (kernel.recording.hasCostlyAtomics)
    found.evidence += "; probes took much of the rest, nobody knows how much: without them it may be all of the time";
  found.gain = {0, most / 2, std::min(100.0, kernel.recording.hasCostlyAtomics ? 100 * idle : most)};
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
