// Regions of a kernel's own body on CUDA, which record through its Kernel object. Emitted: kperf::OwnScope, FirstScope, SumScope,
// SplitScope.
#ifndef KPERF_CUDA_KERNEL_SCOPES_H
#define KPERF_CUDA_KERNEL_SCOPES_H

#include <kperf/cuda/Probe.h>

namespace kperf {

/// A region that a whole warp takes alike.
template <typename Owner> class OwnScope {
public:
  __host__ __device__ __forceinline__ OwnScope(Owner &owner, uint32_t id) : owner(owner), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    start = Owner::clockOfWarp();
#endif
  }
  __host__ __device__ __forceinline__ ~OwnScope() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    Owner::settleIfNeeded();
    owner.own.appendSince(start, detail::tagOf(format::RecordKind::Span, id), owner.lanes);
#endif
  }

private:
  Owner &owner;
  uint32_t id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// A region of a kernel's body that lane 0 of a warp enters alone.
template <typename Owner> class FirstScope {
public:
  __host__ __device__ __forceinline__ FirstScope(Owner &owner, uint32_t id) : owner(owner), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    start = Owner::clockOfLanes();
#endif
  }
  __host__ __device__ __forceinline__ ~FirstScope() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    const uint32_t stop = Owner::clockOfLanes();
    owner.lane.append(start, stop, detail::tagOf(format::RecordKind::Span, id), 1);
#endif
  }

private:
  Owner &owner;
  uint32_t id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// Which of its kernel's sums a region adds to.
template <uint32_t Index> struct Sum {};

/// A region that a whole warp takes alike, and whose entries are summed up.
template <typename Owner, uint32_t Index> class SumScope {
public:
  __host__ __device__ __forceinline__ SumScope(Owner &owner, Sum<Index>, uint32_t) : owner(owner) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    Owner::settleIfNeeded();
    owner.sums.template begin<Index>(start);
#endif
  }
  __host__ __device__ __forceinline__ ~SumScope() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    Owner::settleIfNeeded();
    owner.sums.template end<Index>(start);
#endif
  }

private:
  Owner &owner;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// A region of a kernel's body in control flow that may part a warp: as lane 0 saw it, or, where lane 0 is not among those
/// who enter, as the lowest of them did.
template <typename Owner> class SplitScope {
public:
  __host__ __device__ __forceinline__ SplitScope(Owner &owner, uint32_t id) : owner(owner), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    lanes = detail::activeLanes();
    start = Owner::clockOfLanes();
#endif
  }
  __host__ __device__ __forceinline__ ~SplitScope() {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded)
      return;
    const uint32_t stop = Owner::clockOfLanes(), tag = detail::tagOf(format::RecordKind::Span, id);
    owner.lane.append(start, stop, tag, lanes);
    if (!(lanes & 1))
      owner.shared.append(start, stop, tag, lanes, lanes);
#endif
  }

private:
  Owner &owner;
  uint32_t id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
  detail::LaneMask lanes;
#endif
};

} // namespace kperf

#endif
