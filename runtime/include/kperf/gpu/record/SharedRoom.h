// Room for a program's dynamic shared memory beside a buffer of kperf's: builds with -DKPERF_SHARED_BUFFER=KIB, on NVIDIA GPUs.
#ifndef KPERF_GPU_SHARED_ROOM_H
#define KPERF_GPU_SHARED_ROOM_H

#include <kperf/gpu/record/SharedRecords.h>

#ifdef KPERF_SHARED_BUFFER

namespace kperf {
namespace detail {

/// A kernel that lives with the dynamic shared memory that every launch may ask for, and beside the buffer does not, may ask for as
/// much as before. A program that wants more asks itself, and is told by CUDA where that is too much with the buffer.
inline void makeRoom(const void *kernel, const cudaFuncAttributes &attributes, uint32_t dynamicBytes) {
  constexpr size_t kUsual = 48 << 10; // of a block, where nothing was set (CUDA's programming guide, compute capabilities)
  const size_t ownBytes = attributes.sharedSizeBytes - kSharedBufferBytes;
  if (attributes.sharedSizeBytes >= kSharedBufferBytes && ownBytes + dynamicBytes <= kUsual &&
      attributes.maxDynamicSharedSizeBytes < static_cast<int>(dynamicBytes))
    static_cast<void>(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamicBytes)));
}

} // namespace detail
} // namespace kperf

#endif
#endif
