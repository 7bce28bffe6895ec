// The host's wall clock, by which launches, NVTX ranges and readings of devices' clocks stand beside each other.
#ifndef KPERF_WALL_CLOCK_H
#define KPERF_WALL_CLOCK_H

#include <cstdint>
#include <ctime>

namespace kperf {
namespace detail {

/// Nanoseconds since 1970, as in kperf::format::LaunchRecord.
inline uint64_t hostNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

} // namespace detail
} // namespace kperf

#endif
