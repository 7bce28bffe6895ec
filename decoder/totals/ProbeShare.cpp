// Computes the share of a kernel's time that its probes took, where the calibration knows it.
#include "decoder/totals/ProbeShare.h"

#include <algorithm>

namespace kperf::decoder {

bool hasCostlyAtomics(const KernelTotals &kernel) {
  constexpr std::uint64_t kCyclesOfAtomic = 500, kMinShare = 20;
  return kMinShare * kCyclesOfAtomic * kernel.probes.withoutFirstLane > kernel.cycles;
}

std::optional<double> probePercent(const KernelTotals &kernel, const ProbeCost &cost) {
  const bool areMostKnown = kernel.probes.pairs <= kernel.probes.all.own + kernel.probes.all.shared;
  if (!cost.isKnown || kernel.cycles == 0 || kernel.records.sums > 0 || !areMostKnown || hasCostlyAtomics(kernel))
    return {};
  return std::min(100.0, 100 * kernel.probeCycles(cost) / static_cast<double>(kernel.cycles));
}

} // namespace kperf::decoder
