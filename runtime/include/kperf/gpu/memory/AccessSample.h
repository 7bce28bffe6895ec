// Whether a GPU counts this execution of an access, and in which copy of the counters.
//
// What decides is a hash of the clock and of where the warp runs: it needs no state, in registers or elsewhere, and no vote, for all lanes
// of a warp that execute an instruction together read one clock. So a function's sites need not know of each other, an execution that
// is not counted takes seven instructions, and a loop of any length is sampled evenly.
#ifndef KPERF_GPU_ACCESS_SAMPLE_H
#define KPERF_GPU_ACCESS_SAMPLE_H

#include <kperf/gpu/record/Slot.h>
#include <kperf/rules/AccessSample.h>
#include <kperf/rules/MemoryCalls.h>

// kperf-cc --sample=accesses:N. Without it every execution is counted, by code that asks nothing.
#ifndef KPERF_ACCESSES_SAMPLED
#define KPERF_ACCESSES_SAMPLED 0
#endif

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// Where scalar registers are few there are none left for the question.
constexpr bool kCountsEveryAccess = kScalarRegistersAreFew || KPERF_ACCESSES_SAMPLED <= 1;

/// Warps that read the same clock at the same time are of different blocks, or have other numbers there. As ptxas does not know that a
/// warp's lanes have one number, it reads the clock by CS2R: by S2UR, for the registers of whole warps, it takes several times as long.
__device__ __forceinline__ uint32_t accessMoment() { return clock32() + hashedBlock() * 0x85ebca6bu + warpInBlock() * 0xc2b2ae35u; }

/// At which of the rates executions of a site that runs once are sampled in this launch.
__device__ __forceinline__ uint32_t accessRate() {
  const uint32_t warps = (blockDim.x * blockDim.y * blockDim.z + warpLanes() - 1) / warpLanes();
  return accessRateOf(gridDim.x * gridDim.y * gridDim.z * warps >> kperf_config.sample_log2, kperf_config.access_log2);
}

/// The same in all lanes that call together.
__device__ __forceinline__ bool isChosenAccess(SiteAt site) {
  const uint32_t limit = site.runsOnce() ? accessLimit(accessRateLog2(accessRate(), kperf_config.access_log2)) : kperf_config.access_limit;
  return accessHash(accessMoment()) < limit;
}

/// The copy of all counters that the calling block adds to: its multiprocessor's, or where executions are sampled any one, or where blocks
/// are sampled its group's. Where scalar registers are few it is its multiprocessor's always, so that it isn't known there how far
/// estimates are off.
__device__ __forceinline__ uint32_t copyOfCounters() {
  uint32_t copy = smId();
  if (!kCountsEveryAccess && kperf_config.access_limit != ~uint32_t{0})
    copy = scrambled(accessMoment());
  if (!kScalarRegistersAreFew && kperf_config.sample > 1)
    copy = blockGroup(gridId(), linearBlock());
  return copy & kperf_config.site_copy_mask;
}

} // namespace detail
} // namespace kperf

#endif
#endif
