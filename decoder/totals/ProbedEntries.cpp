// Counts whose probes ran, and whose would in the next run.
#include "decoder/totals/ProbedEntries.h"

#include <kperf/rules/BlockSample.h>

#include <algorithm>

namespace kperf::decoder {
namespace {

/// One in how many blocks is recorded of a launch of so many, where nobody says.
double byWidth(double blocks, std::uint64_t warpsOfBlock) {
  const double warps = blocks * static_cast<double>(std::max<std::uint64_t>(warpsOfBlock, 1));
  return warps < 0x1p32 ? detail::widthInterval(std::max(1u, static_cast<std::uint32_t>(warps)), detail::kMaxWarpsLog2) : 1;
}

} // namespace

ProbedEntries probedBy(const format::WarpHeader &warp, std::uint64_t warpsOfBlock, double launches, bool isHost) {
  const double oneIn = std::max(warp.sampled, 1u), all = launches * oneIn;
  if (oneIn == 1 || (!isHost && (warp.flags & format::kWarpOthersPlain) == 0))
    return {all, oneIn, all};
  const double blocks = static_cast<double>(warp.gridX) * warp.gridY * warp.gridZ;
  return {all, 1, all / byWidth(blocks, warpsOfBlock)};
}

ProbedEntries probedBy(const format::SummaryRecord &kernel, double entries, double recorded, std::uint32_t warpLanes, bool isHost) {
  if (kernel.sampled <= 1 || (!isHost && (kernel.flags & format::kSummaryOthersPlain) == 0))
    return {entries, kernel.sampled <= 1 ? recorded : entries, entries};
  const std::uint64_t threads = std::uint64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2];
  const double blocks = static_cast<double>(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2];
  const double width = byWidth(blocks, (threads + warpLanes - 1) / std::max(warpLanes, 1u));
  return {entries, recorded, entries / std::min<double>(width, kernel.sampled)};
}

} // namespace kperf::decoder
