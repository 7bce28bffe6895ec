// Chooses the executions of a memory access that are counted when only 1 in N is.
#ifndef KPERF_ACCESS_SAMPLE_H
#define KPERF_ACCESS_SAMPLE_H

#include <kperf/rules/HostDevice.h>

#ifndef __CUDACC_RTC__
#include <cmath>
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

/// A number of (0, 1], all of which are as likely, of what accessHash() gives.
KPERF_HOST_DEVICE constexpr float uniformOf(uint32_t hash) { return static_cast<float>(hash | 1) * 2.3283064365386963e-10f; }

/// -log2 of such a number times this, rounded down, is how many iterations come before the next one that is counted where one in 2^log2 is:
/// k or more with a probability of (1 - 1/2^log2)^k (L. Devroye, Non-Uniform Random Variate Generation, chapter X.2).
#ifndef __CUDACC_RTC__
inline float accessGap(uint32_t log2) {
  return log2 == 0 ? 0.0f : static_cast<float>(-1 / std::log2(1 - std::ldexp(1.0, -static_cast<int>(log2))));
}
#endif

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
constexpr uint32_t kAccessRates = 3; ///< and as many levels
KPERF_HOST_DEVICE constexpr uint32_t accessRateLog2(uint32_t rate, uint32_t log2) {
  return rate == 0 ? log2 : rate == 1 ? (log2 + 1) / 2 : 0;
}
/// Of other sites fewer are counted when many have been: one in 2^accessLevelLog2(level, log2) at a level, which is one higher when about
/// kStepsPerLevel * kCountedPerStep have been. Their number is then known to within 3 % (1.96 / sqrt(4096)), and one that is counted takes
/// a warp about a thousand cycles (estimated from the times of examples/sgemm, H100).
constexpr uint32_t kStepsPerLevel = 32, kCountedPerStep = 128;
KPERF_HOST_DEVICE constexpr uint32_t accessLevelLog2(uint32_t level, uint32_t log2) {
  return log2 == 0 ? 0 : log2 + 4 * level < kMaxAccessesSampledLog2 ? log2 + 4 * level : kMaxAccessesSampledLog2;
}
/// `often`: the word behind the table of kperf_site_entry.
KPERF_HOST_DEVICE constexpr uint32_t accessLevelOf(uint64_t often) {
  return often / kStepsPerLevel < kAccessRates - 1 ? static_cast<uint32_t>(often) / kStepsPerLevel : kAccessRates - 1;
}

/// Whether an execution that was chosen at one level is one of those that are counted at another, if that is higher. The chance depends on
/// nothing but what was before it, so that estimates stay without bias. `randomBits`: a scrambled() number.
KPERF_HOST_DEVICE constexpr bool isCountedAtLevel(uint32_t randomBits, uint32_t chosenAt, uint32_t level, uint32_t log2) {
  return level <= chosenAt || (randomBits & ((1u << (accessLevelLog2(level, log2) - accessLevelLog2(chosenAt, log2))) - 1)) == 0;
}
/// Whether one that is counted makes a step. Of other bits of the number.
KPERF_HOST_DEVICE constexpr bool isStep(uint32_t randomBits) { return randomBits / (~0u / kCountedPerStep + 1) == 0; }

/// At which level a warp counts the next iteration of loops of which it has counted so many, where as many warps may do the same: all of
/// them count about 2048 at the first level, and no fewer than four each.
KPERF_HOST_DEVICE constexpr uint32_t iterationLevelOf(uint32_t counted, uint32_t warps) {
  const uint32_t share = 2048 / (warps == 0 ? 1 : warps), first = share < 4 ? 4 : share;
  return counted < first ? 0 : counted / 8 < first ? 1 : 2;
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
