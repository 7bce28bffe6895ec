// Keeps references to cache lines on GPUs, as far as their classes have room (kperf/format_references.h).
//
// A class that is full costs its lanes one load. So the cost of keeping is bounded, however long a kernel runs.
#ifndef KPERF_GPU_REFERENCE_LOG_H
#define KPERF_GPU_REFERENCE_LOG_H

#include <kperf/gpu/memory/AccessCounts.h>
#include <kperf/gpu/record/Slot.h>
#include <kperf/gpu/vendor/Vendor.h>
#include <kperf/rules/LineClass.h>
#include <kperf/rules/MemoryCalls.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

static_assert(SiteAt(0).iteration == format::kNoIteration);

/// One record in the memory of the line's class.
__device__ __forceinline__ void storeReference(uint64_t log, uint64_t line, uint32_t sectors, SiteAt site) {
  const uint32_t lineClass = classOfLine(line), order = fetchAdd(log + offsetof(kperf_reference_log, order), 1);
  const uint32_t slot = fetchAdd(log + offsetof(kperf_reference_log, used) + lineClass * sizeof(uint32_t), 1);
  if (slot >= kperf_config.reference_room)
    return setBits(log + offsetof(kperf_reference_log, closed), uint32_t{1} << lineClass);
  const uint64_t at =
      log + sizeof(kperf_reference_log) + (lineClass * kperf_config.reference_room + slot) * sizeof(format::ReferenceRecord);
  *reinterpret_cast<format::ReferenceRecord *>(at) = {packedLine(line, smId(), lineClass), order,
                                                      site.id() | sectors << format::kReferenceSectorShift, site.iteration, 0};
}

constexpr uint32_t kAllClasses = (uint32_t{1} << format::kReferenceClasses) - 1;

/// Whether the line's class has room yet.
__device__ __forceinline__ bool isOpen(uint32_t closed, uint64_t address) {
  return (closed >> classOfLine(address / format::kLineBytes) & 1) == 0;
}

/// Each line that lanes with `isKept` touch is one reference; all lanes of `who` come. `touched`: a bit for each sector
/// of its line that the calling lane touches.
__device__ __forceinline__ void keepReferencesToLine(uint64_t log, const AccessingLanes &who, bool isKept, uint64_t line, uint32_t touched,
                                                     SiteAt site) {
#pragma unroll 1
  for (votes::Lanes rest = votes::ballot(who.mask, isKept); rest;) {
    const uint32_t first = votes::lowestOf(rest);
    const bool isHere = line == votes::valueOf(who.mask, line, first);
    rest &= ~votes::ballot(who.mask, isHere);
    const uint32_t own = isHere ? touched : 0;
    uint32_t sectors = 0;
#pragma unroll
    for (uint32_t sector = 1; sector < 16; sector *= 2)
      sectors |= votes::ballot(who.mask, (own & sector) != 0) ? sector : 0;
    if (who.lane == first)
      storeReference(log, line, sectors, site);
  }
}
__device__ __forceinline__ void keepReferences(uint64_t log, const AccessingLanes &who, bool isKept, uint64_t address, SiteAt site) {
  keepReferencesToLine(log, who, isKept, address / format::kLineBytes, 1u << static_cast<uint32_t>(address) / format::kSectorBytes % 4,
                       site);
}

} // namespace detail
} // namespace kperf

#endif
#endif
