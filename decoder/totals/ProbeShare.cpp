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

double probedShare(const KernelTotals &kernel, const LaunchLedger::Group &launches) {
  const auto all = static_cast<double>(launches.warpsLaunched), estimated = static_cast<double>(launches.estimatedWarps);
  return std::min(1.0, kernel.sampling.probedWarps.shareNow() * (all > estimated ? all / (all - estimated) : 1));
}

double percentOfAll(double percent, double share) {
  if (share >= 1)
    return percent;
  constexpr double kMinRest = 10; // calibrated probes may be said to take all
  const double added = share * percent;
  return 100 * added / (added + std::max(100 - percent, kMinRest));
}

} // namespace kperf::decoder
