// A thread that acts when there has been no activity for some time.
#ifndef KPERF_RUNTIME_WATCHDOG_H
#define KPERF_RUNTIME_WATCHDOG_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace kperf::runtime {

class Watchdog {
public:
  /// Calls `act` on its own thread `patience` after the last noteActivity(), after twice as long, and so on, until there is activity again.
  /// Its thread takes none of the program's signals. Where there can be no thread, it says so and never acts.
  Watchdog(std::chrono::milliseconds patience, std::function<void()> act);
  /// Waits for `act` where it is under way.
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// Something happened.
  void noteActivity() { lastActivity.store(Clock::now(), std::memory_order_relaxed); }

private:
  using Clock = std::chrono::steady_clock;

  void watch();

  std::chrono::milliseconds patience;
  std::function<void()> act;
  std::atomic<Clock::time_point> lastActivity = Clock::now();
  std::mutex mutex;
  std::condition_variable ended;
  bool isEnding = false;
  std::thread thread; ///< last: it uses the others
};

} // namespace kperf::runtime

#endif
