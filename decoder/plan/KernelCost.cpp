// Splits what was measured as the model says, and follows a budget through a program's launches.
#include "decoder/plan/KernelCost.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {

KernelCost costOfKernel(const ProfiledKernel &kernel) {
  KernelCost out;
  if (!kernel.isCostKnown && !kernel.measured)
    return out;
  double records = 0;
  for (const ProfiledRow &row : kernel.rows)
    records += row.costNow;
  records = kernel.run.launchesOfRecorded * percentOf(records, kernel.netCycles());
  if (kernel.run.hasEntryProbes) {
    out.asking = percentOf(kAskingInstructions * static_cast<double>(kernel.warps), kernel.netCycles());
    out.entry = out.asking * (kEntryInstructions - kAskingInstructions) / kAskingInstructions;
  }
  const double model = out.asking + out.entry * kernel.run.probedShare + records;
  out.now = model / kernel.run.launchesOfRecorded;
  if (!kernel.measured)
    return out;
  const double measured = std::max(0.0, kernel.measured->percent);
  out.now = measured / kernel.run.launchesOfRecorded;
  out.isMeasured = true;
  if (measured >= model) {
    out.asking += measured - model;
  } else {
    const double times = measured / model;
    out.asking *= times;
    out.entry *= times;
    out.recordTimes = times;
  }
  return out;
}

double chosenPercent(double percent, double budgetPercent, std::uint64_t launches, double plainNs) {
  // As runtime/recorder/OverheadBudget.cpp has it: its first rounds, what it makes up for, what it times at first and what that takes.
  constexpr double kFirstLaunches = 25, kFirstRound = 8, kSecondRound = 50, kMin = 0.4, kMax = 1.5, kFirstTimed = 8, kTimingNs = 6000;
  if (launches == 0)
    return 0;
  const auto all = static_cast<double>(launches);
  const double first = std::min(all, kFirstLaunches), second = std::min(all - first, kSecondRound);
  const double learning = percent * (1 + (first - 1) / kFirstRound + second / kSecondRound);
  const double rest = all - first - second, least = kMin * budgetPercent * rest, most = kMax * budgetPercent * rest;
  const double later = std::min(percent * rest, std::clamp(budgetPercent * all - learning, least, most));
  const double timing = plainNs > 0 ? 100 * std::min(all - 1, kFirstTimed) * kTimingNs / plainNs : 0;
  return (learning + later + timing) / all;
}

double partOfBudget(std::span<const BudgetShare> kernels, double budgetPercent) {
  constexpr double kMaxScale = 64; // OverheadBudget::apportion()
  std::vector<BudgetShare> cheapest(kernels.begin(), kernels.end());
  std::ranges::sort(cheapest, {}, &BudgetShare::percent);
  double time = 0;
  for (const BudgetShare &kernel : kernels)
    time += kernel.time;
  double left = budgetPercent * time;
  for (const BudgetShare &kernel : cheapest) {
    if (kernel.percent * time > left)
      return budgetPercent > 0 ? std::min(kMaxScale, left / time / budgetPercent) : 1;
    left -= kernel.percent * kernel.time;
    time -= kernel.time;
  }
  return kMaxScale;
}

} // namespace kperf::decoder
