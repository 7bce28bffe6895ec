// What is measured of each device before the program's first launch there and when it was waited for: what probes cost, and how the
// device's clock stands to the host's.
#ifndef KPERF_RUNTIME_CALIBRATION_H
#define KPERF_RUNTIME_CALIBRATION_H

#include "runtime/file/TraceFile.h"

#include <kperf/abi/module.h>

#include <array>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace kperf::runtime {

/// Of the current device, each time.
class Calibration {
public:
  /// Runs the module's calibration kernel, the first time that it is asked to on a device. Whether it ran.
  bool run(kperf_module &module, int device);
  /// Compares both clocks by the first module that can, unless that was done a moment ago. `isIdle`: no kernel of the program runs.
  void compareClocks(std::span<kperf_module *const> modules, int device, bool isIdle);
  /// Writes what compareClocks() found, and forgets it.
  bool write(TraceFile &file);

private:
  std::set<int> calibrated; ///< devices on which the calibration kernel ran
  std::map<int, std::chrono::steady_clock::time_point> compared;
  std::vector<format::ClockRecord> readings;
};

} // namespace kperf::runtime

#endif
