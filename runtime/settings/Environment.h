// The user's settings from the environment; docs/reference/environment.md is the reference.
#ifndef KPERF_RUNTIME_ENVIRONMENT_H
#define KPERF_RUNTIME_ENVIRONMENT_H

#include <chrono>
#include <cstdint>
#include <string>

namespace kperf::runtime {

struct Environment {
  bool enabled = true;                  ///< KPERF=0 turns recording off
  bool quiet = false;                   ///< KPERF_QUIET=1: no line about the written file; faults are still reported
  bool keepLast = false;                ///< KPERF_KEEP=last
  bool startsOff = false;               ///< KPERF_START=off: nothing is recorded until that is asked for
  std::string control;                  ///< KPERF_CONTROL: a file that asks for it, or for the contrary (StartStop.h)
  std::string output;                   ///< KPERF_OUTPUT: a file, or a directory; %p becomes the process id
  std::uint64_t bufferBytes = 0;        ///< KPERF_BUFFER_MB on each device; 0: chosen from the device's memory
  std::uint32_t recordsPerWarp = 1024;  ///< KPERF_RECORDS, rounded up to a power of two
  std::uint32_t skip = 0;               ///< KPERF_SKIP: records of a warp that come before those it keeps; not with keepLast
  std::string kernels, regions;         ///< KPERF_KERNELS, KPERF_REGIONS: patterns of what is recorded (Switches.h)
  bool timesLaunches = false;           ///< KPERF_LAUNCH_TIMES=1
  std::chrono::milliseconds watchdog{}; ///< KPERF_WATCHDOG, in seconds; 0: nobody watches
  std::uint32_t sample = 0;             ///< KPERF_SAMPLE: one in this many blocks is recorded; 0: what the modules ask for
  std::uint32_t sampleLaunches = 0;     ///< KPERF_SAMPLE_LAUNCHES: one in this many launches of a kernel is recorded; 0: all
  double overheadBudget = 0;            ///< KPERF_OVERHEAD_BUDGET, as a share of the launches' time; 0: nobody said
  std::uint32_t sampleAccesses =
      0;                       ///< KPERF_SAMPLE_ACCESSES: one in this many executions of an access is counted, a power of two; 0: as above
  bool thinsWideGrids = false; ///< nobody said how many: of wide launches fewer blocks are recorded (kperf/rules/BlockSample.h)

  std::uint32_t lineRecords = 131072; ///< KPERF_LINES: references kept of each class of cache lines; 0 keeps none

  /// KPERF_KERNELS and KPERF_REGIONS as they were set.
  std::string switchesText() const;

  /// Reads the process environment; says on stderr what it could not use, and keeps the default for that.
  static Environment read();
};

/// Where this process's trace goes: `<program>.<pid>.kperf` in the current directory unless the user said otherwise.
std::string tracePath(const Environment &environment, const std::string &executable, std::uint64_t processId);

} // namespace kperf::runtime

#endif
