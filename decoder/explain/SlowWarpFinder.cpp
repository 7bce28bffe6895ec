// Warps that do more than the other warps of their block, which then wait for them.
//
// Model: in each block the longest warp's time in a region (without what is nested in it) less the mean of the warps that entered it is
// what an even share would save, if the block waits for that warp: at best all of it, at least a quarter of it. Where waits were
// recorded the region's gain on the critical path bounds it: what is not on the path gains nothing. It counts only if the same warp is the
// longest in most blocks, or if the longest takes twice the mean: warps of equal work end apart too, by luck, and no sharing helps. Where
// several blocks run on a multiprocessor at once, others may fill in: likely half, at least nothing. Of warps that issue wgmma nothing is
// said: how long they take for a region tells how others keep tensor cores and schedulers busy.
#include "decoder/explain/Finder.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

std::uint32_t worstWarp(const BlockBalance::Row &row) {
  return std::ranges::max_element(row.worst, {}, [](const auto &entry) { return entry.second; })->first;
}

/// Whether the longest warp has more work than the others, and was not merely unlucky.
bool isUneven(const BlockBalance::Kernel &balance, const BlockBalance::Row &row) {
  const double inBlocks = static_cast<double>(row.worst.at(worstWarp(row))) / static_cast<double>(balance.blocks);
  return inBlocks >= 0.5 + 0.5 / static_cast<double>(balance.warpsOfBlock) || row.longest >= 2 * row.mean;
}

/// Percent of the blocks' lives; the greatest gain that is possible.
double gainOf(const KernelFacts &kernel, std::uint32_t region, const BlockBalance::Row &row) {
  if (row.worst.empty() || !isUneven(kernel.balance, row))
    return 0;
  const double excess = 100 * row.excess / kernel.balance.life;
  if (region == BlockBalance::kWholeLife)
    return excess;
  const std::optional<double> path = kernel.gainOf(PathStep::Kind::Region, region);
  return std::min(excess, path.value_or(excess));
}

} // namespace

void findSlowWarp(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const BlockBalance::Kernel &balance = kernel.balance;
  if (balance.blocks == 0 || balance.leftOut > 0 || balance.life <= 0 || balance.warpsOfBlock < 2)
    return;
  std::uint32_t region = BlockBalance::kWholeLife;
  double gain = 0; // of the whole life only where it is clearly more than that of any region
  for (const auto &[index, row] : balance.rows) {
    const RegionFacts *const facts = kernel.region(index);
    const bool isWork = index == BlockBalance::kWholeLife || (*program.regions)[index].kind != format::RegionKind::Wait;
    const double now = isWork && !(facts && facts->isBesideWgmma) && index != BlockBalance::kWholeLife ? gainOf(kernel, index, row) : 0;
    if (now > gain) {
      gain = now;
      region = index;
    }
  }
  // Warps that have roles of their own are not alike.
  const bool hasRoles = std::ranges::any_of(balance.rows, [](const auto &entry) { return entry.second.alone > 0; });
  const double whole = gainOf(kernel, BlockBalance::kWholeLife, balance.rows.at(BlockBalance::kWholeLife));
  if (!hasRoles && 0.9 * whole > gain) {
    gain = whole;
    region = BlockBalance::kWholeLife;
  }
  if (gain < kMinEvidence)
    return;
  const BlockBalance::Row &row = balance.rows.at(region);
  const auto blocks = static_cast<double>(balance.blocks);
  const std::uint32_t warp = worstWarp(row);
  const std::string warpWord = program.warp(), where = regionText(program, region);
  Explained found{.rule = "slow-warp",
                  .what = fmt::format("{} {} is {:.1f} times as long in {} as its {}'s mean", warpWord, warp,
                                      row.mean > 0 ? row.longest / row.mean : 1, where, program.block())};
  found.place = placeOf(program, region);
  found.evidence = fmt::format("longest {} {} a {}, mean {}; it is {} {}", warpWord, cyclesText(row.longest / blocks), program.block(),
                               cyclesText(row.mean / blocks), warpWord, warp);
  if (balance.blocks > 1)
    found.evidence +=
        fmt::format(" in {:.0f} % of {} {}s", 100 * static_cast<double>(row.worst.at(warp)) / blocks, balance.blocks, program.block());
  found.command = "report";
  found.why = fmt::format("the {} is done when its last {} is: the others wait or idle", program.block(), warpWord);
  found.remedy = fmt::format("share the work of {} evenly: by index, not by {}; or take it from a common counter", where, warpWord);
  found.confirm = "warp-imbalance of that row in kperf report goes to 1";
  found.noise = region == BlockBalance::kWholeLife ? kernel.probesIn(gain) : kernel.probesOf(region);
  if (found.noise && region != BlockBalance::kWholeLife) // of evenly spread probes, the excess holds the part that the longest warp's are
    *found.noise *= row.excess / std::max(row.longest, 1.0);
  const bool isAlone = kernel.timeline.maxAtOnce <= std::max(kernel.device.sms, 1u);
  found.gain = {isAlone ? gain / 4 : 0, isAlone ? 0.75 * gain : gain / 2, gain};
  out.push_back(std::move(found));
}

} // namespace kperf::decoder
