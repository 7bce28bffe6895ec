// Tells in which memory an address lies on AMD GPUs, and makes the memory probe's own accesses.
#ifndef KPERF_HIP_MEMORY_SPACES_H
#define KPERF_HIP_MEMORY_SPACES_H

#include <kperf/abi/module.h>
#include <kperf/hip/Clock.h>

#if defined(__HIP_DEVICE_COMPILE__)

namespace kperf {
namespace detail {

/// A flat address lies in the aperture of the block's local data share, in that of the lane's scratch, or in neither.
__device__ __forceinline__ bool isShared(const void *address) {
  return __builtin_amdgcn_is_shared((const __attribute__((address_space(0))) void *)address);
}
__device__ __forceinline__ bool isGlobal(const void *address) {
  return !isShared(address) && !__builtin_amdgcn_is_private((const __attribute__((address_space(0))) void *)address);
}
/// The flat address of what an operand of inline assembly names in the local data share.
template <typename T> __device__ __forceinline__ const void *pointerToShared(T address) {
  return (const void *)(const __attribute__((address_space(3))) void *)(uint32_t)(uintptr_t)address;
}

__device__ __forceinline__ uint32_t physicalLane() { return laneInWarp(); }

__device__ __forceinline__ kperf_site_entry loadEntry(uint64_t address) {
  const uint64_t words = *(const __attribute__((address_space(1))) uint64_t *)address; // Clang 15 copies no class from there
  return {static_cast<uint32_t>(words), static_cast<uint32_t>(words >> 32)};
}

/// Adds where `isMine`.
__device__ __forceinline__ void addTo(uint64_t counter, uint32_t value, bool isMine) {
  if (isMine)
    __hip_atomic_fetch_add((__attribute__((address_space(1))) uint64_t *)counter, uint64_t{value}, __ATOMIC_RELAXED,
                           __HIP_MEMORY_SCOPE_AGENT);
}

/// What stood there before.
__device__ __forceinline__ uint32_t fetchAdd(uint64_t address, uint32_t value) {
  return __hip_atomic_fetch_add((__attribute__((address_space(1))) uint32_t *)address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ __forceinline__ void setBits(uint64_t address, uint32_t bits) {
  __hip_atomic_fetch_or((__attribute__((address_space(1))) uint32_t *)address, bits, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/// What other compute units may have written meanwhile.
__device__ __forceinline__ uint32_t loadLatest(uint64_t address) {
  return __hip_atomic_load((__attribute__((address_space(1))) uint32_t *)address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ __forceinline__ uint32_t loadRecent(uint64_t address) {
  return __hip_atomic_load((__attribute__((address_space(1))) uint32_t *)address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

} // namespace detail
} // namespace kperf

#endif
#endif
