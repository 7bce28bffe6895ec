// The instructions of probes that CUDA C++ has no words for: predicated stores, clocks of one lane, reservations and counts.
#ifndef KPERF_CUDA_INSTRUCTIONS_H
#define KPERF_CUDA_INSTRUCTIONS_H

#include <kperf/cuda/Clock.h>
#include <kperf/format.h>

#ifdef __CUDA_ARCH__

namespace kperf {
namespace detail {

/// Sixteen bytes that one instruction stores.
using Quad = uint4;

/// At a kernel's entry, by warps that are not recorded: where the assembler is given the kernel's body without probes too
/// (tool/plain/PlainBodies.h), they go on there, from its first instruction, and do not come back. Elsewhere nothing happens, nor where
/// accesses to memory are counted: those of all blocks are, also of a launch of which not all are recorded for its width.
__device__ __forceinline__ void goOnWithoutProbes() {
#ifdef KPERF_NO_MEMORY_PROBES
  asm volatile("// kperf: go on without probes" ::: "memory");
#endif
}

/// WarpHeader::flags of a warp whose kernel has such a body: the assembler's step writes it in place of the zero.
__device__ __forceinline__ uint32_t othersPlainFlag() {
  uint32_t flag;
  asm("mov.u32 %0, 0; // kperf: others-plain" : "=r"(flag));
  return flag;
}

/// Whether a lane is the one that stores: a predicate, where records have an address of their own.
using StoringLane = bool;
__device__ __forceinline__ StoringLane storingLane(bool isStoring, uint32_t) { return isStoring; }

/// Stores a record `offset` bytes behind `records` where `isStored`: a predicate, not a branch. A slot crosses no multiple of
/// 4 GiB, so the offset is added in 32 bits: a 64-bit multiply-add runs in the pipe of the kernel's own arithmetic, and cost
/// 15 cycles a region at 16 warps an SM on an H200 (test/bench).
__device__ __forceinline__ void storeRecord(uint64_t records, uint32_t offset, uint32_t first, uint32_t second, uint32_t lanes,
                                            uint32_t tag, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               ".reg .b64 address;\n\t"
               "setp.ne.u32 p, %6, 0;\n\t"
               "mov.b64 address, {%0, %1};\n\t"
               "@p st.global.v4.u32 [address], {%2, %3, %4, %5};\n\t"
               "}" ::"r"(static_cast<uint32_t>(records) + offset),
               "r"(static_cast<uint32_t>(records >> 32)), "r"(first), "r"(second), "r"(lanes), "r"(tag),
               "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

/// Stores a record at `address` where `isStored`.
__device__ __forceinline__ void storeRecordAt(uint64_t address, uint32_t first, uint32_t second, uint32_t lanes, uint32_t tag,
                                              bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %5, 0;\n\t"
               "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
               "}" ::"l"(address),
               "r"(first), "r"(second), "r"(lanes), "r"(tag), "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

/// Stores a word `Offset` bytes behind `address` where `isStored`: a predicate, not a branch. The offset is the instruction's, for several
/// words to share a register of address.
template <uint32_t Offset = 0> __device__ __forceinline__ void storeWord(uint64_t address, uint32_t word, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %2, 0;\n\t"
               "@p st.global.u32 [%0+%3], %1;\n\t"
               "}" ::"l"(address),
               "r"(word), "r"(static_cast<uint32_t>(isStored)), "n"(Offset)
               : "memory");
}

/// The same of two words.
template <uint32_t Offset = 0>
__device__ __forceinline__ void storeWords(uint64_t address, uint32_t first, uint32_t second, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "@p st.global.v2.u32 [%0+%4], {%1, %2};\n\t"
               "}" ::"l"(address),
               "r"(first), "r"(second), "r"(static_cast<uint32_t>(isStored)), "n"(Offset)
               : "memory");
}

/// Stores sixteen bytes.
__device__ __forceinline__ void storeQuad(uint64_t address, uint32_t first, uint32_t second, uint32_t third, uint32_t fourth) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(first), "r"(second), "r"(third), "r"(fourth) : "memory");
}

/// The same. Not by a generic address: ptxas keeps an array of the kernel's, indexed by a variable, in a thread's own memory where any
/// store of the kernel might be one to it (aphrodite's top-k gating had 32 bytes there, and none without probes).
__device__ __forceinline__ void storeQuad(uint64_t address, const Quad &quad) { storeQuad(address, quad.x, quad.y, quad.z, quad.w); }
__device__ __forceinline__ void storeWord(uint64_t address, uint32_t word) { storeWord(address, word, true); }

/// Loads sixteen bytes.
__device__ __forceinline__ Quad loadQuad(const void *address) {
  Quad quad;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "l"(address)
               : "memory");
  return quad;
}

/// The same from the multiprocessor's own cache, through which all that this multiprocessor writes goes.
__device__ __forceinline__ Quad loadCachedQuad(const void *address) {
  Quad quad;
  asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "l"(address)
               : "memory");
  return quad;
}

/// Keeps a record in the registers of the lane whose number is `staged`.
__device__ __forceinline__ void stageRecord(uint32_t lane, uint32_t staged, uint32_t &first, uint32_t &second, uint32_t &tag,
                                            uint32_t recordFirst, uint32_t recordSecond, uint32_t recordTag) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.eq.u32 p, %3, %4;\n\t"
               "@p mov.u32 %0, %5;\n\t"
               "@p mov.u32 %1, %6;\n\t"
               "@p mov.u32 %2, %7;\n\t"
               "}"
               : "+r"(first), "+r"(second), "+r"(tag)
               : "r"(lane), "r"(staged), "r"(recordFirst), "r"(recordSecond), "r"(recordTag));
}

