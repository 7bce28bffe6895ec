// Chooses the executions of a memory access that are counted when only 1 in N is.
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
/// four instructions for them, and each execution that is skipped pays for all of them.
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

/// Executions that are to be left to count, as a logarithm, of a site that each warp of a launch comes to once: of fewer a sample tells
/// too little. Their number is then known to within an eighth (1.96 / 16). More of them are dear in short kernels: with 2048, one of 14 us
/// of HeCBench's radixsort took 25 times as long in a launch that is recorded, and 8 with 256 (H100).
constexpr uint32_t kMinCountedLog2 = 8;

/// One in 2^accessRateLog2(rate, log2) executions is counted: at rate 0 one in 2^log2, at the last one all.
constexpr uint32_t kAccessRates = 3;
KPERF_HOST_DEVICE constexpr uint32_t accessRateLog2(uint32_t rate, uint32_t log2) {
  return rate == 0 ? log2 : rate == 1 ? (log2 + 1) / 2 : 0;
}
/// The rate of a site that so many warps of the launch, in the blocks that are sampled, come to once: so that about 2^kMinCountedLog2
/// executions are counted, if there are as many. A site has counters of each rate, for launches differ.
KPERF_HOST_DEVICE constexpr uint32_t accessRateOf(uint32_t warps, uint32_t log2) {
  const uint32_t parts = warps == 0 ? 0 : (warps - 1) >> kMinCountedLog2;
  if (log2 == 0 || parts >> log2 != 0)
    return 0;
  return parts >> accessRateLog2(1, log2) ? 1 : 2;
}

} // namespace detail
} // namespace kperf

#endif
