// The calls that the memory rewriter inserts. What they count with, detail::countAccess and countConstant, is the target's.
#ifndef KPERF_MEMORY_CALLS_H
#define KPERF_MEMORY_CALLS_H

#include <cstdint>

// The host target wants to know where the call stands.
#ifndef KPERF_PLACE_PARAMETER
#define KPERF_PLACE_PARAMETER
#define KPERF_PLACE_ARGUMENT
#endif

// A call that gives back the very lvalue that it was given keeps type, qualifiers and value category, and evaluates it once. An
// rvalue, which only code that depends on template arguments can bring, is no access here: what made it was.
#define KPERF_LVALUE_PROBE(name, count)                                                                                \
  template <typename T> __host__ __device__ __forceinline__ T &name(uint32_t site, T &accessed KPERF_PLACE_PARAMETER) { \
    count;                                                                                                             \
    return accessed;                                                                                                   \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  __host__ __device__ __forceinline__ T name(uint32_t, T &&value) {                                                    \
    return static_cast<T &&>(value);                                                                                   \
  }
#define KPERF_COUNT_LVALUE                                                                                             \
  detail::countAccess(site, __builtin_addressof(accessed), sizeof(T), alignof(T) KPERF_PLACE_ARGUMENT)

#define KPERF_POINTER_PROBE(name)                                                                                      \
  template <typename T> __host__ __device__ __forceinline__ T *name(uint32_t site, T *address KPERF_PLACE_PARAMETER) { \
    detail::countAccess(site, address, sizeof(T), alignof(T) KPERF_PLACE_ARGUMENT);                                    \
    return address;                                                                                                    \
  }

#define KPERF_BYTES_PROBE(name)                                                                                        \
  template <uint32_t Bytes, typename T>                                                                                \
  __host__ __device__ __forceinline__ T *name(uint32_t site, T *address KPERF_PLACE_PARAMETER) {                       \
    detail::countAccess(site, address, Bytes, Bytes KPERF_PLACE_ARGUMENT);                                             \
    return address;                                                                                                    \
  }

namespace kperf {

KPERF_LVALUE_PROBE(load, KPERF_COUNT_LVALUE)
KPERF_LVALUE_PROBE(store, KPERF_COUNT_LVALUE)
KPERF_LVALUE_PROBE(update, KPERF_COUNT_LVALUE)
KPERF_LVALUE_PROBE(loadConstant, detail::countConstant(site KPERF_PLACE_ARGUMENT))
KPERF_POINTER_PROBE(loadAt)
KPERF_POINTER_PROBE(storeAt)
KPERF_POINTER_PROBE(atomicAt)
KPERF_BYTES_PROBE(loadBytesAt)
KPERF_BYTES_PROBE(storeBytesAt)

} // namespace kperf

#undef KPERF_LVALUE_PROBE
#undef KPERF_COUNT_LVALUE
#undef KPERF_POINTER_PROBE
#undef KPERF_BYTES_PROBE
#undef KPERF_PLACE_PARAMETER
#undef KPERF_PLACE_ARGUMENT

#endif
