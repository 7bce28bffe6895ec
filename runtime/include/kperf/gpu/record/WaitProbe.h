// What the sync rewriter's probes execute: waits that say what they waited for, and signals. Emitted: kperf::ConvergentWait,
// FirstWait, DivergentWait, Wait, signal, barrierAt, expectedAt.
#ifndef KPERF_GPU_WAIT_PROBE_H
#define KPERF_GPU_WAIT_PROBE_H

#include <kperf/gpu/record/KernelScopes.h>

namespace kperf {

// Waits, by who makes them: what is waited for stands in place of the lanes.
#define KPERF_KERNEL_WAIT(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                          \
  template <typename Owner> class wait : detail::KernelSpan<Owner, detail::recordingLanes, true> {                                         \
  public:                                                                                                                                  \
    __host__ __device__ __forceinline__ wait(Owner &owner, uint32_t object, uint32_t id)                                                   \
        : detail::KernelSpan<Owner, detail::recordingLanes, true>(owner, object, id) {}                                                    \
  };
KPERF_KERNEL_PROBES(KPERF_KERNEL_WAIT)
#undef KPERF_KERNEL_WAIT

/// A wait of any function.
class Wait : Scope {
public:
  __host__ __device__ __forceinline__ Wait(uint32_t object, uint32_t id) : Scope(id) {
#ifdef KPERF_DEVICE_CODE
    record.lanes = object;
#else
    (void)object;
#endif
  }
};

/// What others wait for, done with `object`.
__host__ __device__ __forceinline__ void signal(uint32_t object, uint32_t id) { mark(id, object); }

namespace detail {

/// Bits of a shared address that are its offset in the block's shared memory. In a cluster an address made of a pointer has the block's
/// rank in the bits above (seen on an H200), and one that was made of an offset has not.
inline constexpr uint32_t kSharedOffsetMask = 0xffffff;

} // namespace detail

/// Offset in the block's shared memory of a barrier that a pointer, or its value as an integer of 64 bits, names; one of 32 bits is an
/// address there already.
template <typename Barrier> __host__ __device__ __forceinline__ uint32_t barrierAt(Barrier barrier) {
#ifdef KPERF_DEVICE_CODE
  if constexpr (sizeof(Barrier) == sizeof(uint64_t))
    return detail::sharedAddressOf(reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(barrier))) & detail::kSharedOffsetMask;
  else
    return static_cast<uint32_t>(barrier) & detail::kSharedOffsetMask;
#else
  (void)barrier;
  return 0;
#endif
}

/// What an Expect says (format.h's kExpectedShift) of an object and a number of arrivals.
__host__ __device__ __forceinline__ uint32_t expectedAt(uint32_t object, uint32_t arrivals) {
  return object >> 3 | (arrivals < format::kMaxExpected ? arrivals : format::kMaxExpected) << format::kExpectedShift;
}

} // namespace kperf

#endif
