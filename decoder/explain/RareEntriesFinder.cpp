// A region few of whose entries take much longer than the others: p99 against p50.
//
// Model: entries of twice the median or more would take the median. What they took beyond it, as a share of the kernel's warp-time, is
// saved at best; what uneven warps explain is theirs (SlowWarpFinder). Why entries are long is not in the trace: at least nothing,
// likely half.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {

void findRareEntries(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  for (const RegionFacts &region : kernel.regions) {
    if (region.kind == format::RegionKind::Wait || region.p50 <= 0 || region.count < 100 || region.p99 < 2 * region.p50)
      continue;
    double ofWarps = 0;
    if (const auto row = kernel.balance.rows.find(region.region); row != kernel.balance.rows.end() && kernel.balance.life > 0)
      ofWarps = 100 * row->second.excess / kernel.balance.life;
    double most = region.beyondMedian - ofWarps;
    if (const auto path = kernel.gainOf(PathStep::Kind::Region, region.region))
      most = std::min(most, *path);
    if (most < kMinEvidence)
      continue;
    Explained found{.rule = "rare-slow-entries",
                    .what = fmt::format("few entries of {} take far longer than the others", regionText(program, region.region))};
    found.place = region.place;
    found.evidence = fmt::format("p50 {}, p99 {}, of {} entries; beyond the median they take {:.1f} % of the {}-time",
                                 cyclesText(region.p50), cyclesText(region.p99), region.count, region.beyondMedian, program.warp());
    found.command = "distribution";
    found.why = "something happens in some entries only: a miss, a retry, a longer path through the code";
    found.remedy = "mark the rare path as a region of its own (KPERF_SCOPE), then move it out of the loop or shorten it";
    found.confirm = "p99 of the region in kperf report comes down to p50";
    found.noise = region.probeShare;
    found.gain = {0, most / 2, most};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
