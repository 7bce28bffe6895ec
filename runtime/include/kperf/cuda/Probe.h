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

struct WarpState {
  uint32_t produced; ///< records reserved so far
  uint32_t limit;    ///< records with an index below it are stored
  uint32_t slot;     ///< the warp's first record, in units of 16 bytes from the arena's start
  uint32_t unused;
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

/// The SM's clock and the device's wall clock, read back to back.
__device__ __forceinline__ void readClocks(uint64_t &cycles, uint64_t &ns) {
  asm volatile("mov.u64 %0, %%globaltimer;\n\tmov.u64 %1, %%clock64;" : "=l"(ns), "=l"(cycles)::"memory");
}

/// A reserved record: where it will be stored, valid in the elected lane only.
struct Reservation {
  uint32_t index;
  uint32_t limit;
  uint32_t slot;
  uint32_t lanes;
  uint32_t leader;

  __device__ __forceinline__ Reservation() {
    lanes = activeLanes();
    leader = isLowest(lanes);
    const uint32_t state = stateAddress();
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.u32 p, %3, 0;\n\t"
                 "mov.u32 %0, 0; mov.u32 %1, 0; mov.u32 %2, 0;\n\t"
                 "@p atom.shared.add.u32 %0, [%4], 1;\n\t"
                 "@p ld.shared.v2.u32 {%1, %2}, [%4+4];\n\t"
                 "}"
                 : "=&r"(index), "=&r"(limit), "=&r"(slot)
                 : "r"(leader), "r"(state)
                 : "memory");
  }

  /// Stores {first, second, lanes, tag} where there is room.
  __device__ __forceinline__ void store(uint32_t first, uint32_t second, uint32_t idAndKind) const {
    const uint32_t capacity = kperf_config.records_per_warp;
    const uint32_t generation = index >> (31 - __clz(capacity));
    const uint32_t tag = idAndKind | generation << format::kGenerationShift;
    const uint64_t address = kperf_config.arena + (static_cast<uint64_t>(slot) + (index & (capacity - 1))) * 16;
    const uint32_t keep = leader & static_cast<uint32_t>(index < limit);
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 "setp.ne.u32 p, %5, 0;\n\t"
                 "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
                 "}" ::"l"(address),
                 "r"(first), "r"(second), "r"(lanes), "r"(tag), "r"(keep)
                 : "memory");
  }
};

__device__ __forceinline__ constexpr uint32_t tagOf(format::RecordKind kind, uint32_t id) {
  return id | static_cast<uint32_t>(kind) << format::kKindShift;
}

/// Takes a slot for the calling warp; null when recording is off or the arena is full.
__device__ inline format::WarpHeader *takeSlot(uint32_t capacity) {
  const uint64_t bytes = sizeof(format::WarpHeader) + uint64_t{capacity} * sizeof(format::Record);
  auto *cursor = reinterpret_cast<unsigned long long *>(kperf_config.cursor);
  const unsigned long long offset = atomicAdd(cursor, bytes);
  if (offset + bytes <= kperf_config.arena_bytes)
    return reinterpret_cast<format::WarpHeader *>(kperf_config.arena + offset);
  atomicAdd(cursor + 1, 1ull);
  return nullptr;
}

/// Everything of the header that is known at entry, but the clocks.
__device__ inline void describeWarp(format::WarpHeader &header, uint32_t kernel, const char *instantiation,
                                    uint32_t capacity) {
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
}

/// Kernel entry: the warp's slot, state and header. The clocks are read last, so that this cost precedes the recorded time.
__device__ inline void enterKernel(uint32_t kernel, const char *instantiation, uint32_t mostRecords) {
  const uint32_t lanes = activeLanes();
  if (isLowest(lanes)) {
    const uint32_t capacity = min(mostRecords, kperf_config.records_per_warp);
    WarpState &state = warpStates()[threadInBlock() / 32];
    format::WarpHeader *header = kperf_config.arena ? takeSlot(capacity) : nullptr;
    state.produced = 0;
    state.limit = !header ? 0 : kperf_config.keep_last ? ~0u : capacity;
    state.slot = !header ? 0 : static_cast<uint32_t>((reinterpret_cast<uint64_t>(header + 1) - kperf_config.arena) / 16);
    if (header) {
      describeWarp(*header, kernel, instantiation, capacity);
      uint64_t cycles, ns;
      readClocks(cycles, ns);
      header->startNs = ns;
      header->startCycles = cycles;
    }
  }
  __syncwarp(lanes);
}

/// Kernel exit: completes the header. Lanes may leave one after another; each group overwrites what the one before wrote.
__device__ inline void leaveKernel() {
  uint64_t cycles, ns;
  readClocks(cycles, ns);
  if (!isLowest(activeLanes()))
    return;
  const volatile WarpState &state = warpStates()[threadInBlock() / 32];
  if (state.limit == 0)
    return;
  auto *header = reinterpret_cast<format::WarpHeader *>(kperf_config.arena + uint64_t{state.slot} * 16) - 1;
  header->endNs = ns;
  header->endCycles = cycles;
  header->produced = state.produced;
  header->flags = format::kWarpFinished;
}

#endif

} // namespace detail

/// Stands at the top of an instrumented kernel; its destructor runs on every way out. `mostRecords` bounds what one warp
/// can produce, a power of two where the rewriter could tell.
struct Kernel {
  __host__ __device__ __forceinline__ explicit Kernel(uint32_t id, const char *instantiation = nullptr,
                                                      uint32_t mostRecords = ~0u) {
#ifdef __CUDA_ARCH__
    detail::enterKernel(id, instantiation, mostRecords);
#else
    (void)id, (void)instantiation, (void)mostRecords;
#endif
  }
  __host__ __device__ __forceinline__ ~Kernel() {
#ifdef __CUDA_ARCH__
    detail::leaveKernel();
#endif
  }
};

/// A region from here to the end of the enclosing block, as the lowest lane that entered it saw it.
class Scope {
public:
  __host__ __device__ __forceinline__ explicit Scope(uint32_t id) : id(id) {
#ifdef __CUDA_ARCH__
    start = detail::clock32();
#endif
  }
  __host__ __device__ __forceinline__ ~Scope() {
#ifdef __CUDA_ARCH__
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

/// The beginning of a range.
__host__ __device__ __forceinline__ void begin(uint32_t id) {
#ifdef __CUDA_ARCH__
  const detail::Reservation record;
  record.store(detail::clock32(), 0, detail::tagOf(format::RecordKind::Begin, id));
#else
  (void)id;
#endif
}

/// The end of a range.
__host__ __device__ __forceinline__ void end(uint32_t id) {
#ifdef __CUDA_ARCH__
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
