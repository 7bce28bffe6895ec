// A thread that acts when nothing has been heard of for some time.
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
  /// Calls `act` on its own thread `patience` after the last hear(), after twice as long, and so on, until it hears again. Its thread
  /// takes none of the program's signals. Where there can be no thread, it says so and never acts.
  Watchdog(std::chrono::milliseconds patience, std::function<void()> act);
  /// Waits for `act` where it is under way.
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// Something happened.
  void hear() { heard.store(Clock::now(), std::memory_order_relaxed); }

private:
  using Clock = std::chrono::steady_clock;

  void watch();

  std::chrono::milliseconds patience;
  std::function<void()> act;
  std::atomic<Clock::time_point> heard = Clock::now();
  std::mutex mutex;
  std::condition_variable ended;
  bool isEnding = false;
  std::thread thread; ///< last: it uses the others
};

} // namespace kperf::runtime

#endif
