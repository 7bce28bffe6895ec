// Tells in which memory an address lies on CUDA, and makes the memory probe's own accesses.
#ifndef KPERF_CUDA_MEMORY_SPACES_H
#define KPERF_CUDA_MEMORY_SPACES_H

#include <kperf/abi/module.h>
#include <kperf/cuda/Clock.h>

#ifdef __CUDA_ARCH__

namespace kperf {
namespace detail {

__device__ __forceinline__ bool isGlobal(const void *address) { return __isGlobal(address) != 0; }
__device__ __forceinline__ bool isShared(const void *address) { return __isShared(address) != 0; }
/// The generic address of what an operand of inline assembly names in shared memory.
template <typename T> __device__ __forceinline__ const void *pointerToShared(T address) {
  return reinterpret_cast<const void *>(__cvta_shared_to_generic((size_t)address));
}

/// The lane as votes number it.
__device__ __forceinline__ uint32_t physicalLane() {
  uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ kperf_site_entry loadEntry(uint64_t address) {
  const uint2 words = __ldg(reinterpret_cast<const uint2 *>(address));
  return {words.x, words.y};
}

/// A word that no other load brings into the multiprocessor's own cache: as it is by now. What says so by ld.relaxed or ld.global.cg is
/// a part of a lock for ptxas, which puts a YIELD in front of it: behind that, lanes came apart (cuda/memory/CountSteps.h).
__device__ __forceinline__ uint32_t loadLatest(uint64_t address) {
  uint32_t word;
  asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(word) : "l"(address));
  return word;
}

/// A word that may be older than what other multiprocessors wrote.
__device__ __forceinline__ uint64_t loadWord(uint64_t address) {
  uint64_t word;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(word) : "l"(address) : "memory");
  return word;
}

/// Sets the highest bit of a word, and gives back what stood there before.
__device__ __forceinline__ uint64_t fetchAndMark(uint64_t address) {
  uint64_t before;
  asm volatile("atom.relaxed.gpu.global.or.b64 %0, [%1], 0x8000000000000000;" : "=l"(before) : "l"(address) : "memory");
  return before;
}

/// Leaves the larger one of what stands there and the value.
__device__ __forceinline__ void raiseTo(uint64_t address, uint64_t value) {
  asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

/// Adds where `isMine`: a predicate, not a branch, at which the lanes would diverge.
__device__ __forceinline__ void addTo(uint64_t counter, uint64_t value, bool isMine) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %2, 0;\n\t"
               "@p red.relaxed.gpu.global.add.u64 [%0], %1;\n\t"
               "}" ::"l"(counter),
               "l"(value), "r"(static_cast<uint32_t>(isMine))
               : "memory");
}

/// What stood there before.
__device__ __forceinline__ uint32_t fetchAdd(uint64_t address, uint32_t value) {
  uint32_t before;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(address), "r"(value) : "memory");
  return before;
}

__device__ __forceinline__ void setBits(uint64_t address, uint32_t bits) {
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(address), "r"(bits) : "memory");
}

/// May be older than what other multiprocessors wrote, but not for long: it comes from the multiprocessor's own cache, which its
/// atomics to the same line empty. All of them asking one place of the common cache would wait for each other.
__device__ __forceinline__ uint32_t loadRecent(uint64_t address) {
  uint32_t value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

} // namespace detail
} // namespace kperf

#endif
#endif
