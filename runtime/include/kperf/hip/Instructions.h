// The probe's memory instructions on AMD GPUs, executed by one lane under a narrowed execution mask, without a costly branch.
#ifndef KPERF_HIP_INSTRUCTIONS_H
#define KPERF_HIP_INSTRUCTIONS_H

#include <kperf/format.h>
#include <kperf/hip/Clock.h>

#if defined(__HIP_DEVICE_COMPILE__)

namespace kperf {
namespace detail {

#define KPERF_GLOBAL __attribute__((address_space(1)))
#define KPERF_LOCAL __attribute__((address_space(3)))

/// Warps that are not recorded run the body with probes.
__device__ __forceinline__ void goOnWithoutProbes() {}
__device__ __forceinline__ uint32_t othersPlainFlag() { return 0; }

typedef uint32_t Words __attribute__((ext_vector_type(4)));
/// Sixteen bytes that one instruction stores; HIP's own uint4 is a class that copies itself.
using Quad = Words;

/// In global memory: a store anywhere would be waited for with what lies in LDS.
__device__ __forceinline__ void storeQuad(uint64_t address, const Quad &quad) { *(KPERF_GLOBAL Quad *)address = quad; }
__device__ __forceinline__ void storeWord(uint64_t address, uint32_t word) { *(KPERF_GLOBAL uint32_t *)address = word; }

} // namespace detail
} // namespace kperf

/// An intrinsic of LLVM's that older Clangs have no builtin for: a store through a buffer descriptor.
extern "C" __device__ void kperf_buffer_store(kperf::detail::Words data, kperf::detail::Words descriptor, int offset, int scalarOffset,
                                              int policy) __asm__("llvm.amdgcn.raw.buffer.store.v4i32");

