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

/// Warps that read the same clock at the same time are of different blocks, or have other numbers there. ptxas reads it by S2UR, which
/// takes several times as long as CS2R and which nothing was found to prevent.
__device__ __forceinline__ uint32_t accessMoment() { return clock32() + hashedBlock() * 0x85ebca6bu + warpInBlock() * 0xc2b2ae35u; }

/// How many iterations of a loop come before the next one that is counted at that level, so that each has a probability of 1/N whatever was
/// before it: the same in all lanes that ask together.
__device__ __forceinline__ uint32_t iterationsToSkip(uint32_t moment, uint32_t level) {
  return kperf_config.access_limit == 0 ? ~uint32_t{0}
                                        : __float2uint_rz(-__log2f(uniformOf(accessHash(moment))) * kperf_config.access_gaps[level]);
}

__device__ __forceinline__ uint32_t launchedWarps() {
  const uint32_t warps = (blockDim.x * blockDim.y * blockDim.z + warpLanes() - 1) / warpLanes();
  return gridDim.x * gridDim.y * gridDim.z * warps;
}
/// At which of the rates executions of a site that runs once are sampled in this launch.
__device__ __forceinline__ uint32_t accessRate() {
  return accessRateOf(launchedWarps() >> kperf_config.sample_log2, kperf_config.access_log2);
}

/// The same in all lanes that call together.
__device__ __forceinline__ bool isChosenAccess(SiteAt site) {
  const uint32_t limit = site.runsOnce() ? accessLimit(accessRateLog2(accessRate(), kperf_config.access_log2)) : kperf_config.access_limit;
  return accessHash(accessMoment()) < limit;
}
/// Of its own type, so that a compiler has nothing to take out again where iterations were asked about.
__device__ __forceinline__ bool isChosenAccess(IterationSite site) { return site.sample.choice == IterationSample::AllCounted; }
__device__ __forceinline__ uint32_t chosenMoment(SiteAt) { return 0; }
__device__ __forceinline__ uint32_t chosenMoment(IterationSite site) { return site.sample.moment; }

/// IterationSample's, of an execution that was asked about alone.
__device__ __forceinline__ uint32_t momentAlone() { return accessMoment() & ~3u; }

/// What decides further about an execution that was chosen at that moment, independently of its copy; the same in all lanes.
__device__ __forceinline__ uint32_t randomBitsOf(uint32_t moment) { return scrambled(moment + 0x9e3779b9u); }

/// The copy of all counters that the calling block adds to: its multiprocessor's, or where executions are sampled any one, or where blocks
/// are sampled its group's. Where scalar registers are few it is its multiprocessor's always, so that it isn't known there how far
/// estimates are off. `moment`: IterationSample's, where executions are sampled. The accesses of an iteration share a copy, so that copies
/// differ as much as sums over several sites do.
__device__ __forceinline__ uint32_t copyOfCounters(uint32_t moment) {
  uint32_t copy = smId();
  if (!kCountsEveryAccess && kperf_config.access_limit != ~uint32_t{0})
    copy = scrambled(moment);
  if (!kScalarRegistersAreFew && kperf_config.sample > 1)
    copy = blockGroup(gridId(), linearBlock());
  return copy & kperf_config.site_copy_mask;
}

} // namespace detail
} // namespace kperf

#endif
#endif
