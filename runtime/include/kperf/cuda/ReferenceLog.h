// Keeps references to cache lines on GPUs, as far as their classes have room (kperf/format_references.h).
//
// A class that is full costs its lanes one load. So the cost of keeping is bounded, however long a kernel runs.
#ifndef KPERF_CUDA_REFERENCE_LOG_H
#define KPERF_CUDA_REFERENCE_LOG_H

#include <kperf/LineClass.h>
#include <kperf/MemoryCalls.h>
#include <kperf/cuda/AccessCounts.h>
#include <kperf/cuda/Slot.h>
#if defined(__HIP__)
#include <kperf/hip/MemorySpaces.h>
#else
#include <kperf/cuda/MemorySpaces.h>
#endif

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

static_assert(SiteAt(0).iteration == format::kNoIteration);

/// One record in the class's memory. False when that is full.
__device__ __forceinline__ bool storeReference(uint64_t log, uint32_t lineClass, const format::ReferenceRecord &record) {
  const uint32_t slot = fetchAdd(log + offsetof(kperf_reference_log, used) + lineClass * sizeof(uint32_t), 1);
  if (slot >= kperf_config.reference_room)
    return false;
  const uint64_t at = log + sizeof(kperf_reference_log) +
                      (uint64_t{lineClass} * kperf_config.reference_room + slot) * sizeof(format::ReferenceRecord);
  *reinterpret_cast<format::ReferenceRecord *>(at) = record;
  return true;
}

/// The lanes of `who` access global memory together: each line that they touch is one reference.
__device__ __forceinline__ void keepReferences(const AccessingLanes &who, uint64_t address, SiteAt site) {
  const uint64_t log = kperf_config.references;
  if (log == 0)
    return;
  const uint64_t line = address / format::kLineBytes;
  const uint32_t lineClass = classOfLine(line);
  const uint32_t closed = loadFresh(log + offsetof(kperf_reference_log, closed));
  const votes::Lanes open = votes::ballot(who.mask, (closed >> lineClass & 1) == 0);
  if ((open & who.own()) == 0)
    return;
  const votes::Lanes same = votes::matching(open, line);
  const uint32_t sector = static_cast<uint32_t>(address / format::kSectorBytes) % 4;
  uint32_t sectors = 0;
  for (uint32_t each = 0; each < 4; ++each)
    sectors |= uint32_t{(votes::ballot(open, sector == each) & same) != 0} << each;
  const bool isFirst = who.isFirstOf(same);
  const votes::Lanes firsts = votes::ballot(open, isFirst);
  const uint32_t leader = votes::lowestOf(firsts);
  uint32_t order = 0;
  if (who.lane == leader)
    order = fetchAdd(log + offsetof(kperf_reference_log, order), votes::countOf(firsts));
  order = votes::valueOf(open, order, leader) + votes::countOf(firsts & (who.own() - 1));
  if (isFirst && !storeReference(log, lineClass,
                                 {packedLine(line, smId(), lineClass), order, site.id | sectors << format::kReferenceSectorShift,
                                  static_cast<uint32_t>(linearBlock()), site.iteration}))
    setBits(log + offsetof(kperf_reference_log, closed), uint32_t{1} << lineClass);
}

} // namespace detail
} // namespace kperf

#endif
#endif
