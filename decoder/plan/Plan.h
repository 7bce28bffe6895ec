// What the next build should record of each region so that each kernel keeps a budget, from an earlier profile: values, no text.
#ifndef KPERF_DECODER_PLAN_H
#define KPERF_DECODER_PLAN_H

#include "decoder/plan/KernelCost.h"
#include "decoder/plan/Profile.h"

#include <string>
#include <vector>

namespace kperf::decoder {

/// How a region is recorded in the next build, the one that tells most first.
enum class Choice : std::uint8_t { Record, Sums, LeftOut };

/// What is decided of one region of the source, in whatever kernels it is entered.
struct RegionDecision {
  std::uint32_t region; ///< index in the profile's RegionSet
  std::uint32_t number; ///< ordinal among the regions of its name in its function, by line and column
  Choice choice = Choice::Record;
  std::string reason = {}; ///< one clause; "" of what is recorded and nothing speaks against it
};

/// Loops of a function that the next build times too, because the profile does not say where its time goes.
struct CloserLook {
  std::size_t kernel;   ///< index in the profile's kernels: the one that asks for it
  std::string function; ///< its qualified name
  unsigned depth;       ///< of the loops: up to so many inside each other
  std::string reason;
};

/// What of a kernel becomes.
struct KernelDecision {
  std::size_t kernel = 0;             ///< index in the profile's kernels
  KernelCost cost = {};               ///< of the kernel's time without probes
  double recordedPercent = 0;         ///< that the next build adds to launches that are recorded
  double predictedPercent = 0;        ///< to all launches together
  std::uint32_t samplingInterval = 1; ///< N: 1 block in N is recorded
  std::uint32_t launchInterval = 1;   ///< N: 1 launch in N is recorded
  bool isOver = false;                ///< no choice that keeps what takes time keeps the budget
  bool isEntryOver = false;           ///< what warps pay that come in is more than it by itself, whatever is recorded
};

struct Plan {
  double budgetPercent = 2;
  std::vector<RegionDecision> regions; ///< of every region that a kernel entered, by index
  std::vector<KernelDecision> kernels; ///< of most time first
  std::vector<CloserLook> closer;      ///< one for each function

  /// Null for a region that no kernel entered.
  const RegionDecision *of(std::uint32_t region) const;
};

/// A region that takes so much of a kernel's time, with the regions inside it, is never left out.
inline constexpr double kKeptPercent = 5;

/// Where a KPERF_BEGIN and a KPERF_END are a record each, no calibration measures them: as two of a region's. What the virtual clock takes
/// for them is known, and is what it takes for a region.
inline constexpr double kRangeOfRecord = 2;

/// The same profile and budget give the same plan. `choosesLaunches`: the next build has kernels without probes too, as those of nvcc have.
Plan planFor(const Profile &profile, double budgetPercent, bool choosesLaunches = true);

/// What `row` costs under a choice, in cycles, were every block recorded.
double costOf(const ProfiledRow &row, Choice choice);

/// The same of the blocks that the next build has record of a launch, by `kernel`.
double plannedCostOf(const ProfiledRow &row, Choice choice, const KernelDecision &kernel = {});

} // namespace kperf::decoder

#endif
