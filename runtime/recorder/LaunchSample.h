// Chooses the launches that are recorded when only some are.
#ifndef KPERF_RUNTIME_LAUNCHSAMPLE_H
#define KPERF_RUNTIME_LAUNCHSAMPLE_H

#include "runtime/recorder/LaunchTimes.h"
#include "runtime/recorder/OverheadBudget.h"
#include "runtime/settings/Environment.h"

#include <kperf/abi/module.h>

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace kperf::runtime {

class LaunchSample {
public:
  explicit LaunchSample(const Environment &environment);
  /// A module came, which may say how many launches are to be recorded, or what that may take: where the user says neither.
  void add(const kperf_module &module);

  /// What the launch's record says of the choice, kLaunchPlain among it where it is not recorded. 1 launch in N of its kernel is, at
  /// a place that a hash chooses anew each time, so that no rhythm of the program's meets it; with a budget as many as that allows. What
  /// goes into a graph is recorded: nobody is asked when it runs. Where nobody said how many and accesses to memory are sampled, the first
  /// one of a kernel is and few of those behind it: the mere place of a call beside each access makes a kernel several times as long.
  /// `name`: the caller's number of the kernel's name. What launches take that are timed for the budget `known` is told as well.
  std::uint32_t choose(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name, bool areAccessesSampled,
                       TimeTable &known);
  /// The calling thread made it.
  void afterLaunch(const kperf_gpu_api &gpu, const kperf_launch &launch);
  /// Whether afterLaunch() is to be called.
  static bool isTimed() { return LaunchTimes::isBegun(); }
  /// The current device has nothing left to do: tells of what was timed.
  void collect(const kperf_gpu_api &gpu, TimeTable &known);
  /// The device is about to be reset.
  void drop(int device);
  /// Says how the budget was kept; only that it was not, where that is to be `quiet`.
  void say(bool quiet) const;

private:
  std::uint32_t chooseByBudget(const kperf_gpu_api &gpu, const kperf_launch &launch, int device, std::uint32_t name, TimeTable &known);
  std::uint32_t numberOf(const kperf_launch &launch, int device);

  std::unordered_map<const void *, std::uint64_t> counts; ///< by kernel
  std::uint32_t asked = 0;                                ///< KPERF_SAMPLE_LAUNCHES: 1 launch in this many; 0: not set
  std::uint32_t wanted = 0;                               ///< the greatest of the modules' sample_launches
  std::optional<OverheadBudget> overhead;
  const char *source = "KPERF_OVERHEAD_BUDGET"; ///< of the budget
  LaunchTimes times;
  bool areAllTimed; ///< KPERF_LAUNCH_TIMES=1: the trace has the times of all launches, and needs none of these
  std::unordered_map<std::uint64_t, std::uint32_t> numbers; ///< of kernels, by what numberOf() makes of launches
  std::uint64_t chosen = 0;
  bool hasSaidUnchosen = false;
};

} // namespace kperf::runtime

#endif