/// Reads the clock into a register of the lane whose number is `staged`.
__device__ __forceinline__ void stageClock(uint32_t lane, uint32_t staged, uint32_t &clock) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.eq.u32 p, %1, %2;\n\t"
               "@p mov.u32 %0, %%clock;\n\t"
               "}"
               : "+r"(clock)
               : "r"(lane), "r"(staged)
               : "memory");
}

/// The same for the last clock of a record.
__device__ __forceinline__ void stageLastClock(uint32_t lane, uint32_t staged, uint32_t &clock, uint32_t &tag, uint32_t recordTag) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.eq.u32 p, %2, %3;\n\t"
               "@p mov.u32 %0, %%clock;\n\t"
               "@p mov.u32 %1, %4;\n\t"
               "}"
               : "+r"(clock), "+r"(tag)
               : "r"(lane), "r"(staged), "r"(recordTag)
               : "memory");
}

/// Reads the clock into a register of the lane only for which `lane`, its number or any other word that no other has, is `Lane`.
template <uint32_t Lane> __device__ __forceinline__ void clockOfLane(uint32_t lane, uint32_t &word) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.eq.u32 p, %1, %2;\n\t"
               "@p mov.u32 %0, %%clock;\n\t"
               "}"
               : "+r"(word)
               : "r"(lane), "n"(Lane)
               : "memory");
}

/// A word that nobody writes while the kernel runs.
__device__ __forceinline__ uint32_t loadConstant(const uint32_t *word) { return __ldg(word); }

/// Shared-window address of a place in shared memory.
__device__ __forceinline__ uint32_t sharedAddressOf(const void *place) { return static_cast<uint32_t>(__cvta_generic_to_shared(place)); }

/// Reserves a record in the WarpState at the shared address `state`, where `isMine`; elsewhere nothing changes.
__device__ __forceinline__ void reserveRecord(uint32_t state, bool isMine, uint32_t &offset, uint64_t &records, uint32_t &limit) {
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 12 // which knows no "+&": nothing is written before the last address is read
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               ".reg .u32 taken, most;\n\t"
               ".reg .u64 first;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "@p atom.shared.add.u32 taken, [%4+12], 16;\n\t"
               "@p ld.shared.u64 first, [%4];\n\t"
               "@p ld.shared.u32 most, [%4+8];\n\t"
               "@p mov.u32 %0, taken;\n\t"
               "@p mov.u64 %1, first;\n\t"
               "@p mov.u32 %2, most;\n\t"
               "}"
               : "+r"(offset), "+l"(records), "+r"(limit)
               : "r"(static_cast<uint32_t>(isMine)), "r"(state)
               : "memory");
#else
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "@p atom.shared.add.u32 %0, [%4+12], 16;\n\t"
               "@p ld.shared.u64 %1, [%4];\n\t"
               "@p ld.shared.u32 %2, [%4+8];\n\t"
               "}"
               : "+&r"(offset), "+&l"(records), "+&r"(limit)
               : "r"(static_cast<uint32_t>(isMine)), "r"(state)
               : "memory");
#endif
}

/// From a part's first record to its header's count of records.
constexpr int kProducedBeforeRecords =
    static_cast<int>(offsetof(format::WarpHeader, produced)) - static_cast<int>(sizeof(format::WarpHeader));

/// Counts a record that found no room in the header before `records`, where the limit is odd.
__device__ __forceinline__ void countUnstored(uint64_t records, uint32_t offset, uint32_t limit) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               ".reg .b32 odd;\n\t"
               "and.b32 odd, %1, 1;\n\t"
               "setp.ne.u32 p, odd, 0;\n\t"
               "setp.ge.and.u32 p, %0, %1, p;\n\t"
               "@p red.global.add.u32 [%2+%3], 1;\n\t"
               "}" ::"r"(offset),
               "r"(limit), "l"(records), "n"(kProducedBeforeRecords)
               : "memory");
}

/// Adds one to the word `offset` bytes behind `words`, which no other lane touches: an addition that memory makes, for which nobody
/// waits. The offset is added in 32 bits, as storeRecord does.
__device__ __forceinline__ void countIn(uint64_t words, uint32_t offset) {
  asm volatile("{\n\t"
               ".reg .b64 address;\n\t"
               "mov.b64 address, {%0, %1};\n\t"
               "red.global.add.u32 [address], 1;\n\t"
               "}" ::"r"(static_cast<uint32_t>(words) + offset),
               "r"(static_cast<uint32_t>(words >> 32))
               : "memory");
}

/// Counts `records` in a part's header, and gives back how many there were. Not atomicAdd: the compiler would gather it over a
/// warp.
__device__ __forceinline__ uint32_t takeRecords(uint64_t header, uint32_t records) {
  uint32_t index;
  asm volatile("atom.global.add.u32 %0, [%1+%2], %3;"
               : "=r"(index)
               : "l"(header), "n"(static_cast<int>(offsetof(format::WarpHeader, produced))), "r"(records)
               : "memory");
  return index;
}

} // namespace detail
} // namespace kperf

#endif
#endif
