// The device side of kperf on CUDA: what a probe executes. Emitted calls: kperf::Kernel, OwnScope, SplitScope, Scope, begin,
// end, mark.
//
// A warp owns one slot of the arena (format.h: a WarpHeader and room for records, once or twice), taken at kernel entry.
// Probes in the kernel's own body find it through the Kernel object, which lives in registers; those of functions through
// shared memory (WarpState.h).
#ifndef KPERF_CUDA_PROBE_H
#define KPERF_CUDA_PROBE_H

#include <kperf/cuda/WarpState.h>

namespace kperf {

/// Stands at the top of an instrumented kernel; its destructor runs on every way out. MostOwn and MostShared bound the
/// records that a warp can produce in the two parts of its slot (~0u: no bound, 0: none, and then there is no such part).
///
/// The own part belongs to lane 0: its count lives in a register, and nothing is atomic. Regions in control flow that a whole
/// warp takes alike record there (OwnScope), and so do regions that lane 0 enters together with whoever else is there
/// (SplitScope). The shared part takes what lanes without lane 0, and functions, have to record. Where functions do
/// (IsCalled), the shared part's count is in shared memory; else in the part's own header.
template <uint32_t MostOwn = 0, uint32_t MostShared = ~0u, bool IsCalled = true> class Kernel {
public:
  __host__ __device__ __forceinline__ explicit Kernel(uint32_t id, const char *instantiation = nullptr) {
#ifdef __CUDA_ARCH__
    enter(id, instantiation);
#else
    (void)id, (void)instantiation;
#endif
  }
  __host__ __device__ __forceinline__ ~Kernel() {
#ifdef __CUDA_ARCH__
    leave();
#endif
  }
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// The beginning of a range.
  __host__ __device__ __forceinline__ void begin(uint32_t id) { appendEvent(format::RecordKind::Begin, id, 0); }
  /// The end of a range.
  __host__ __device__ __forceinline__ void end(uint32_t id) { appendEvent(format::RecordKind::End, id, 0); }
  /// An instant with a payload.
  template <typename Payload> __host__ __device__ __forceinline__ void mark(uint32_t id, Payload payload) {
    appendEvent(format::RecordKind::Mark, id, static_cast<uint32_t>(payload));
  }
  __host__ __device__ __forceinline__ void mark(uint32_t id) { mark(id, 0u); }

  __host__ __device__ __forceinline__ void appendEvent(format::RecordKind kind, uint32_t id, uint32_t payload) {
#ifdef __CUDA_ARCH__
    append(now(), payload, detail::tagOf(kind, id), lanes);
#else
    (void)kind, (void)id, (void)payload;
#endif
  }

#ifdef __CUDA_ARCH__
  /// The clock, behind everything that the warp waited for.
  __device__ __forceinline__ uint32_t now() const {
    detail::settle(lanes);
    return detail::clock32();
  }

  /// Appends a record to the warp's own part: lane 0 stores it. The offset is derived from the count alone: with a cursor
  /// beside it the same loop took longer on an H200 (test/bench).
  __device__ __forceinline__ void append(uint32_t first, uint32_t second, uint32_t tag, uint32_t recordedLanes) {
    const uint32_t index = min(produced & kperf_config.ring_mask, detail::capacityFor(MostOwn));
    detail::storeRecord(records, index * sizeof(format::Record), first, second, recordedLanes, tag, isWriter);
    ++produced;
  }

  /// Appends a record to the shared part, for lanes without lane 0: the lowest of them stores it.
  __device__ __forceinline__ void appendShared(uint32_t first, uint32_t second, uint32_t tag, uint32_t recordedLanes) {
    static_assert(kHasShared, "the rewriter bounds what a kernel records");
    if (!detail::isLowest(recordedLanes))
      return;
    if constexpr (IsCalled) {
      detail::Reservation record;
      record.lanes = recordedLanes;
      record.store(first, second, tag);
    } else if (slot) {
      const uint64_t part = slot + ownBytes();
      const uint32_t index = atomicAdd(
          reinterpret_cast<uint32_t *>(part + offsetof(format::WarpHeader, produced)), 1u);
      const uint32_t capacity = detail::capacityFor(MostShared);
      const uint32_t place = index & kperf_config.ring_mask;
      detail::storeRecord(part + sizeof(format::WarpHeader), place * sizeof(format::Record), first, second, recordedLanes,
                          tag, place < capacity);
    }
  }

  /// The lanes that entered the kernel.
  __device__ __forceinline__ uint32_t lanesAtEntry() const { return lanes; }

private:
  static constexpr bool kHasOwn = MostOwn != 0, kHasShared = MostShared != 0;
  static_assert(kHasOwn || kHasShared, "a kernel without regions needs no Kernel object");
  static constexpr uint32_t kSharedFlags =
      (IsCalled ? format::kWarpReserved : 0u) | (kHasOwn ? format::kWarpContinued : 0u);

  static __device__ __forceinline__ uint32_t ownBytes() {
    return kHasOwn ? sizeof(format::WarpHeader) + (detail::capacityFor(MostOwn) + 1) * sizeof(format::Record) : 0; // one spare
  }
  static __device__ __forceinline__ uint32_t sharedBytes() {
    return kHasShared ? sizeof(format::WarpHeader) + detail::capacityFor(MostShared) * sizeof(format::Record) : 0;
  }

  /// The clocks are read last, so that the cost of entering precedes the recorded time.
  __device__ __forceinline__ void enter(uint32_t id, const char *instantiation) {
    lanes = detail::activeLanes();
    isWriter = detail::isLowest(lanes);
    if (isWriter) {
      slot = detail::takeSlot(ownBytes() + sharedBytes());
      if (slot)
        describe(id, instantiation);
      if constexpr (kHasShared && IsCalled)
        detail::setState(slot + ownBytes(), slot ? detail::reservationLimit(detail::capacityFor(MostShared)) : 0);
    }
    isWriter = isWriter && slot;
    if constexpr (kHasShared && !IsCalled)
      slot = __shfl_sync(lanes, slot, __ffs(static_cast<int>(lanes)) - 1);
    records = slot + sizeof(format::WarpHeader);
    __syncwarp(lanes);
  }

  __device__ __forceinline__ void describe(uint32_t id, const char *instantiation) {
    const uint32_t bytes = kHasOwn ? ownBytes() : sharedBytes();
    format::WarpHeader header = detail::describePart(
        id, instantiation, detail::capacityFor(kHasOwn ? MostOwn : MostShared), bytes, kHasOwn ? 0 : kSharedFlags);
    detail::readClocks(header.startCycles, header.startNs);
    detail::storeHeader(slot, header);
    if constexpr (kHasOwn && kHasShared) {
      header.capacity = detail::capacityFor(MostShared);
      header.slotBytes = sharedBytes();
      header.flags = kSharedFlags;
      detail::storeHeader(slot + ownBytes(), header);
    }
  }

  /// Lanes may leave one after another; each group overwrites what the one before wrote.
  __device__ __forceinline__ void leave() {
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    if constexpr (kHasShared && IsCalled) {
      const volatile detail::WarpState &state = detail::blockStates()->states[detail::warpInBlock()];
      if (detail::isLowest(detail::activeLanes()) && state.limit) {
        const uint64_t part = state.records - sizeof(format::WarpHeader);
        detail::completePart(part, cycles, ns, kSharedFlags);
        detail::storeProduced(part, state.reserved / sizeof(format::Record));
      }
    }
    if constexpr (kHasShared && !IsCalled)
      if (detail::isLowest(detail::activeLanes()) && slot)
        detail::completePart(slot + ownBytes(), cycles, ns, kSharedFlags);
    if constexpr (kHasOwn)
      if (isWriter) {
        detail::completePart(slot, cycles, ns, 0);
        detail::storeProduced(slot, produced);
      }
  }

  uint64_t slot = 0, records = 0;
  uint32_t produced = 0, lanes = 0;
  bool isWriter = false;
#endif
};

/// A region from here to the end of the enclosing block, as the lowest lane that entered it saw it.
class Scope {
public:
  __host__ __device__ __forceinline__ explicit Scope(uint32_t id) : id(id) {
#ifdef __CUDA_ARCH__
    detail::settle(record.lanes);
    start = detail::clock32();
#endif
  }
  __host__ __device__ __forceinline__ ~Scope() {
#ifdef __CUDA_ARCH__
    detail::settle(detail::activeLanes());
    const uint32_t stop = detail::clock32();
    record.store(start, stop, detail::tagOf(format::RecordKind::Span, id));
#endif
  }

private:
#ifdef __CUDA_ARCH__
  detail::Reservation record; // declared first: reserved before the clock is read
  uint32_t start;
#endif
  uint32_t id;
};

/// The same for a region that records through its kernel's own part.
template <typename Owner> class OwnScope {
public:
  __host__ __device__ __forceinline__ OwnScope(Owner &owner, uint32_t id) : owner(owner), id(id) {
#ifdef __CUDA_ARCH__
    start = owner.now();
#endif
  }
  __host__ __device__ __forceinline__ ~OwnScope() {
#ifdef __CUDA_ARCH__
    const uint32_t stop = owner.now();
    owner.append(start, stop, detail::tagOf(format::RecordKind::Span, id), owner.lanesAtEntry());
#endif
  }

private:
  Owner &owner;
  uint32_t id;
#ifdef __CUDA_ARCH__
  uint32_t start;
#endif
};

/// A region of a kernel's body in control flow that may part a warp: as lane 0 saw it, or, where lane 0 is not among those
/// who enter, as the lowest of them did.
template <typename Owner> class SplitScope {
public:
  __host__ __device__ __forceinline__ SplitScope(Owner &owner, uint32_t id) : owner(owner), id(id) {
#ifdef __CUDA_ARCH__
    lanes = detail::activeLanes();
    detail::settle(lanes);
    start = detail::clock32();
#endif
  }
  __host__ __device__ __forceinline__ ~SplitScope() {
#ifdef __CUDA_ARCH__
    detail::settle(detail::activeLanes());
    const uint32_t stop = detail::clock32(), tag = detail::tagOf(format::RecordKind::Span, id);
    owner.append(start, stop, tag, lanes);
    if (!(lanes & 1))
      owner.appendShared(start, stop, tag, lanes);
#endif
  }

private:
  Owner &owner;
  uint32_t id;
#ifdef __CUDA_ARCH__
  uint32_t start, lanes;
#endif
};

/// The beginning of a range.
__host__ __device__ __forceinline__ void begin(uint32_t id) {
#ifdef __CUDA_ARCH__
  const detail::Reservation record;
  detail::settle(record.lanes);
  record.store(detail::clock32(), 0, detail::tagOf(format::RecordKind::Begin, id));
#else
  (void)id;
#endif
}

/// The end of a range.
__host__ __device__ __forceinline__ void end(uint32_t id) {
#ifdef __CUDA_ARCH__
  detail::settle(detail::activeLanes());
  const uint32_t stop = detail::clock32();
  const detail::Reservation record;
  record.store(stop, 0, detail::tagOf(format::RecordKind::End, id));
#else
  (void)id;
#endif
}

/// An instant with a payload.
template <typename Payload> __host__ __device__ __forceinline__ void mark(uint32_t id, Payload payload) {
#ifdef __CUDA_ARCH__
  detail::settle(detail::activeLanes());
  const uint32_t now = detail::clock32();
  const detail::Reservation record;
  record.store(now, static_cast<uint32_t>(payload), detail::tagOf(format::RecordKind::Mark, id));
#else
  (void)id, (void)payload;
#endif
}

__host__ __device__ __forceinline__ void mark(uint32_t id) { mark(id, 0u); }

} // namespace kperf

#endif
