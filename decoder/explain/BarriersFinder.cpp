// Barriers that cost by their number: the operation itself, and the wait for whichever warp comes last each time.
//
// Model: what the critical path gains if a barrier's own time were nothing is what leaving all of them out would save. Where a barrier is
// entered often, a few hundred cycles apart at most, the warps come apart by luck (whose turn it is on the scheduler, how long a probe
// takes), and with fewer barriers that luck evens out: then all time in that wait is the most, less what its probes take of it. At least
// one entry in each block is taken to be needed. How many of the others the program needs is not in the trace: the minimum is 0, likely
// half.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr double kOften = 32, kShortStep = 500; // entries of a warp; cycles of a block's life for each

/// Percent of the kernel's warp-time that goes into a barrier, without its probes, if the steps between its entries are short; else 0.
double inShortSteps(const KernelFacts &kernel, std::uint32_t region, double entries, double step) {
  const RegionFacts *const facts = kernel.region(region);
  if (!facts || entries < kOften || step > kShortStep)
    return 0;
  return std::max(0.0, facts->share - facts->probeShare.value_or(0));
}

} // namespace

void findBarriers(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  if (!kernel.sync || kernel.launches.warps == 0)
    return;
  for (const auto &[region, sum] : kernel.sync->waits) {
    if ((*program.regions)[region].operation != format::SyncOperation::Barrier)
      continue;
    const double path = kernel.gainOf(PathStep::Kind::Wait, region).value_or(0);
    const double each = static_cast<double>(sum.count) / static_cast<double>(kernel.launches.warps);
    const double step =
        static_cast<double>(kernel.sync->cycles) / static_cast<double>(std::max<std::uint64_t>(kernel.sync->blocks, 1)) / each;
    const double waits = inShortSteps(kernel, region, each, step);
    if (each < 4 || std::max(path, waits) < kMinEvidence)
      continue;
    const double most = std::max(path, waits) * (1 - 1 / each);
    Explained found{.rule = "barriers",
                    .what = fmt::format("{} is entered {:.0f} times by each {}, every {:.3g} cycles", regionText(program, region), each,
                                        program.warp(), step)};
    found.place = placeOf(program, region);
    found.evidence = fmt::format("{} entries, {} of them waited for another {}; their own time is {:.1f} % of the critical path", sum.count,
                                 sum.waited, program.warp(), path);
    if (waits > path)
      found.evidence += fmt::format(", and without probes they take {:.1f} % of the {}-time", waits, program.warp());
    found.command = "overlap";
    found.isOfWaits = true;
    found.why = waits > path ? fmt::format("each costs its latency, and each time all wait for whichever {} is last", program.warp())
                             : "each costs its latency, although nobody comes late";
    found.remedy = "do more between two of them: larger tiles, double buffers, or a barrier of fewer warps";
    found.confirm = "count and share of that wait in kperf overlap";
    found.noise = kernel.probesOf(region);
    const double probes = waits > path ? 0 : found.noise.value_or(0); // go with the barrier; of short steps they were left out
    if (probes > 0)
      found.evidence += fmt::format(", and its probes take {:.1f} %", probes);
    found.gain = {0, most / 2, std::min(100.0, most + probes)};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
