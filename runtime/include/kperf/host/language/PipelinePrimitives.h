// The functions of <cuda_pipeline_primitives.h>: what they copy is there at once.
#ifndef KPERF_HOST_PIPELINE_PRIMITIVES_H
#define KPERF_HOST_PIPELINE_PRIMITIVES_H

#include <kperf/host/language/BarrierPrimitives.h>

#include <cstddef>
#include <cstring>

/// The bytes beyond `size - zeroFill` become zero.
inline void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeroFill = 0) {
  std::memcpy(to, from, size - zeroFill);
  std::memset(static_cast<char *>(to) + size - zeroFill, 0, zeroFill);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
/// Counts one arrival more and makes it when the copies are complete, which they are at once here.
inline void __pipeline_arrive_on(__mbarrier_t *) {}

#endif
