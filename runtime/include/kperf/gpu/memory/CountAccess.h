// Counts an access by the lanes that make it together in the counters of its site.
#ifndef KPERF_GPU_COUNT_ACCESS_H
#define KPERF_GPU_COUNT_ACCESS_H

#include <kperf/gpu/memory/AccessCounts.h>
#include <kperf/gpu/memory/AccessSample.h>
#include <kperf/gpu/record/Probe.h>
#include <kperf/gpu/vendor/Vendor.h>
#include <kperf/rules/MachineCode.h>
#include <kperf/rules/MemoryCalls.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// Where an execution of a site is counted.
struct CountersAt {
  uint64_t row;     ///< device address of the kperf_site_row in the block's copy; 0 where it is not counted
  MachineCode code; ///< of the instructions that make its accesses
  uint64_t often;   ///< device address of what is to be added one to where the execution makes a step; 0
};

/// `moment`: IterationSample's, where executions are sampled.
__device__ __forceinline__ CountersAt countersOf(SiteAt site, uint32_t moment = 0) {
  const uint64_t table = kperf_config.sites;
  for (uint32_t slot = site.id();; ++slot) {
    slot &= kperf_config.site_mask;
    const kperf_site_entry entry = loadEntry(table + slot * sizeof(kperf_site_entry));
    if (entry.id == 0)
      return {0, {0}, 0};
    if (entry.id != site.id())
      continue;
    const MachineCode code = {entry.row >> KPERF_MACHINE_CODE_SHIFT};
    uint32_t copy = copyOfCounters(moment), rate = 0;
    uint64_t often = 0;
    if (!kCountsEveryAccess && kperf_config.access_log2 != 0) {
      if (site.runsOnce()) {
        rate = accessRate();
      } else {
        const uint64_t word = table + (kperf_config.site_mask + uint64_t{1}) * sizeof(kperf_site_entry) + slot * sizeof(uint64_t);
        const uint32_t randomBits = randomBitsOf(moment), chosenAt = moment & 3, level = accessLevelOf(loadLatest(word));
        if (!isCountedAtLevel(randomBits, chosenAt, level, kperf_config.access_log2))
          return {0, code, 0};
        often = level + 1 < kAccessRates && isStep(randomBits) ? word : 0;
        rate = level > chosenAt ? level : chosenAt;
      }
    }
    const uint64_t row = uint64_t{copy} * kperf_config.site_rows + (entry.row & ((1u << KPERF_MACHINE_CODE_SHIFT) - 1)) + rate;
    return {kperf_config.site_counters + row * sizeof(kperf_site_row), code, often};
  }
}

/// Adds the counters in [first, end), each by another lane, to those at `row`.
template <typename Counts>
__device__ __forceinline__ void addAll(uint64_t row, const AccessingLanes &who, const Counts &counts, uint32_t first, uint32_t end) {
  for (; first < end; first += who.count) { // as often for each lane
    const uint32_t counter = first + who.rank, value = counts[counter];
    addTo(row + counter * sizeof(uint64_t), value, counter < end && value != 0);
  }
}

/// An access to memory that has neither sectors nor banks.
__device__ __forceinline__ void countElsewhere(uint64_t row, votes::Lanes lanes) {
  addTo(row + offsetof(kperf_site_row, counts) + format::kOtherAccesses * sizeof(uint64_t), 1, row != 0 && isLowest(lanes));
}

/// One instruction by `lanes`, `size` bytes at each one's address, of whatever pattern; `row` is that of its site.
template <AccessKind Kind> __device__ __forceinline__ void countAny(uint64_t row, votes::Lanes lanes, const void *address, uint32_t size) {
  const uint64_t counters = row + offsetof(kperf_site_row, counts);
  const votes::Lanes global = votes::ballot(lanes, isGlobal(address)), shared = votes::ballot(lanes, isShared(address));
  if (isGlobal(address)) {
    const AccessingLanes who(global, physicalLane());
    addAll(counters, who, GlobalCounts(who, reinterpret_cast<uint64_t>(address), size, Kind), format::kAccesses, format::kSharedAccesses);
  } else if (isShared(address)) {
    const AccessingLanes who(shared, physicalLane());
    addAll(counters, who, SharedCounts(who, sharedAddressOf(address), size, Kind), format::kSharedAccesses, format::kOtherAccesses);
  } else {
    countElsewhere(row, lanes & ~global & ~shared);
  }
}

/// An access to constant memory, which has no sectors.
inline __device__ __attribute__((noinline)) void countConstant(votes::Lanes lanes, uint32_t site, uint32_t moment) {
  if (!kCountsEveryAccess && moment == 0)
    moment = momentAlone();
  if constexpr (!kCountsEveryAccess) // else that was asked already
    if (kperf_config.sites == 0 || !isOfSample(kperf_config.sample))
      return;
  countElsewhere(countersOf(site, moment).row, lanes);
}

} // namespace detail
} // namespace kperf

#endif
#endif
