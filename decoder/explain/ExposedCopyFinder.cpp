// Asynchronous work (cp.async, TMA, wgmma) that warps wait for although something else could run meanwhile.
//
// Model: if the work took no time, the critical path would be shorter by its gain (replay of the block): the most that issuing it earlier
// can save. What is issued at a loop's start stays exposed once, so likely three quarters, at least a quarter. The depth that hides it
// is its length over the time between two issues, rounded up, and one. Of copies into a ring's slots a replay of the block says how many
// slots hide it, and what that is likely to save.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// `stages`: that cover its length.
std::string remedyOf(const RingSums &rings, std::uint32_t region, double stages) {
  const auto slots = rings.slots.find(region);
  if (slots == rings.slots.end())
    return fmt::format("issue it earlier: {:.0f} stages in flight would cover its length at this pace", std::min(64.0, stages));
  if (rings.saved(region).value_or(0) < kMinEvidence)
    return "issue it earlier, or make it shorter: more slots in its ring would save next to nothing";
  return fmt::format("issue it earlier: with {} slots in place of {} nothing waits for one", slots->second.enough, slots->second.there);
}

} // namespace

void findExposedCopy(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  if (!kernel.sync)
    return;
  for (const auto &[region, sum] : kernel.sync->flights) {
    const double most = kernel.gainOf(PathStep::Kind::Flight, region).value_or(0);
    const auto count = static_cast<double>(sum.lengths.count());
    if (most < kMinEvidence || count == 0 || sum.exposed == 0 || kernel.sync->blocks == 0)
      continue;
    const double exposed = 100 * static_cast<double>(sum.exposed) / static_cast<double>(std::max<std::uint64_t>(sum.lengths.sum(), 1));
    const double each = static_cast<double>(kernel.sync->cycles) / count; // between two issues in a block
    const double hiddenEach = std::max(1.0, each - static_cast<double>(sum.exposed) / count);
    Explained found{.rule = "exposed-copy",
                    .what = fmt::format("'{}' is in flight while its {}s wait", (*program.regions)[region].work(), program.warp())};
    found.place = placeOf(program, region);
    found.evidence = fmt::format("{} in flight on average, {:.0f} % of that exposed; {:.1f} % of the critical path",
                                 cyclesText(sum.lengths.mean()), exposed, most);
    found.command = "overlap";
    found.isOfWaits = true;
    found.why = "it is issued too late, or into too few stages, for other work to cover it";
    found.remedy = remedyOf(kernel.sync->rings, region, std::ceil(sum.lengths.mean() / hiddenEach) + 1);
    found.confirm = "hidden of that work in kperf overlap goes to 100 %";
    found.noise = kernel.probesIn(most);
    const std::optional<double> saved = kernel.sync->rings.saved(region);
    found.gain = {most / 4, saved ? std::clamp(*saved, most / 4, most) : 0.75 * most, most};
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
