// Loads and stores with cache hints, and the asynchronous copy primitives of <cuda_pipeline.h>: plain accesses here.
#ifndef KPERF_HOST_MEMORY_HINTS_H
#define KPERF_HOST_MEMORY_HINTS_H

#include <kperf/host/engine/Attributes.h>

#include <cstddef>
#include <cstring>

template <typename T> T __ldg(const T *address) { return *address; }
template <typename T> T __ldcg(const T *address) { return *address; }
template <typename T> T __ldca(const T *address) { return *address; }
template <typename T> T __ldcs(const T *address) { return *address; }
template <typename T> T __ldlu(const T *address) { return *address; }
template <typename T> T __ldcv(const T *address) { return *const_cast<const volatile T *>(address); }
template <typename T> void __stwb(T *address, T value) { *address = value; }
template <typename T> void __stcg(T *address, T value) { *address = value; }
template <typename T> void __stcs(T *address, T value) { *address = value; }
template <typename T> void __stwt(T *address, T value) { *address = value; }

/// Copies at once; the bytes beyond `size - zeroFill` become zero.
inline void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeroFill = 0) {
  std::memcpy(to, from, size - zeroFill);
  std::memset(static_cast<char *>(to) + size - zeroFill, 0, zeroFill);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}

#endif
