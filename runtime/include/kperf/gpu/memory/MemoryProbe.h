// The device side of memory analytics on GPUs. Emitted calls: kperf::load, store, update, and loadAt, storeAt,
// atomicAt, and more of MemoryCalls.h.
//
// The same in namespace kperf::inlined. Each takes the id of its site and what is accessed, and gives the latter back
// unchanged: the access itself stays where the program made it. The lanes that come together count it in device memory, in
// the way of their vendor (kperf/cuda/memory/CountSteps.h, kperf/hip/memory/CountAtOnce.h).
#ifndef KPERF_GPU_MEMORY_PROBE_H
#define KPERF_GPU_MEMORY_PROBE_H

#include <kperf/gpu/memory/AccessSample.h>
#include <kperf/gpu/memory/CountAccess.h>
#include <kperf/gpu/memory/SampledLoop.h>
#include <kperf/gpu/vendor/Vendor.h>
#include <kperf/rules/AccessPieces.h>
#include <kperf/rules/AtomicAddress.h>
#include <kperf/rules/MemoryCalls.h>

namespace kperf {
namespace detail {

/// Whether this execution is counted, in a block of which the caller may know already that it is to be recorded. Where executions are
/// sampled, few are, and only those are asked what else there is to ask.
__host__ __device__ __forceinline__ bool isCounting(SampledSite site) {
#ifdef KPERF_DEVICE_CODE
  return kCountsEveryAccess ? kperf_config.sites != 0 && isOfSample(kperf_config.sample) : __builtin_expect(isChosenAccess(site), false);
#else
  (void)site;
  return false;
#endif
}
__host__ __device__ __forceinline__ bool isCounting(SampledSite site, bool isSampled) {
#ifdef KPERF_DEVICE_CODE
  return isSampled && (kCountsEveryAccess ? kperf_config.sites != 0 : __builtin_expect(isChosenAccess(site), false));
#else
  (void)site;
  return isSampled;
#endif
}

#ifdef KPERF_DEVICE_CODE
/// How the vendor's GPUs count, by calls or not; in kperf/cuda/memory or kperf/hip/memory:
///   access<Kind>(lanes, site, address, pieces): an access that these lanes make together, of `pieces` from each lane's address on;
///   bulk(site, address, bytes): bulk copies of the active lanes.
template <bool IsCalled> struct Counting;
#endif

template <bool IsCalled> struct Count {
  /// `bytes` bytes at `address`, which is a multiple of `alignment`.
  template <AccessKind Kind>
  static __host__ __device__ __forceinline__ void access(bool isCounting, SampledSite site, const volatile void *address, uint32_t bytes,
                                                         uint32_t alignment) {
#ifdef KPERF_DEVICE_CODE
    const Pieces pieces = piecesOf(bytes, alignment);
    const char *at = reinterpret_cast<const char *>(reinterpret_cast<uint64_t>(address));
    if (!isCounting)
      return;
    const votes::Lanes lanes = activeLanes(); // here, where control flow has made them diverge: behind a call they may have met others
    Counting<IsCalled>::template access<Kind>(lanes, site, at, pieces);
#else
    (void)isCounting, (void)site, (void)address, (void)bytes, (void)alignment;
#endif
  }

  /// A bulk copy by each of the lanes, to or from `address` in global memory.
  static __host__ __device__ __forceinline__ void bulk(bool isCounting, SampledSite site, const void *address, uint32_t bytes) {
#ifdef KPERF_DEVICE_CODE
    if (isCounting)
      Counting<IsCalled>::bulk(site, address, bytes);
#else
    (void)isCounting, (void)site, (void)address, (void)bytes;
#endif
  }

  static __host__ __device__ __forceinline__ void constant(bool isCounting, SampledSite site) {
#ifdef KPERF_DEVICE_CODE
    if (isCounting)
      countConstant(activeLanes(), site.word, site.sample.moment);
#else
    (void)isCounting, (void)site;
#endif
  }
};

} // namespace detail
} // namespace kperf

// A call that gives back the very lvalue that it was given keeps type, qualifiers and value category, and evaluates it
// once. An rvalue, which only code that depends on template arguments can bring, is no access here: what made it was.
// Each comes twice: in a kernel that has an untouched copy (SampledKernel.h) the body's first argument says which of
// the two it is in.
#define KPERF_KIND(name) detail::AccessKind(detail::kinds::name)
#define KPERF_CALL template <typename T> __host__ __device__ __forceinline__
#define KPERF_BYTES_CALL template <uint32_t AccessBytes, typename T> __host__ __device__ __forceinline__
#define KPERF_LVALUE(name, count)                                                                                                          \
  KPERF_CALL T &name(SampledSite site, T &accessed) {                                                                                      \
    const bool isCounting = detail::isCounting(site);                                                                                      \
    count;                                                                                                                                 \
    return accessed;                                                                                                                       \
  }                                                                                                                                        \
  KPERF_CALL T &name(bool isSampled, SampledSite site, T &accessed) {                                                                      \
    const bool isCounting = detail::isCounting(site, isSampled);                                                                           \
    count;                                                                                                                                 \
    return accessed;                                                                                                                       \
  }                                                                                                                                        \
  KPERF_CALL T name(SampledSite, T &&value) { return static_cast<T &&>(value); }                                                           \
  KPERF_CALL T name(bool, SampledSite, T &&value) { return static_cast<T &&>(value); }
#define KPERF_ACCESS(name)                                                                                                                 \
  KPERF_LVALUE(name, Count::access<KPERF_KIND(name)>(isCounting, site, __builtin_addressof(accessed), sizeof(T), alignof(T)))
