// Barrier objects in shared memory (mbarriers): what a block knows of each, and <cuda_awbarrier_primitives.h>.
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

using __mbarrier_t = std::uint64_t;
using __mbarrier_token_t = std::uint64_t;

inline std::uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
inline void __mbarrier_init(__mbarrier_t *barrier, std::uint32_t expected) {
  kperf::host::SharedBarrier &state = kperf::host::requireThread("__mbarrier_init").block->sharedBarrier(barrier);
  state.expected = state.pending = expected;
  state.completed = state.latest = state.release = 0;
}
inline void __mbarrier_inval(__mbarrier_t *) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier) {
  kperf::host::Block &block = *kperf::host::requireThread("__mbarrier_arrive").block;
  return block.arrive(block.sharedBarrier(barrier), false);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier) {
  kperf::host::Block &block = *kperf::host::requireThread("__mbarrier_arrive_and_drop").block;
  return block.arrive(block.sharedBarrier(barrier), true);
}
/// Waits, as the device may; what it returns is true.
inline bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, std::uint32_t = 0,
                                       kperf::host::Site site = kperf::host::Site::here()) {
  kperf::host::Block &block = *kperf::host::requireThread("__mbarrier_try_wait_parity").block;
  block.await(block.sharedBarrier(barrier), parity, "__mbarrier_try_wait_parity", site);
  return true;
}
inline bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, std::uint32_t ns = 0,
                                kperf::host::Site site = kperf::host::Site::here()) {
  return __mbarrier_try_wait_parity(barrier, (token & 1) != 0, ns, site);
}
/// Does not wait, but lets others run.
inline bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity) {
  kperf::host::CudaThread &thread = kperf::host::requireThread("__mbarrier_test_wait_parity");
  const kperf::host::SharedBarrier &state = thread.block->sharedBarrier(barrier);
  if (!kperf::host::Block::isOver(state, parity)) {
    __nanosleep(static_cast<unsigned>(kperf::host::ticks::kAwait));
    return false;
  }
  thread.time = std::max(thread.time, state.release) + kperf::host::ticks::kAwait;
  return true;
}
inline bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token) {
  return __mbarrier_test_wait_parity(barrier, (token & 1) != 0);
}
/// Counts one arrival more and makes it when the copies are complete, which they are at once here.
inline void __pipeline_arrive_on(__mbarrier_t *) {}

#endif
