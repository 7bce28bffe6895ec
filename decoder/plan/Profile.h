// The input of a plan: each kernel's regions with visits, times and the cost of their probes.
#ifndef KPERF_DECODER_PROFILE_H
#define KPERF_DECODER_PROFILE_H

#include "decoder/span/RegionSet.h"
#include "decoder/totals/LaunchTimes.h"
#include "decoder/totals/Quantiles.h"
#include "decoder/trace/Trace.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

/// 0 of nothing.
inline double percentOf(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

/// What an entry costs a region that is summed up, of what its record would. On an H200 under full load a sum delays a warp by 35 cycles
/// where a record takes 72 (docs/measurements.md). The host target's virtual clock is read as often for the one as for the other.
inline constexpr double kSumOfRecord = 0.5, kVirtualSumOfRecord = 1;

/// A region in one kernel, on all call paths together. Cycles are of all blocks, also where some were recorded.
struct ProfiledRow {
  std::uint32_t region; ///< index in the RegionSet
  unsigned depth = 0;   ///< regions around it, on the path with fewest
  std::uint64_t visits = 0;
  double self = 0, total = 0; ///< cycles without and with the regions inside
  Quantiles lengths;
  bool isSummed = false;   ///< its entries were summed up
  bool isSummable = false; ///< a later build can sum them up: it stands in the kernel's own body, and is no wait and no range of two blocks
  /// A range whose begins and ends are a record each. For a GPU that is where they are in two blocks, or in frames; on the host target
  /// always.
  bool isPair = false;
  double recordCost = 0;             ///< cycles that its probes add when every block records each entry
  double nextShare = 1;              ///< of that, in blocks that the next build has record, where it is told nothing of blocks
  double costInTimes = 0;            ///< cycles that they are in `total`, which is of all blocks as if they were like the recorded ones
  double costNow = 0;                ///< cycles that they added to the run
  double sumOfRecord = kSumOfRecord; ///< of recordCost, what is left where its entries are summed up
};

/// What of a kernel is so in the run that the profile is of, and need not be in the next.
struct ProfiledRun {
  double probedShare = 1;        ///< of the warps of launches that were recorded, those that ran with probes
  double launchesOfRecorded = 1; ///< launches that a recorded one stands for, where a budget chose these
  double durationNs = 0;         ///< of all launches; 0: unknown
  bool hasEntryProbes = false;   ///< each warp asks whether it is recorded: on a GPU, and the kernel is the program's
};

struct ProfiledKernel {
  std::string name;
  std::string function, file; ///< of its definition; "" when unknown
  std::uint64_t launches = 0, warps = 0;
  double blocks = 0;                ///< of all launches
  std::uint64_t blocksOfLaunch = 0; ///< of the first
  double cycles = 0;                ///< warp-time, with what probes added
  double unattributed = 0;
  double nsPerCycle = 0; ///< 0: unknown
  std::uint32_t samplingInterval = 1;
  double keptShare = 1; ///< of its records; visits and times of regions are as if those that were dropped had been like these
  std::optional<std::uint64_t> recordsNeeded; ///< KernelTotals::recordsNeeded()
  bool isCostKnown = false;                   ///< the traces have a calibration of the kernel's device
  double cyclesOfRecord = 0;                  ///< that one record adds around itself
  double cyclesOfMark = 0;                    ///< the same of a mark's or a signal's
  double nextShare = 1;                       ///< ProfiledRow::nextShare, of warps
  ProfiledRun run;
  std::optional<MeasuredOverhead> measured; ///< where launches were timed with its probes and without
  std::vector<ProfiledRow> rows;            ///< as regions nest, those of most time first

  /// Warp-time without what probes added: at least a tenth of it.
  double netCycles() const;
};

struct Profile {
  format::Target target = format::Target::Unknown;
  std::string hostClock; ///< hostClock() of the first trace
  std::shared_ptr<RegionSet> regions;
  std::vector<ProfiledKernel> kernels; ///< of most time first
  std::vector<std::string> names;      ///< of the files
  bool areLaunchesChosen = false;      ///< by chance, by an overhead budget, and counted for all
};

/// Reads traces of one build; `kernel`: shell pattern. An error when they are none, when no kernel is selected, or none recorded.
Expected<Profile> readProfile(std::span<const Trace> traces, const std::string &kernel);

} // namespace kperf::decoder

#endif
