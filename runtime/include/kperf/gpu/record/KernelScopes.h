// Regions of a kernel's own body, which record through its Kernel object. Emitted: kperf::ConvergentScope, FirstScope,
// SumScope, DivergentScope, ConvergentScopes; Reconvergence; and ConvergentRange, FirstRange, SumRange, DivergentRange.
#ifndef KPERF_GPU_KERNEL_SCOPES_H
#define KPERF_GPU_KERNEL_SCOPES_H

#include <kperf/gpu/record/Probe.h>

namespace kperf {

namespace detail {

/// A span of a kernel's body, from here to the end of the enclosing block, that `RecordingLanes` (a class of RecordingLanes.h) enter
/// and leave. HasObject: its record says what `object` was waited for.
template <typename Owner, typename RecordingLanes, bool HasObject> class KernelSpan {
protected:
  __host__ __device__ __forceinline__ KernelSpan(Owner &owner, uint32_t object, uint32_t id) : owner(owner), object(object), id(id) {
#ifdef KPERF_DEVICE_CODE
    if (owner.isRecorded && isRegionOn(id))
      recording.begin(owner);
#endif
  }
  __host__ __device__ __forceinline__ ~KernelSpan() {
#ifdef KPERF_DEVICE_CODE
    if (owner.isRecorded && isRegionOn(id))
      recording.template end<HasObject>(owner, tagOf(format::RecordKind::Span, id), object);
#endif
  }

private:
  Owner &owner;
  uint32_t object, id;
#ifdef KPERF_DEVICE_CODE
  RecordingLanes recording;
#endif
};

} // namespace detail

// Regions, by the lanes that enter them together. Classes and no aliases: C++17 deduces no argument of an alias.
#define KPERF_KERNEL_SCOPE(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                         \
  template <typename Owner> class scope : detail::KernelSpan<Owner, detail::recordingLanes, false> {                                       \
  public:                                                                                                                                  \
    __host__ __device__ __forceinline__ scope(Owner &owner, uint32_t id)                                                                   \
        : detail::KernelSpan<Owner, detail::recordingLanes, false>(owner, 0, id) {}                                                        \
  };
KPERF_KERNEL_PROBES(KPERF_KERNEL_SCOPE)
#undef KPERF_KERNEL_SCOPE

/// A region that statements of one block begin and end, where what is declared in between is used behind it: begin(), then end(). Trivial
/// to construct, so that jumps may pass by its declaration.
namespace detail {
template <typename RecordingLanes> class KernelRange {
public:
  template <typename Owner> __host__ __device__ __forceinline__ void begin(Owner &owner, uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    if (owner.isRecorded && isRegionOn(id))
      recording.begin(owner);
#else
    (void)owner, (void)id;
#endif
  }
  template <typename Owner> __host__ __device__ __forceinline__ void end(Owner &owner, uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    if (owner.isRecorded && isRegionOn(id))
      recording.template end<false>(owner, tagOf(format::RecordKind::Span, id), 0);
#else
    (void)owner, (void)id;
#endif
  }

#ifdef KPERF_DEVICE_CODE
private:
  RecordingLanes recording;
#endif
};
} // namespace detail

#define KPERF_KERNEL_RANGE(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                         \
  using range = detail::KernelRange<detail::recordingLanes>;
KPERF_KERNEL_PROBES(KPERF_KERNEL_RANGE)
#undef KPERF_KERNEL_RANGE

/// The same of a whole warp, whose entries are summed up.
template <uint32_t SumIndex> class SumRange {
public:
  template <typename Owner> __host__ __device__ __forceinline__ void begin(Owner &owner, uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded || !detail::isRegionOn(id))
      return;
    Owner::settleIfNeeded();
    owner.sums.template begin<SumIndex>(start);
#else
    (void)owner, (void)id;
#endif
  }
  template <typename Owner> __host__ __device__ __forceinline__ void end(Owner &owner, uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    if (!owner.isRecorded || !detail::isRegionOn(id))
      return;
    Owner::settleIfNeeded();
    owner.sums.template end<SumIndex>(start);
#else
    (void)owner, (void)id;
#endif
  }

#ifdef KPERF_DEVICE_CODE
private:
  uint32_t start;
#endif
};

/// Which of its kernel's sums a region adds to.
template <uint32_t SumIndex> struct Sum {};

/// A region that a whole warp enters and leaves together, and whose entries are summed up.
template <typename Owner, uint32_t SumIndex> class SumScope {
public:
  __host__ __device__ __forceinline__ SumScope(Owner &owner, Sum<SumIndex>, uint32_t id) : owner(owner), id(id) { range.begin(owner, id); }
  __host__ __device__ __forceinline__ ~SumScope() { range.end(owner, id); }

private:
  Owner &owner;
  uint32_t id;
  SumRange<SumIndex> range;
};

/// Regions of blocks between which no statement stands, and in which nothing else records into the same part; whole
/// warps enter and leave them. Each begins with a next(), which ends the one before; the destructor ends the last. Two at a
/// time share a clock and a record (format.h's RecordKind::Adjacent); where each may be switched off, none do.
template <typename Owner> class ConvergentScopes {
public:
  __host__ __device__ __forceinline__ explicit ConvergentScopes(Owner &owner) : owner(owner) {}
  __host__ __device__ __forceinline__ void next(uint32_t nextId) {
#ifdef KPERF_DEVICE_CODE
#ifndef KPERF_SWITCHABLE
    if (open == 1) {
      open = 2;
      if (!owner.isRecorded)
        return;
      Owner::settleIfNeeded();
      owner.own.turn(middle);
      return;
    }
#endif
    end();
    id = nextId;
    open = 1;
    if (!owner.isRecorded || !detail::isRegionOn(id))
      return;
    Owner::settleIfNeeded();
    owner.own.open(start);
#else
    (void)nextId;
#endif
  }
  __host__ __device__ __forceinline__ ~ConvergentScopes() { end(); }

private:
  __host__ __device__ __forceinline__ void end() {
#ifdef KPERF_DEVICE_CODE
    if (open == 0 || !owner.isRecorded || !detail::isRegionOn(id))
      return;
    Owner::settleIfNeeded();
    if (open == 2)
      owner.own.close(start, middle, detail::tagOf(format::RecordKind::Adjacent, id));
    else
      owner.own.closeFirst(start, detail::tagOf(format::RecordKind::Span, id), owner.lanes);
#endif
  }

  Owner &owner;
#ifdef KPERF_DEVICE_CODE
  uint32_t open = 0; ///< how many regions the record begun will hold; a constant wherever it is asked for, as the id is
  uint32_t id;       ///< of the first of them
  uint32_t start, middle;
#endif
};

/// Around a branch or a loop that lanes may leave one after another, asked by Kernel::stays(): behind it all of them are together again.
template <typename Owner> class Reconvergence {
public:
#ifdef KPERF_DEVICE_CODE
  __device__ __forceinline__ explicit Reconvergence(Owner &owner) : owner(owner), before(owner.lanes) {}
  __device__ __forceinline__ ~Reconvergence() {
    if (owner.isRecorded)
      owner.reconverge(before);
  }

private:
  Owner &owner;
  detail::LaneMask before;
#else
  __host__ __device__ __forceinline__ explicit Reconvergence(Owner &) {}
  __host__ __device__ __forceinline__ ~Reconvergence() {}
#endif
};

} // namespace kperf

#endif
