// kperf's buffer in shared memory, in builds with -DKPERF_SHARED_BUFFER=KIB: its size, how a launch makes room for it beside the
// program's dynamic shared memory, and the instructions that access it. On NVIDIA GPUs only: hip/Vendor.h refuses such builds.
#ifndef KPERF_CUDA_SHARED_BUFFER_H
#define KPERF_CUDA_SHARED_BUFFER_H

#include <kperf/cuda/Instructions.h>

#ifdef KPERF_SHARED_BUFFER

static_assert(KPERF_SHARED_BUFFER + 0 >= 1 && KPERF_SHARED_BUFFER + 0 <= 48,
              "KPERF_SHARED_BUFFER is in KiB of shared memory a block: 1 to 48, which is the most that static variables get");

namespace kperf {
namespace detail {

constexpr uint32_t kSharedBufferBytes = (KPERF_SHARED_BUFFER + 0) * 1024;

#ifndef __CUDACC_RTC__

/// A kernel that lives with the dynamic shared memory that every launch may ask for, and beside the buffer does not, may ask for as
/// much as before. A program that wants more asks itself, and is told by CUDA where that is too much with the buffer.
inline void makeRoom(const void *kernel, const cudaFuncAttributes &attributes, uint32_t dynamicBytes) {
  constexpr size_t kUsual = 48 << 10; // of a block, where nothing was set (CUDA's programming guide, compute capabilities)
  const size_t ownBytes = attributes.sharedSizeBytes - kSharedBufferBytes;
  if (attributes.sharedSizeBytes >= kSharedBufferBytes && ownBytes + dynamicBytes <= kUsual &&
      attributes.maxDynamicSharedSizeBytes < static_cast<int>(dynamicBytes))
    static_cast<void>(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamicBytes)));
}

#endif

#ifdef __CUDA_ARCH__

/// The shared-window address of record min(index & mask, most) behind `records`. Volatile, so that it stays behind the
/// clock that ends a region: in front of that clock it takes nothing where the region waits for something, but 10
/// cycles in the empty ones that probes are calibrated by, and corrected lengths come out as much too short
/// (test/bench/results/h200-2026-11-23-front.json).
__device__ __forceinline__ uint32_t placeOf(uint32_t records, uint32_t index, uint32_t mask, uint32_t most) {
  uint32_t place;
  asm volatile("{\n\t"
               ".reg .b32 kept;\n\t"
               "and.b32 kept, %2, %3;\n\t"
               "min.u32 kept, kept, %4;\n\t"
               "shl.b32 kept, kept, 4;\n\t"
               "add.u32 %0, %1, kept;\n\t"
               "}"
               : "=r"(place)
               : "r"(records), "r"(index), "r"(mask), "r"(most));
  return place;
}

/// Stores sixteen bytes at a shared-window address where `isStored`.
__device__ __forceinline__ void storeSharedQuad(uint32_t address, const Quad &quad, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %5, 0;\n\t"
               "@p st.shared.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
               "}" ::"r"(address),
               "r"(quad.x), "r"(quad.y), "r"(quad.z), "r"(quad.w), "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

__device__ __forceinline__ Quad loadSharedQuad(uint32_t address) {
  Quad quad;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "r"(address)
               : "memory");
  return quad;
}

#endif

} // namespace detail
} // namespace kperf

#endif
#endif
