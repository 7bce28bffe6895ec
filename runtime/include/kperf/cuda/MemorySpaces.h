// Which memory an address lies in on CUDA, and the memory probe's own accesses.
#ifndef KPERF_CUDA_MEMORY_SPACES_H
#define KPERF_CUDA_MEMORY_SPACES_H

#include <kperf/cuda/Clock.h>
#include <kperf/module.h>

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

__device__ __forceinline__ void addTo(uint64_t counter, uint32_t value) {
  asm volatile("red.relaxed.gpu.global.add.u64 [%0], %1;" ::"l"(counter), "l"(static_cast<uint64_t>(value)) : "memory");
}

/// What stood there before.
__device__ __forceinline__ uint32_t fetchAdd(uint64_t address, uint32_t value) {
  return atomicAdd(reinterpret_cast<uint32_t *>(address), value);
}

__device__ __forceinline__ void setBits(uint64_t address, uint32_t bits) {
  atomicOr(reinterpret_cast<uint32_t *>(address), bits);
}

/// What other multiprocessors may have written meanwhile.
__device__ __forceinline__ uint32_t loadFresh(uint64_t address) {
  uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}

} // namespace detail
} // namespace kperf

#endif
#endif
