// Sleeps until there has been no activity for long enough.
#include "runtime/recorder/Watchdog.h"
#include "runtime/settings/Log.h"

#include <csignal>
#include <system_error>
#include <utility>

namespace kperf::runtime {

Watchdog::Watchdog(std::chrono::milliseconds patience, std::function<void()> act) : patience(patience), act(std::move(act)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // a thread begins with its maker's mask
  try {
    thread = std::thread([this] { watch(); });
  } catch (const std::system_error &error) {
    log("KPERF_WATCHDOG is not heeded: no thread: %s", error.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex);
    isEnding = true;
  }
  ended.notify_one();
  if (thread.joinable())
    thread.join();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex);
  auto since = lastActivity.load(std::memory_order_relaxed);
  auto silence = patience;
  while (!ended.wait_until(lock, since + silence, [this] { return isEnding; })) {
    const auto now = lastActivity.load(std::memory_order_relaxed);
    if (std::exchange(since, now) != now) {
      silence = patience;
      continue;
    }
    lock.unlock();
    act();
    lock.lock();
    silence *= 2;
  }
}

} // namespace kperf::runtime