namespace kperf {
namespace detail {

constexpr uint32_t kRecordsBound = 0x80000000u; // of a slot's records as a buffer: more bytes than any slot has

/// Whether a lane is the one that stores, as what it adds to a record's place: how far behind the buffer's begin the
/// records are, or what brings the place out of the buffer's bounds. One register of each lane, where a truth would
/// take two of the wave's.
class StoringLane {
public:
  StoringLane() = default;
  __device__ __forceinline__ StoringLane(bool isStoring, uint32_t first = 0) : added(inVector(isStoring ? first : kRecordsBound)) {}
  __device__ __forceinline__ explicit operator bool() const { return added != kRecordsBound; }
  __device__ __forceinline__ uint32_t placeOf(uint32_t offset) const { return offset + added; }

private:
  uint32_t added;
};
/// `first`: how far behind the buffer's begin the records are.
__device__ __forceinline__ StoringLane storingLane(bool isStoring, uint32_t first) { return StoringLane(isStoring, first); }

/// Stores a record `place` bytes behind `records`, if that is in bounds. Every lane makes the store, and the buffer's
/// bounds drop those that are none: a branch would end the basic block, and the compiler would move the region's
/// arithmetic behind it.
__device__ __forceinline__ void storeInBounds(uint64_t records, uint32_t place, const Words &record) {
#if defined(__GFX11__) || defined(__GFX12__)
  constexpr uint32_t kFormat = 0x31004000u; // bounds in bytes, 32-bit elements
#elif defined(__GFX10__)
  constexpr uint32_t kFormat = 0x31014000u;
#else
  constexpr uint32_t kFormat = 0x00020000u;
#endif
  // A device's addresses have 48 bits; above them the descriptor says that nothing is strided or swizzled.
  const Words descriptor = {static_cast<uint32_t>(records), static_cast<uint32_t>(records >> 32), kRecordsBound, kFormat};
  kperf_buffer_store(record, descriptor, static_cast<int>(place), 0, 0);
}

/// Stores a record `offset` bytes behind `records` where `lane` is the one.
__device__ __forceinline__ void storeRecord(uint64_t records, uint32_t offset, uint32_t first, uint32_t second, uint32_t lanes,
                                            uint32_t tag, StoringLane lane) {
  storeInBounds(records, lane.placeOf(offset), Words{first, second, lanes, tag});
}
/// The same where `isStored`.
__device__ __forceinline__ void storeRecord(uint64_t records, uint32_t offset, uint32_t first, uint32_t second, uint32_t lanes,
                                            uint32_t tag, bool isStored) {
  storeInBounds(records, isStored ? offset : kRecordsBound, Words{first, second, lanes, tag});
}

/// Keeps a record in the registers of the lane whose number is `staged`.
__device__ __forceinline__ void stageRecord(uint32_t lane, uint32_t staged, uint32_t &first, uint32_t &second, uint32_t &tag,
                                            uint32_t recordFirst, uint32_t recordSecond, uint32_t recordTag) {
  first = lane == staged ? recordFirst : first;
  second = lane == staged ? recordSecond : second;
  tag = lane == staged ? recordTag : tag;
}

/// Reads the clock into a register of the lane whose number is `staged`.
__device__ __forceinline__ void stageClock(uint32_t lane, uint32_t staged, uint32_t &clock) {
  const uint32_t now = clock32();
  clock = lane == staged ? now : clock;
}

/// The same for the last clock of a record.
__device__ __forceinline__ void stageLastClock(uint32_t lane, uint32_t staged, uint32_t &clock, uint32_t &tag, uint32_t recordTag) {
  stageClock(lane, staged, clock);
  tag = lane == staged ? recordTag : tag;
}

/// A word that nobody writes while the kernel runs.
__device__ __forceinline__ uint32_t loadConstant(const uint32_t *word) { return *word; }

/// Address in the block's local data share of a place in it.
__device__ __forceinline__ uint32_t sharedAddressOf(const void *place) {
  return static_cast<uint32_t>((uintptr_t)(KPERF_LOCAL const void *)place);
}

/// Reserves a record in the WarpState at the local address `state`, where `isMine`; elsewhere the limit stays 0. The address is
/// one for all lanes, for a descriptor that differs between lanes would be a loop.
__device__ __forceinline__ void reserveRecord(uint32_t state, bool isMine, uint32_t &offset, uint64_t &records, uint32_t &limit) {
  if (isMine) {
    offset = __hip_atomic_fetch_add((KPERF_LOCAL uint32_t *)(state + 12), static_cast<uint32_t>(sizeof(format::Record)), __ATOMIC_RELAXED,
                                    __HIP_MEMORY_SCOPE_WORKGROUP);
    records = *(KPERF_LOCAL uint64_t *)state;
    limit = *(KPERF_LOCAL uint32_t *)(state + 8);
  }
  records = uniform(records); // of the lowest active lane, which is the one
}

/// Counts `records` in a part's header, and gives back how many there were.
__device__ __forceinline__ uint32_t takeRecords(uint64_t header, uint32_t records) {
  return __hip_atomic_fetch_add((KPERF_GLOBAL uint32_t *)(header + offsetof(format::WarpHeader, produced)), records, __ATOMIC_RELAXED,
                                __HIP_MEMORY_SCOPE_AGENT);
}

/// Counts a record that found no room in the header before `records`, where the limit is odd.
__device__ __forceinline__ void countUnstored(uint64_t records, uint32_t offset, uint32_t limit) {
  if ((limit & 1) && offset >= limit)
    takeRecords(records - sizeof(format::WarpHeader), 1);
}

/// Adds one to the word `offset` bytes behind `words`, which no other lane touches: nobody waits for it.
__device__ __forceinline__ void countIn(uint64_t words, uint32_t offset) {
  __hip_atomic_fetch_add((KPERF_GLOBAL uint32_t *)(words + offset), 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#undef KPERF_GLOBAL
#undef KPERF_LOCAL

} // namespace detail
} // namespace kperf

#endif
#endif
