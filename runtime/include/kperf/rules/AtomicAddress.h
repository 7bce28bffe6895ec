// Finds the address of the value in an atomic of libcu++.
//
// It keeps it behind a member of this name, in CUDA 12 and 13; of a class that has none, the object is taken for the value. The last
// argument is 0, and chooses the first of these that there is.
#ifndef KPERF_ATOMIC_ADDRESS_H
#define KPERF_ATOMIC_ADDRESS_H

#if defined(__CUDACC__) || defined(__HIP__)
#define KPERF_BOTH template <typename T> __host__ __device__ __forceinline__
#else
#define KPERF_BOTH template <typename T>
#endif

namespace kperf {
namespace detail {

KPERF_BOTH auto atomicAddress(T &object, int) -> decltype(object.__a.get()) { return object.__a.get(); }
KPERF_BOTH auto atomicAddress(T *const &object, int) -> decltype(object->__a.get()) { return object->__a.get(); }
KPERF_BOTH T *atomicAddress(T &object, long) { return __builtin_addressof(object); }
KPERF_BOTH T *atomicAddress(T *const &object, long) { return object; }

} // namespace detail
} // namespace kperf

#undef KPERF_BOTH

#endif
