// The calls that the memory rewriter inserts. What counts, detail::CountByCall and detail::CountInline, is the target's.
#ifndef KPERF_MEMORY_CALLS_H
#define KPERF_MEMORY_CALLS_H

#include <cstdint>

// The host target wants to know where the call stands.
#ifndef KPERF_PLACE_PARAMETER
#define KPERF_PLACE_PARAMETER
#define KPERF_PLACE_ARGUMENT
#endif

#define KPERF_PROBE_FUNCTION template <typename T> __host__ __device__ __forceinline__

// A call that gives back the very lvalue that it was given keeps type, qualifiers and value category, and evaluates it once. An
// rvalue, which only code that depends on template arguments can bring, is no access here: what made it was.
#define KPERF_LVALUE_PROBE(name, count)                                                                                \
  KPERF_PROBE_FUNCTION T &name(uint32_t site, T &accessed KPERF_PLACE_PARAMETER) {                                     \
    count;                                                                                                             \
    return accessed;                                                                                                   \
  }                                                                                                                    \
  KPERF_PROBE_FUNCTION T name(uint32_t, T &&value) { return static_cast<T &&>(value); }

#define KPERF_ADDRESS_PROBE(name, Counter)                                                                             \
  KPERF_PROBE_FUNCTION T *name(uint32_t site, T *address KPERF_PLACE_PARAMETER) {                                      \
    Counter::access(site, address, sizeof(T), alignof(T) KPERF_PLACE_ARGUMENT);                                        \
    return address;                                                                                                    \
  }

#define KPERF_BYTES_PROBE(name, Counter)                                                                               \
  template <uint32_t Bytes, typename T>                                                                                \
  __host__ __device__ __forceinline__ T *name(uint32_t site, T *address KPERF_PLACE_PARAMETER) {                       \
    Counter::access(site, address, Bytes, Bytes KPERF_PLACE_ARGUMENT);                                                 \
    return address;                                                                                                    \
  }

#define KPERF_MEMORY_PROBES(Counter)                                                                                   \
  KPERF_LVALUE_PROBE(load, Counter::access(site, __builtin_addressof(accessed), sizeof(T),                             \
                                           alignof(T) KPERF_PLACE_ARGUMENT))                                           \
  KPERF_LVALUE_PROBE(store, Counter::access(site, __builtin_addressof(accessed), sizeof(T),                            \
                                            alignof(T) KPERF_PLACE_ARGUMENT))                                          \
  KPERF_LVALUE_PROBE(update, Counter::access(site, __builtin_addressof(accessed), sizeof(T),                           \
                                             alignof(T) KPERF_PLACE_ARGUMENT))                                         \
  KPERF_LVALUE_PROBE(loadConstant, Counter::constant(site KPERF_PLACE_ARGUMENT))                                       \
  KPERF_ADDRESS_PROBE(loadAt, Counter)                                                                                 \
  KPERF_ADDRESS_PROBE(storeAt, Counter)                                                                                \
  KPERF_ADDRESS_PROBE(atomicAt, Counter)                                                                               \
  KPERF_BYTES_PROBE(loadBytesAt, Counter)                                                                              \
  KPERF_BYTES_PROBE(storeBytesAt, Counter)

namespace kperf {

KPERF_MEMORY_PROBES(detail::CountByCall)

/// For kernels in which a call would take more registers than there are: those that use wgmma or setmaxnreg.
namespace inlined {
KPERF_MEMORY_PROBES(detail::CountInline)
}

} // namespace kperf

#undef KPERF_MEMORY_PROBES
#undef KPERF_LVALUE_PROBE
#undef KPERF_ADDRESS_PROBE
#undef KPERF_BYTES_PROBE
#undef KPERF_PROBE_FUNCTION
#undef KPERF_PLACE_PARAMETER
#undef KPERF_PLACE_ARGUMENT

#endif