#define KPERF_CONSTANT(name) KPERF_LVALUE(name, Count::constant(isCounting, site))
#define KPERF_POINTER(call, name, result, count)                                                                                           \
  call result name(SampledSite site, result address) {                                                                                     \
    const bool isCounting = detail::isCounting(site);                                                                                      \
    count;                                                                                                                                 \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  call result name(bool isSampled, SampledSite site, result address) {                                                                     \
    const bool isCounting = detail::isCounting(site, isSampled);                                                                           \
    count;                                                                                                                                 \
    return address;                                                                                                                        \
  }
#define KPERF_ADDRESS(name)                                                                                                                \
  KPERF_POINTER(KPERF_CALL, name, T *, Count::access<KPERF_KIND(name)>(isCounting, site, address, sizeof(T), alignof(T)))
#define KPERF_BYTES(name)                                                                                                                  \
  KPERF_POINTER(KPERF_BYTES_CALL, name, T *, Count::access<KPERF_KIND(name)>(isCounting, site, address, AccessBytes, AccessBytes))
#define KPERF_INTEGER(name, convert)                                                                                                       \
  KPERF_POINTER(KPERF_BYTES_CALL, name, T, Count::access<KPERF_KIND(name)>(isCounting, site, convert(address), AccessBytes, AccessBytes))
// Where `isMade`: a predicate in the assembly decides.
#define KPERF_CONDITIONAL(name, convert)                                                                                                   \
  KPERF_BYTES_CALL T name##If(SampledSite site, T address, bool isMade) {                                                                  \
    Count::access<KPERF_KIND(name)>(isMade && detail::isCounting(site), site, convert(address), AccessBytes, AccessBytes);                 \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_BYTES_CALL T name##If(bool isSampled, SampledSite site, T address, bool isMade) {                                                  \
    Count::access<KPERF_KIND(name)>(isMade && detail::isCounting(site, isSampled), site, convert(address), AccessBytes, AccessBytes);      \
    return address;                                                                                                                        \
  }
#define KPERF_OPERAND(name)                                                                                                                \
  KPERF_INTEGER(name, detail::genericFromOperand)                                                                                          \
  KPERF_CONDITIONAL(name, detail::genericFromOperand)
#define KPERF_SHARED(name)                                                                                                                 \
  KPERF_INTEGER(name, detail::genericFromShared)                                                                                           \
  KPERF_CONDITIONAL(name, detail::genericFromShared)
#define KPERF_OBJECT(name)                                                                                                                 \
  KPERF_CALL T &&name(SampledSite site, T &&object) {                                                                                      \
    const auto *address = detail::atomicAddress(object, 0);                                                                                \
    Count::access<KPERF_KIND(name)>(detail::isCounting(site), site, address, sizeof(*address), sizeof(*address));                          \
    return static_cast<T &&>(object);                                                                                                      \
  }                                                                                                                                        \
  KPERF_CALL T &&name(bool isSampled, SampledSite site, T &&object) {                                                                      \
    const auto *address = detail::atomicAddress(object, 0);                                                                                \
    Count::access<KPERF_KIND(name)>(detail::isCounting(site, isSampled), site, address, sizeof(*address), sizeof(*address));               \
    return static_cast<T &&>(object);                                                                                                      \
  }
#define KPERF_BULK(name)                                                                                                                   \
  KPERF_CALL T name(SampledSite site, T address, uint32_t bytes) {                                                                         \
    Count::bulk(detail::isCounting(site), site, detail::genericFromOperand(address), bytes);                                               \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_CALL T name(bool isSampled, SampledSite site, T address, uint32_t bytes) {                                                         \
    Count::bulk(detail::isCounting(site, isSampled), site, detail::genericFromOperand(address), bytes);                                    \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_CALL T name##If(SampledSite site, T address, uint32_t bytes, bool isMade) {                                                        \
    Count::bulk(isMade && detail::isCounting(site), site, detail::genericFromOperand(address), bytes);                                     \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_CALL T name##If(bool isSampled, SampledSite site, T address, uint32_t bytes, bool isMade) {                                        \
    Count::bulk(isMade && detail::isCounting(site, isSampled), site, detail::genericFromOperand(address), bytes);                          \
    return address;                                                                                                                        \
  }

namespace kperf {
namespace detail {

/// What an operand of inline assembly, a pointer or an integer, names.
template <typename T> __host__ __device__ __forceinline__ const void *genericFromOperand(T address) {
  return (const void *)(uint64_t)address; // the first cast takes either
}
template <typename T> __host__ __device__ __forceinline__ const void *genericFromShared(T address) {
#ifdef KPERF_DEVICE_CODE
  return pointerToShared(address);
#else
  return (const void *)(uint64_t)address;
#endif
}

} // namespace detail

inline namespace called {
using Count = detail::Count<true>;
KPERF_MEMORY_CALLS(KPERF_ACCESS, KPERF_CONSTANT, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED, KPERF_OBJECT, KPERF_BULK)
} // namespace called

/// For kernels in which a call would take more registers than there are: those that use wgmma or setmaxnreg.
namespace inlined {
using Count = detail::Count<false>;
KPERF_MEMORY_CALLS(KPERF_ACCESS, KPERF_CONSTANT, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED, KPERF_OBJECT, KPERF_BULK)
} // namespace inlined

} // namespace kperf

#undef KPERF_KIND
#undef KPERF_CALL
#undef KPERF_BYTES_CALL
#undef KPERF_LVALUE
#undef KPERF_ACCESS
#undef KPERF_CONSTANT
#undef KPERF_POINTER
#undef KPERF_ADDRESS
#undef KPERF_BYTES
#undef KPERF_INTEGER
#undef KPERF_CONDITIONAL
#undef KPERF_OPERAND
#undef KPERF_SHARED
#undef KPERF_OBJECT
#undef KPERF_BULK

#endif
