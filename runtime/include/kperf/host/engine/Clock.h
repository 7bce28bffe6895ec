// The clocks that kernels and probes read: the machine's, or the virtual one (KPERF_HOST_CLOCK=virtual).
//
// One cycle is one nanosecond on both. The virtual clock of a CUDA thread advances by what it does (Ticks.h), by
// __nanosleep, and by kperf::host::work; everything else takes no time. Threads leave a barrier or a meeting of lanes
// at the latest time that one of them came, plus the operation's ticks. Block b runs on multiprocessor b %
// KPERF_HOST_SMS and starts when the block before it there has ended.
#ifndef KPERF_HOST_CLOCK_H
#define KPERF_HOST_CLOCK_H

#include <kperf/host/engine/Block.h>
#include <kperf/host/engine/Outlined.h>
#include <kperf/host/engine/Settings.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace kperf::host {

/// Unix time in nanoseconds that never goes back: the steady clock, set by the wall clock once.
KPERF_HOST_OUTLINED inline std::uint64_t wallNs() {
  using namespace std::chrono;
  const auto steady = [] { return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count(); };
  static const auto offset = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count() - steady();
  return static_cast<std::uint64_t>(steady() + offset);
}

inline bool isVirtualClock() {
  static const bool once = settings().isVirtual;
  return once;
}

/// What the calling thread's clock shows; reading it takes ticks::kClock.
inline std::uint64_t readClock() {
  CudaThread *thread = currentThread;
  if (!isVirtualClock())
    return wallNs();
  if (!thread)
    return ticks::kEpoch;
  const std::uint64_t now = thread->time;
  thread->time += ticks::kClock;
  return now;
}

/// Known work for tests and examples: advances the virtual clock of the calling thread. Nothing under the wall clock.
inline void work(std::uint64_t cycles) {
  if (CudaThread *thread = currentThread)
    thread->time += cycles;
}

inline std::uint64_t globaltimer() { return readClock(); }

} // namespace kperf::host

inline long long clock64() { return static_cast<long long>(kperf::host::readClock()); }
inline unsigned long long __globaltimer() { return kperf::host::readClock(); }

/// In a kernel the device's clock, elsewhere the C library's: both are spelled alike.
inline clock_t clock() noexcept {
  if (kperf::host::currentThread)
    return static_cast<clock_t>(kperf::host::readClock());
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<clock_t>(used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

/// Lets other threads of the block run; sleeps where there is none.
inline void __nanosleep(unsigned int ns) {
  kperf::host::CudaThread *thread = kperf::host::currentThread;
  if (!thread)
    return;
  thread->time += ns;
  if (!thread->block->yield() && !kperf::host::isVirtualClock())
    std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

#endif
