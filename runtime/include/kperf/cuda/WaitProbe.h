// What the sync rewriter's probes execute on CUDA: waits that say what they waited for, and signals. Emitted: kperf::OwnWait,
// FirstWait, SplitWait, Wait, signal, barrierAt.
#ifndef KPERF_CUDA_WAIT_PROBE_H
#define KPERF_CUDA_WAIT_PROBE_H

#include <kperf/cuda/KernelScopes.h>

namespace kperf {

/// A wait, which takes the whole warp: what was waited for stands in place of the lanes.
template <typename Owner> class OwnWait {
public:
  __host__ __device__ __forceinline__ OwnWait(Owner &owner, uint32_t object, uint32_t id)
      : owner(owner), object(object), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    start = Owner::clockOfWarp();
#endif
  }
  __host__ __device__ __forceinline__ ~OwnWait() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    Owner::settleIfNeeded();
    owner.own.appendSince(start, detail::tagOf(format::RecordKind::Span, id), object);
#endif
  }

private:
  Owner &owner;
  uint32_t object, id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// A wait of a kernel's body that lane 0 of a warp makes alone.
template <typename Owner> class FirstWait {
public:
  __host__ __device__ __forceinline__ FirstWait(Owner &owner, uint32_t object, uint32_t id)
      : owner(owner), object(object), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    start = Owner::clockOfLanes();
#endif
  }
  __host__ __device__ __forceinline__ ~FirstWait() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    const uint32_t stop = Owner::clockOfLanes();
    owner.lane.append(start, stop, detail::tagOf(format::RecordKind::Span, id), object);
#endif
  }

private:
  Owner &owner;
  uint32_t object, id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// A wait of a kernel's body in control flow that may part a warp.
template <typename Owner> class SplitWait {
public:
  __host__ __device__ __forceinline__ SplitWait(Owner &owner, uint32_t object, uint32_t id)
      : owner(owner), object(object), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    lanes = detail::activeLanes();
    start = Owner::clockOfLanes();
#endif
  }
  __host__ __device__ __forceinline__ ~SplitWait() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    const uint32_t stop = Owner::clockOfLanes(), tag = detail::tagOf(format::RecordKind::Span, id);
    owner.lane.append(start, stop, tag, object);
    if (!(lanes & 1))
      owner.shared.append(start, stop, tag, lanes, object);
#endif
  }

private:
  Owner &owner;
  uint32_t object, id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
  detail::LaneMask lanes;
#endif
};

/// A wait of any function.
class Wait {
public:
  __host__ __device__ __forceinline__ Wait(uint32_t object, uint32_t id) : object(object), id(id) {
#ifdef KPERF_DEVICE_CODE
    start = detail::settledClock();
#endif
  }
  __host__ __device__ __forceinline__ ~Wait() {
#ifdef KPERF_DEVICE_CODE
    const uint32_t stop = detail::settledClock();
    record.lanes = object;
    record.store(start, stop, detail::tagOf(format::RecordKind::Span, id));
#endif
  }

private:
#ifdef KPERF_DEVICE_CODE
  detail::Reservation record; // declared first: reserved before the clock is read
  uint32_t start;
#endif
  uint32_t object, id;
};

/// What others wait for, done with `object`.
__host__ __device__ __forceinline__ void signal(uint32_t object, uint32_t id) { mark(id, object); }

/// Address in the shared window of a barrier that a pointer, or its value as an integer of 64 bits, names; one of 32 bits is such
/// an address already.
template <typename Barrier> __host__ __device__ __forceinline__ uint32_t barrierAt(Barrier barrier) {
#ifdef KPERF_DEVICE_CODE
  if constexpr (sizeof(Barrier) == sizeof(uint64_t))
    return detail::sharedAddressOf(reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(barrier)));
  else
    return static_cast<uint32_t>(barrier);
#else
  (void)barrier;
  return 0;
#endif
}

} // namespace kperf

#endif
