// Means over all launches of a kernel in one trace, and how far off they may be where not all blocks were recorded.
#include "decoder/totals/SampledMeans.h"
#include "decoder/totals/SampledTotals.h"

#include <algorithm>

namespace kperf::decoder {

void SampledMeans::addWarp(const format::WarpHeader &warp, std::uint64_t warpsOfBlock) {
  stratum = kWhole;
  if (warp.sampled <= 1) {
    ++wholeWarps;
    return;
  }
  stratum = stratumOf(strata, warp, nullptr);
  group = sampleGroupOf(warp);
  warps.resize(strata.size());
  strata[stratum].blocks[group] += 1 / static_cast<double>(std::max<std::uint64_t>(warpsOfBlock, 1));
  ++warps[stratum][group];
}

void SampledMeans::addTo(Sum &sum, std::uint64_t count, std::uint64_t cycles) const {
  if (stratum == kWhole) {
    sum.whole += static_cast<double>(cycles);
    sum.wholeCount += static_cast<double>(count);
    return;
  }
  sum.sampled.resize(strata.size());
  sum.sampled[stratum].inclusive[group] += static_cast<double>(cycles);
  sum.sampled[stratum].count[group] += static_cast<double>(count);
}

void SampledMeans::finish(const LaunchLedger::Group &launches) {
  isCut = strata.empty() ? launches.warpsRecorded < launches.warpsLaunched : isFewerThanChosen(launches, 1);
  setLaunchedBlocks(strata, launches, isCut);
}

Estimate SampledMeans::meanOf(const Sum &sum, bool isPerWarp) const {
  std::vector<BySampleGroup> cycles(strata.size()), counts = isPerWarp ? warps : std::vector<BySampleGroup>(strata.size());
  for (std::size_t i = 0; i < sum.sampled.size(); ++i) {
    cycles[i] = sum.sampled[i].inclusive;
    if (!isPerWarp)
      counts[i] = sum.sampled[i].count;
  }
  const double count = (isPerWarp ? wholeWarps : sum.wholeCount) + estimateTotal(strata, counts).value;
  if (count <= 0)
    return {0, std::nullopt};
  const double mean = (sum.whole + estimateTotal(strata, cycles).value) / count;
  const std::optional<double> error = strata.empty() ? std::optional(0.0) : errorOfRest(strata, cycles, counts, mean);
  return {mean, error && !isCut ? std::optional(*error / count) : std::nullopt};
}

} // namespace kperf::decoder
