// What probes cost a kernel, split into what each warp pays that comes in and what records cost; and what is left where a budget chooses
// launches.
#ifndef KPERF_DECODER_KERNEL_COST_H
#define KPERF_DECODER_KERNEL_COST_H

#include "decoder/plan/Profile.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

/// Instructions that a warp of a kernel with probes executes to know whether its block is recorded, and that a recorded one does in all to
/// come in and to leave (docs/measurements.md). A warp takes a cycle for each at least.
inline constexpr double kAskingInstructions = 46, kEntryInstructions = 133;

/// Percent of the kernel's time without probes.
struct KernelCost {
  double now = 0;          ///< in the run that the profile is of
  double asking = 0;       ///< what each warp pays, recorded or not, as long as the kernel has probes
  double entry = 0;        ///< what recorded warps pay beyond that, all of them in one run
  double recordTimes = 1;  ///< what records cost, of what the calibration says that they do
  bool isMeasured = false; ///< else all of it is the least that it can be

  /// Of the next build, where so many of the warps are recorded and their records cost `records` by the calibration.
  double next(double warpShare, double records) const { return asking + entry * warpShare + recordTimes * records; }
};

/// What was measured is split as the model says. What it does not explain (registers, the order of instructions, memory) each warp pays;
/// where it says more than was measured, all its parts are less in proportion.
KernelCost costOfKernel(const ProfiledKernel &kernel);

/// What launches of a kernel cost of which a budget records some (runtime/recorder/OverheadBudget.h), on average, where each that is
/// recorded takes `percent` longer: the first one is, then one in eight of 24 and one of 50, meanwhile it becomes known what that costs,
/// then as many as the budget allows. `plainNs`: what a launch takes without probes, 0: unknown.
double chosenPercent(double percent, double budgetPercent, std::uint64_t launches, double plainNs);

/// A kernel among those that share a budget.
struct BudgetShare {
  double time;    ///< of its launches, in any unit
  double percent; ///< that probes add to a launch that is recorded
};

/// The factor that each kernel's part of the budget is multiplied by, so that those that cost more get what others leave.
double partOfBudget(std::span<const BudgetShare> kernels, double budgetPercent);

} // namespace kperf::decoder

#endif
