// Which executions of a memory access are counted when only 1 in N is.
#ifndef KPERF_ACCESS_SAMPLE_H
#define KPERF_ACCESS_SAMPLE_H

#include <kperf/rules/HostDevice.h>

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

namespace kperf {
namespace detail {

constexpr uint32_t kMaxAccessesSampledLog2 = 16;
/// And of how many launches of a kernel behind its first one.
constexpr uint32_t kLaunchesSampled = 16;

/// Where it is below accessLimit, which has probability 1/N, the execution is counted, as good as independently of all others. It is even.
/// `moment`: differs from one execution of a warp to the next, and from warp to warp. The 64-bit product folded once, and one product more,
/// choose among arithmetic progressions of any step as evenly as scrambled() (test/decoder/memory/SampledExecutionsTest.cpp); a GPU needs
/// four instructions for them, and each execution that is passed over pays for all of them.
KPERF_HOST_DEVICE constexpr uint32_t accessHash(uint32_t moment) {
  const uint64_t product = uint64_t{moment} * 0x9e3779b1u;
  return (static_cast<uint32_t>(product) ^ static_cast<uint32_t>(product >> 32)) * (2u * 0x846ca68bu);
}

/// Where one execution in 2^log2 is counted, at most 31. Below 0, which memory that nobody wrote holds, is none.
KPERF_HOST_DEVICE constexpr uint32_t accessLimit(uint32_t log2) { return log2 ? uint32_t{1} << (32 - log2) : ~uint32_t{0}; }
/// The logarithm that a limit is of; of 0, below which none is, it is that of all.
KPERF_HOST_DEVICE constexpr uint32_t accessLimitLog2(uint32_t limit) {
  uint32_t log2 = 0;
  while (limit != 0 && limit < accessLimit(log2))
    ++log2;
  return log2;
}

} // namespace detail
} // namespace kperf

#endif
