// The types and functions of <cuda_awbarrier_primitives.h>.
#ifndef KPERF_HOST_BARRIER_PRIMITIVES_H
#define KPERF_HOST_BARRIER_PRIMITIVES_H

#include <kperf/host/language/SharedBarriers.h>

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

#endif
