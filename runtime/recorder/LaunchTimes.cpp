// Puts events around launches and asks later whether they are over.
#include "runtime/recorder/LaunchTimes.h"

#include <algorithm>
#include <utility>

namespace kperf::runtime {
namespace {

thread_local void *begun = nullptr; ///< the event before the launch that the thread is making

/// What an event that did not come yet is answered with: cudaErrorNotReady, CUDA_ERROR_NOT_READY and hipErrorNotReady.
constexpr int kNotReady = 600;

} // namespace

void LaunchTimes::begin(const kperf_gpu_api &gpu, const kperf_launch &launch, const LaunchShape &shape, std::uint32_t kernel,
                        OverheadBudget &budget) {
  if (pending.size() < kMaxPending && gpu.mark_time && gpu.mark_time(launch.stream, &begun) == 0)
    pending.push_back({kernel, shape, begun, nullptr});
  else
    budget.add(kernel, !shape.isPlain, 0);
}

bool LaunchTimes::isBegun() { return begun != nullptr; }

void LaunchTimes::end(const kperf_gpu_api &gpu, const kperf_launch &launch, OverheadBudget &budget) {
  const auto timed = std::ranges::find(pending, std::exchange(begun, nullptr), &Timed::first);
  if (timed == pending.end() || gpu.mark_time(launch.stream, &timed->last) == 0)
    return;
  budget.add(timed->kernel, !timed->shape.isPlain, 0); // the first event stays until the device is reset
  pending.erase(timed);
}

void LaunchTimes::take(const kperf_gpu_api &gpu, OverheadBudget &budget, TimeTable *times) {
  constexpr unsigned kMaxAsked = 4; // each question takes some 0.5 us; on one stream those behind one that runs have not begun
  unsigned asked = 0;
  for (auto timed = pending.begin(); timed != pending.end() && asked < kMaxAsked;) {
    std::uint64_t ns = 0;
    const bool isMade = timed->last != nullptr;
    const int status = isMade ? gpu.time_between(timed->first, timed->last, false, &ns) : kNotReady;
    asked += isMade && status == kNotReady;
    if (status == kNotReady) {
      ++timed;
      continue;
    }
    budget.add(timed->kernel, !timed->shape.isPlain, status == 0 ? static_cast<double>(ns) : 0);
    if (times && status == 0)
      times->add(timed->shape, ns, /*isFirst=*/false); // which the budget has timed of no kernel
    timed = pending.erase(timed);
  }
}

void LaunchTimes::drop(int device, OverheadBudget &budget) {
  std::erase_if(pending, [&](const Timed &timed) {
    if (timed.shape.device == device)
      budget.add(timed.kernel, !timed.shape.isPlain, 0);
    return timed.shape.device == device;
  });
}

} // namespace kperf::runtime
