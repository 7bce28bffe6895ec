// Code that the warps of a block run one at a time, while the others wait at a barrier: one warp alone, or each in its turn.
//
// Model: of the warps that run a region, so many do at once as its time in all warps is longer than its time on the critical path. Shared
// evenly by the block's warps it would take that much of its gain on the path less. At best that is saved; how far the work can be shared
// is not in the trace: at least a quarter. Where one warp merely takes longer than the others it is SlowWarpFinder's.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// Cycles of all warps in waits at barriers.
struct BarrierTime {
  double all = 0;           ///< what kperf overlap's rows of them add up to
  double beforeRelease = 0; ///< without what those that waited took from the release on, whoever came late
};

BarrierTime timeAtBarriers(const KernelFacts &kernel, const RegionSet &regions) {
  BarrierTime out;
  for (const auto &[wait, sum] : kernel.sync->waits)
    if (regions[wait].operation == format::SyncOperation::Barrier) {
      out.all += static_cast<double>(sum.cycles);
      out.beforeRelease += static_cast<double>(sum.cycles - std::min(sum.latency, sum.cycles));
    }
  return out;
}

} // namespace

void findSerialSection(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const BlockBalance::Kernel &balance = kernel.balance;
  if (!kernel.sync || balance.blocks == 0 || balance.leftOut > 0 || balance.warpsOfBlock < 2)
    return;
  const BarrierTime barriers = timeAtBarriers(kernel, *program.regions);
  for (const auto &[region, row] : balance.rows) {
    const bool isEven = row.alone > 0.5 * row.longest || row.excess < 0.1 * row.longest;
    const auto step = kernel.sync->steps.find({PathStep::Kind::Region, region, UnknownReason::None});
    if (region == BlockBalance::kWholeLife || !isEven || step == kernel.sync->steps.end() || step->second.cycles == 0)
      continue;
    const double atOnce = std::max(1.0, row.cycles / static_cast<double>(step->second.cycles));
    const double path = kernel.gainOf(PathStep::Kind::Region, region).value_or(0);
    const double gain = path * (1 - atOnce / static_cast<double>(balance.warpsOfBlock));
    if (atOnce > 1.5 || gain < kMinEvidence || barriers.beforeRelease < 0.5 * static_cast<double>(step->second.cycles))
      continue;
    const std::string warp = program.warp(), where = regionText(program, region);
    Explained found{.rule = "one-warp-section",
                    .what = fmt::format("{} runs in one {} of {} at a time, while the others wait", where, warp, balance.warpsOfBlock)};
    found.place = placeOf(program, region);
    found.evidence = fmt::format("{:.1f} % of the critical path would go with it, in {:.1f} {}s at once; waits at barriers took {} in all",
                                 path, atOnce, warp, cyclesText(barriers.all));
    found.command = "overlap";
    found.why = fmt::format("the {}'s other {}s have nothing to do until it ends", program.block(), warp);
    found.remedy = fmt::format("let all {}s share {}, or let the others work on what does not need it", warp, where);
    found.confirm = "its row in the critical path of kperf overlap, and duration in kperf report";
    found.noise = kernel.probesOf(region);
    found.gain = {gain / 4, 0.75 * gain, gain};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
