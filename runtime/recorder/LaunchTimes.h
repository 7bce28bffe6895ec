// How long some launches took, by two events of their stream; nobody waits for them.
#ifndef KPERF_RUNTIME_LAUNCHTIMES_H
#define KPERF_RUNTIME_LAUNCHTIMES_H

#include "runtime/file/TimeTable.h"
#include "runtime/recorder/OverheadBudget.h"

#include <kperf/abi/module.h>

#include <cstddef>
#include <cstdint>
#include <deque>

namespace kperf::runtime {

class LaunchTimes {
public:
  /// The calling thread is about to make a launch: one of that kernel of `budget`, which is told its time once take() has it.
  void begin(const kperf_gpu_api &gpu, const kperf_launch &launch, const LaunchShape &shape, std::uint32_t kernel, OverheadBudget &budget);
  /// It has made it.
  void end(const kperf_gpu_api &gpu, const kperf_launch &launch, OverheadBudget &budget);
  /// Whether the calling thread is between the two.
  static bool isBegun();
  /// Takes what is there by now of the oldest launches; `times`: are told as well, if any.
  void take(const kperf_gpu_api &gpu, OverheadBudget &budget, TimeTable *times);
  /// Forgets events of a device that is about to be reset.
  void drop(int device, OverheadBudget &budget);

private:
  struct Timed {
    std::uint32_t kernel; ///< of the budget
    LaunchShape shape;
    void *first, *last;
  };

  static constexpr std::size_t kMaxPending = 64;

  std::deque<Timed> pending;
};

} // namespace kperf::runtime

#endif
