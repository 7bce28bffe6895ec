// The device side of kperf on CUDA: what a probe executes. Emitted calls: kperf::Kernel, kperf::Scope, begin, end, mark.
//
// A warp owns one slot of the arena (format.h: a WarpHeader and room for records), taken with one atomic at kernel entry.
// Its state lives in 16 bytes of shared memory, so that any device function finds it without a hidden argument. A record's
// index is reserved with one shared-memory atomic when a region begins and used when it ends, so its latency hides behind
// the region, and lanes that diverged never share an index. Stores are predicated, not branched around.
#ifndef KPERF_CUDA_PROBE_H
#define KPERF_CUDA_PROBE_H

#include <kperf/format.h>
#include <kperf/module.h>

#include <cuda_runtime.h>

/// Written by the runtime before the first launch; all zero (nothing recorded) until then.
static __constant__ kperf_device_config kperf_config;

namespace kperf {
namespace detail {

#ifdef __CUDA_ARCH__

/// A warp's state for probes that any function may hold, or that stand in code which may diverge.
struct alignas(16) WarpState {
  uint64_t records;  ///< device address of the part's first record
  uint32_t limit;    ///< bytes of records that are stored: reservations beyond it only count
  uint32_t reserved; ///< bytes of records reserved so far
};

/// One state per warp of the block, one array per linked program (an inline function's static is merged by nvlink).
inline __device__ WarpState *warpStates() {
  __shared__ WarpState states[32];
  return states;
}

__device__ __forceinline__ uint32_t threadInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// Shared-window address of the calling warp's state.
__device__ __forceinline__ uint32_t stateAddress() {
  return static_cast<uint32_t>(__cvta_generic_to_shared(warpStates())) + (threadInBlock() / 32) * sizeof(WarpState);
}

__device__ __forceinline__ uint32_t activeLanes() {
  uint32_t lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}

/// True in the lowest of `lanes`.
__device__ __forceinline__ bool isLowest(uint32_t lanes) {
  uint32_t below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  return (lanes & below) == 0;
}

__device__ __forceinline__ uint32_t clock32() {
  uint32_t cycles;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
  return cycles;
}

/// Waits for a barrier that the warp has just executed. On Hopper BAR.SYNC.DEFER_BLOCKING lets a clock read pass: behind a
/// barrier that others reached 5 000 cycles later, %clock had advanced by 9 (test/bench/barrier_clock.cu).
__device__ __forceinline__ void settle(uint32_t lanes) { __syncwarp(lanes); }

/// The SM's clock and the device's wall clock, read back to back.
__device__ __forceinline__ void readClocks(uint64_t &cycles, uint64_t &ns) {
  asm volatile("mov.u64 %0, %%globaltimer;\n\tmov.u64 %1, %%clock64;" : "=l"(ns), "=l"(cycles)::"memory");
}

/// Stores a record where `isStored`: a predicate, not a branch.
__device__ __forceinline__ void storeRecord(uint64_t address, uint32_t first, uint32_t second, uint32_t lanes,
                                            uint32_t tag, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %5, 0;\n\t"
               "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
               "}" ::"l"(address),
               "r"(first), "r"(second), "r"(lanes), "r"(tag), "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

/// A record of the warp's second part, reserved by the lowest active lane; valid in that lane only. The reservation's
/// latency is paid where the record is stored, so reserve first and store last.
struct Reservation {
  uint64_t records;
  uint32_t offset, limit, lanes;

  __device__ __forceinline__ Reservation() {
    lanes = activeLanes();
    const uint32_t state = stateAddress();
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.u32 p, %3, 0;\n\t"
                 "mov.u32 %0, 0; mov.u64 %1, 0; mov.u32 %2, 0;\n\t"
                 "@p atom.shared.add.u32 %0, [%4+12], 16;\n\t"
                 "@p ld.shared.u64 %1, [%4];\n\t"
                 "@p ld.shared.u32 %2, [%4+8];\n\t"
                 "}"
                 : "=&r"(offset), "=&l"(records), "=&r"(limit)
                 : "r"(static_cast<uint32_t>(isLowest(lanes))), "r"(state)
                 : "memory");
  }

  __device__ __forceinline__ void store(uint32_t first, uint32_t second, uint32_t idAndKind) const {
    const uint32_t tag = idAndKind | (offset >> kperf_config.ring_shift) << format::kGenerationShift;
    storeRecord(records + (offset & (kperf_config.ring_bytes - 1)), first, second, lanes, tag, offset < limit);
  }
};

__device__ __forceinline__ constexpr uint32_t tagOf(format::RecordKind kind, uint32_t id) {
  return id | static_cast<uint32_t>(kind) << format::kKindShift;
}

/// Records that a part keeps of the `most` that it can produce.
__device__ __forceinline__ uint32_t capacityFor(uint32_t most) { return min(most, kperf_config.records_per_warp); }

/// Takes `bytes` of the arena for the calling warp; 0 when recording is off or the arena is full.
__device__ __forceinline__ uint64_t takeSlot(uint32_t bytes) {
  if (!kperf_config.arena)
    return 0;
  auto *cursor = reinterpret_cast<unsigned long long *>(kperf_config.cursor);
  const unsigned long long offset = atomicAdd(cursor, static_cast<unsigned long long>(bytes));
  if (offset + bytes <= kperf_config.arena_bytes)
    return kperf_config.arena + offset;
  atomicAdd(cursor + 1, 1ull);
  return 0;
}

/// Everything of a part's header that is known at entry, but the clocks.
__device__ inline void describePart(format::WarpHeader &header, uint32_t kernel, const char *instantiation,
                                    uint32_t capacity, uint32_t slotBytes, uint32_t flags) {
  uint64_t gridId;
  uint32_t sm;
  asm("mov.u64 %0, %%gridid;" : "=l"(gridId));
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  header.gridId = gridId;
  header.block = blockIdx.x + uint64_t{gridDim.x} * (blockIdx.y + uint64_t{gridDim.y} * blockIdx.z);
  header.nameAddress = reinterpret_cast<uint64_t>(instantiation);
  header.kernel = kernel;
  header.capacity = capacity;
  header.gridX = gridDim.x;
  header.gridY = static_cast<uint16_t>(gridDim.y);
  header.gridZ = static_cast<uint16_t>(gridDim.z);
  header.blockX = static_cast<uint16_t>(blockDim.x);
  header.blockY = static_cast<uint16_t>(blockDim.y);
  header.blockZ = static_cast<uint16_t>(blockDim.z);
  header.warp = static_cast<uint16_t>(threadInBlock() / 32);
  header.sm = static_cast<uint16_t>(sm);
  header.flags = static_cast<uint16_t>(flags);
  header.slotBytes = slotBytes;
}

__device__ __forceinline__ void completePart(uint64_t header, uint64_t cycles, uint64_t ns, uint32_t produced,
                                             uint32_t flags) {
  auto *part = reinterpret_cast<format::WarpHeader *>(header);
  part->endNs = ns;
  part->endCycles = cycles;
  part->produced = produced;
  part->flags = static_cast<uint16_t>(flags | format::kWarpFinished);
}

#endif

} // namespace detail

/// Stands at the top of an instrumented kernel; its destructor runs on every way out. MostOwn and MostShared bound the
/// records that a warp can produce through this object and through the shared state (~0u: no bound, 0: none, and then the
/// state takes no shared memory).
///
/// Regions that stand in the kernel's own body, in control flow that a whole warp takes alike, record through this object:
/// its cursor lives in registers and lane 0 stores, after the region.
template <uint32_t MostOwn = 0, uint32_t MostShared = ~0u> class Kernel {
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
    append(now(), payload, detail::tagOf(kind, id));
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

  /// Appends a record to the warp's own part: called by a whole warp, stored by lane 0. The address is derived from the
  /// count alone: with a cursor beside it the same loop took 50 cycles more at 16 warps an SM on an H200 (test/bench).
  __device__ __forceinline__ void append(uint32_t first, uint32_t second, uint32_t tag) {
    const uint32_t index = min(produced & kperf_config.ring_mask, detail::capacityFor(MostOwn));
    detail::storeRecord(records + uint64_t{index} * sizeof(format::Record), first, second, lanes, tag, isWriter);
    ++produced;
  }

private:
  static constexpr bool kHasOwn = MostOwn != 0, kHasShared = MostShared != 0;
  static_assert(kHasOwn || kHasShared, "a kernel without regions needs no Kernel object");

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
    unsigned long long slot = 0;
    if (isWriter) {
      slot = detail::takeSlot(ownBytes() + sharedBytes());
      if (slot)
        describe(slot, id, instantiation);
      if constexpr (kHasShared)
        detail::warpStates()[detail::threadInBlock() / 32] = {
            slot + ownBytes() + sizeof(format::WarpHeader),
            !slot                    ? 0
            : kperf_config.keep_last ? 0x80000000u
                                     : detail::capacityFor(MostShared) * static_cast<uint32_t>(sizeof(format::Record)),
            0};
    }
    isWriter = isWriter && slot;
    records = slot + sizeof(format::WarpHeader);
    __syncwarp(lanes);
  }

