// __syncthreads and its kin, __syncwarp, fences, traps, and the block's dynamic shared memory.
#ifndef KPERF_HOST_BARRIERS_H
#define KPERF_HOST_BARRIERS_H

#include <kperf/host/engine/Clock.h>

namespace kperf::host {

/// The running thread, for functions that only kernels may call.
inline CudaThread &requireThread(const char *what) {
  CudaThread *thread = currentThread;
  if (!thread) {
    std::fprintf(stderr, "kperf: %s is called outside of a kernel\n", what);
    std::abort();
  }
  return *thread;
}

inline Ballot syncBlock(bool predicate, const char *what, const Site &site) {
  return requireThread(what).block->barrier(predicate, false, what, site);
}

inline Exchange meetLanes(std::uint32_t mask, Collective kind, std::uint64_t value, const char *what, const Site &site) {
  return requireThread(what).block->meet(mask, kind, value, what, site);
}

/// The launch's dynamic shared memory: the same for all threads of a block, 1024-byte aligned, not initialised.
inline void *dynamicShared() { return requireThread("dynamic shared memory").block->sharedMemory(); }

} // namespace kperf::host

inline void __syncthreads(kperf::host::Site site = kperf::host::Site::here()) { kperf::host::syncBlock(false, "__syncthreads", site); }
inline int __syncthreads_count(int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  return static_cast<int>(kperf::host::syncBlock(predicate != 0, "__syncthreads_count", site).count);
}
inline int __syncthreads_and(int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  return kperf::host::syncBlock(predicate != 0, "__syncthreads_and", site).all;
}
inline int __syncthreads_or(int predicate, kperf::host::Site site = kperf::host::Site::here()) {
  return kperf::host::syncBlock(predicate != 0, "__syncthreads_or", site).any;
}
inline void __syncwarp(unsigned int mask = 0xffffffffu, kperf::host::Site site = kperf::host::Site::here()) {
  kperf::host::meetLanes(mask, kperf::host::Collective::Sync, 0, "__syncwarp", site);
}

inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/// Gives the launch up, as on the device: the next call of the runtime API returns an error.
[[noreturn]] inline void __trap(kperf::host::Site site = kperf::host::Site::here()) {
  kperf::host::CudaThread &thread = kperf::host::requireThread("__trap");
  const unsigned linear = thread.linear;
  thread.block->fail("thread " + std::to_string(linear) + " of block " + std::to_string(thread.block->index()) + " executes __trap in " +
                     site.function + ", " + site.file + ":" + std::to_string(site.line));
}
inline void __brkpt() {}
inline void __prof_trigger(int) {}

#endif
