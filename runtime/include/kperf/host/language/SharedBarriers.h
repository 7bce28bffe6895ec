// Barrier objects in shared memory (mbarriers): what a block knows of each.
//
// The 64 bits that the program gives to a barrier only name it; its state is kept here, with the virtual time at which its
// phases complete.
#ifndef KPERF_HOST_SHARED_BARRIERS_H
#define KPERF_HOST_SHARED_BARRIERS_H

#include <kperf/host/engine/Outlined.h>
#include <kperf/host/language/Barriers.h>

namespace kperf::host {

KPERF_HOST_OUTLINED inline SharedBarrier &Block::sharedBarrier(const void *place) {
  for (const auto &each : sharedBarriers)
    if (each->place == place)
      return *each;
  sharedBarriers.push_back(std::make_unique<SharedBarrier>());
  sharedBarriers.back()->place = place;
  return *sharedBarriers.back();
}

KPERF_HOST_OUTLINED inline std::uint32_t Block::numberOf(const void *place) {
  const SharedBarrier &barrier = sharedBarrier(place);
  std::uint32_t number = 1;
  for (const auto &each : sharedBarriers) {
    if (each.get() == &barrier)
      break;
    ++number;
  }
  return number;
}

KPERF_HOST_OUTLINED inline std::uint64_t Block::arrive(SharedBarrier &barrier, bool drops) {
  CudaThread &thread = *currentThread;
  const std::uint64_t phase = barrier.completed;
  barrier.latest = std::max(barrier.latest, thread.time);
  thread.time += ticks::kArrive;
  barrier.expected -= drops;
  if (--barrier.pending > 0)
    return phase;
  ++barrier.completed;
  barrier.pending = barrier.expected;
  barrier.release = barrier.latest;
  barrier.latest = 0;
  while (!barrier.waiting.empty()) {
    CudaThread &woken = barrier.waiting.pop();
    ++woken.warp->runnable;
    ready.push(woken);
  }
  return phase;
}

/// Whether phase `parity` (of those that alternate) is over.
inline bool Block::isOver(const SharedBarrier &barrier, bool parity) { return (barrier.completed & 1) != parity; }

KPERF_HOST_OUTLINED inline void Block::await(SharedBarrier &barrier, bool parity, const char *what, const Site &site) {
  CudaThread &thread = *currentThread;
  thread.wait = {what, &site, 0};
  while (!isOver(barrier, parity)) {
    Warp &warp = *thread.warp;
    barrier.waiting.push(thread);
    if (--warp.runnable == 0 && warp.converging)
      releaseConverging(warp);
    suspend(thread);
  }
  thread.wait.what = nullptr;
  thread.time = std::max(thread.time, barrier.release) + ticks::kAwait;
}

} // namespace kperf::host

#endif