  __device__ __forceinline__ void describe(uint64_t slot, uint32_t id, const char *instantiation) {
    auto *own = reinterpret_cast<format::WarpHeader *>(slot);
    auto *shared = reinterpret_cast<format::WarpHeader *>(slot + ownBytes());
    if constexpr (kHasOwn)
      detail::describePart(*own, id, instantiation, detail::capacityFor(MostOwn), ownBytes(), 0);
    if constexpr (kHasShared)
      detail::describePart(*shared, id, instantiation, detail::capacityFor(MostShared), sharedBytes(), kSharedFlags);
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    for (auto *part : {kHasOwn ? own : shared, shared})
      if (part == own || kHasShared)
        part->startNs = ns, part->startCycles = cycles;
  }

  /// Lanes may leave one after another; each group overwrites what the one before wrote.
  __device__ __forceinline__ void leave() {
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    const bool isLowest = detail::isLowest(detail::activeLanes());
    if constexpr (kHasShared) {
      const volatile detail::WarpState &state = detail::warpStates()[detail::threadInBlock() / 32];
      if (isLowest && state.limit)
        detail::completePart(state.records - sizeof(format::WarpHeader), cycles, ns, state.reserved / sizeof(format::Record),
                             kSharedFlags);
    }
    if constexpr (kHasOwn)
      if (isWriter)
        detail::completePart(records - sizeof(format::WarpHeader), cycles, ns, produced, 0);
  }

  static constexpr uint32_t kSharedFlags = format::kWarpReserved | (kHasOwn ? format::kWarpContinued : 0);

  uint64_t records = 0;
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
    owner.append(start, owner.now(), detail::tagOf(format::RecordKind::Span, id));
#endif
  }

private:
  Owner &owner;
  uint32_t id;
#ifdef __CUDA_ARCH__
  uint32_t start;
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
