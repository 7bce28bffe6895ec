// Barriers that cost by their number: the operation itself, with nobody late.
//
// Model: what the critical path gains if a barrier's own time were nothing is what leaving all of them out would save. At least one entry
// in each block is taken to be needed. How many of the others the program needs is not in the trace: the least is nothing, likely half.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {

void findBarriers(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  if (!kernel.sync || kernel.warps == 0)
    return;
  for (const auto &[region, sum] : kernel.sync->waits) {
    if ((*program.regions)[region].operation != format::SyncOperation::Barrier)
      continue;
    const double path = kernel.gainOf(PathStep::Kind::Wait, region).value_or(0);
    const double each = static_cast<double>(sum.count) / static_cast<double>(kernel.warps);
    if (each < 4 || path < kLeastEvidence)
      continue;
    const double most = path * (1 - 1 / each);
    Explained found{.rule = "barriers",
                    .what = fmt::format("{} is entered {:.0f} times by each {}", regionText(program, region), each, program.warp())};
    found.place = placeOf(program, region);
    found.evidence = fmt::format("{} entries, {} of them waited for another {}; their own time is {:.1f} % of the critical path", sum.count,
                                 sum.waited, program.warp(), path);
    found.command = "overlap";
    found.why = "each costs its latency, although nobody comes late";
    found.remedy = "do more between two of them: larger tiles, double buffers, or a barrier of fewer warps";
    found.confirm = "count and share of that wait in kperf overlap";
    found.noise = kernel.probesOf(region);
    found.gain = {0, most / 2, std::min(100.0, most + found.noise.value_or(most) + 2)}; // its probes go with it
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
