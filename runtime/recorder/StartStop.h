// Tells whether launches are recorded now: KPERF_START, KPERF_CONTROL, kperf::start() and kperf::stop().
#ifndef KPERF_RUNTIME_STARTSTOP_H
#define KPERF_RUNTIME_STARTSTOP_H

#include "runtime/file/TraceFile.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kperf::runtime {

class StartStop {
public:
  /// `controlFile`: the user writes "on" or "off" into it while the program runs; empty: nobody does.
  StartStop(bool isStarted, std::string controlFile) : isStarted(isStarted), controlFile(std::move(controlFile)) {}

  bool isOn() const { return isStarted; }
  void set(bool isToRecord) { isStarted = isToRecord; }
  /// What the control file says, where that is another than when it was last looked at. Looks at most every kBetweenLooks, and waits for
  /// nobody who writes to it.
  std::optional<bool> change();

  /// A launch was made while nothing is recorded.
  void noteLaunch() { ++missed, ++allMissed; }
  /// Adds them to the losses, where that was not done yet.
  void addMissed(TraceFile &file, std::vector<format::LossRecord> &losses);
  /// How many in all.
  std::uint64_t missedLaunches() const { return allMissed; }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kBetweenLooks{100};

  bool isStarted;
  std::string controlFile, lastWord;
  Clock::time_point nextLook = Clock::now();
  std::uint64_t missed = 0, allMissed = 0;
};

} // namespace kperf::runtime

#endif
