// How AMD GPUs count an access: each of its instructions by all counters at once, and by a call of its own the references to the cache
// lines that it touches. Patterns take more scalar registers than there are.
#ifndef KPERF_HIP_COUNT_AT_ONCE_H
#define KPERF_HIP_COUNT_AT_ONCE_H

#include <kperf/gpu/memory/CountAccess.h>
#include <kperf/gpu/memory/ReferenceLog.h>
#include <kperf/rules/AccessPieces.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// Counts an access of `lanes` by `count` instructions of `size` bytes.
template <AccessKind Kind>
__device__ __forceinline__ void countPieces(votes::Lanes lanes, SiteAt site, const char *address, uint32_t size, uint32_t count) {
  const uint64_t row = countersOf(site).row;
  if (row == 0)
    return;
#pragma unroll 1
  for (uint32_t piece = 0; piece < count; ++piece)
    countAny<Kind>(row, lanes, address + piece * size, size);
}

/// On AMD GPUs references are kept by a call of its own: together with the counters it would take more scalar registers
/// than there are.
inline __device__ __attribute__((noinline)) void keepPieces(votes::Lanes lanes, SiteAt site, const char *address, uint32_t size,
                                                            uint32_t count) {
  const uint64_t log = kperf_config.references;
  if (log == 0)
    return;
  const AccessingLanes who(lanes, physicalLane());
  const bool isInGlobal = isGlobal(address);
  const uint32_t closed = loadRecent(log + offsetof(kperf_reference_log, closed));
#pragma unroll 1
  for (uint32_t piece = 0; piece < count; ++piece) {
    const auto at = reinterpret_cast<uint64_t>(address + piece * size);
    keepReferences(log, who, isInGlobal && isOpen(closed, at), at, site);
  }
}

/// A kernel of many accesses would be a hundred times as long otherwise.
template <AccessKind Kind>
__device__ __attribute__((noinline)) void callCountPieces(votes::Lanes lanes, SiteAt site, const char *address, uint32_t size,
                                                          uint32_t count) {
  countPieces<Kind>(lanes, site, address, size, count);
}

template <bool IsCalled> struct Counting {
  template <AccessKind Kind>
  static __device__ __forceinline__ void access(votes::Lanes lanes, SiteAt site, uint32_t, const char *address, Pieces pieces) {
    if constexpr (IsCalled)
      callCountPieces<Kind>(lanes, site, address, pieces.bytes, pieces.count);
    else
      countPieces<Kind>(lanes, site, address, pieces.bytes, pieces.count);
    keepPieces(lanes, site, address, pieces.bytes, pieces.count);
  }
  static __device__ __forceinline__ void bulk(SiteAt, uint32_t, const void *, uint32_t) {} ///< there are no bulk copies
};

} // namespace detail
} // namespace kperf

#endif
#endif
