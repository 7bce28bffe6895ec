// kperf's buffer in shared memory, in builds with -DKPERF_SHARED_BUFFER=KIB: its size, and how a launch makes room for it beside the
// program's dynamic shared memory.
#ifndef KPERF_CUDA_SHARED_BUFFER_H
#define KPERF_CUDA_SHARED_BUFFER_H

#include <kperf/cuda/Clock.h>

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

} // namespace detail
} // namespace kperf

#endif
#endif
