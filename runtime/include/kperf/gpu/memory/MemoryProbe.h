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
#include <kperf/rules/OpenPointer.h>

namespace kperf {
namespace detail {

/// Whether this execution is counted, in a block of which the caller may know already that it is to be recorded. Where executions are
/// sampled, few are, and only those are asked what else there is to ask.
template <typename Site> __host__ __device__ __forceinline__ bool isCounting(Site site) {
#ifdef KPERF_DEVICE_CODE
  return kCountsEveryAccess ? kperf_config.sites != 0 && isOfSample(kperf_config.sample) : __builtin_expect(isChosenAccess(site), false);
#else
  (void)site;
  return false;
#endif
}
template <typename Site> __host__ __device__ __forceinline__ bool isCounting(Site site, bool isSampled) {
#ifdef KPERF_DEVICE_CODE
  return isSampled && (kCountsEveryAccess ? kperf_config.sites != 0 : __builtin_expect(isChosenAccess(site), false));
#else
  (void)site;
  return isSampled;
#endif
}

#ifdef KPERF_DEVICE_CODE
/// How the vendor's GPUs count, by calls or not; in kperf/cuda/memory or kperf/hip/memory:
///   access<Kind>(lanes, site, moment, address, pieces): an access that these lanes make together, of `pieces` from each lane's address on;
///   bulk(site, moment, address, bytes): bulk copies of the active lanes.
/// `moment`: IterationSample's, or 0.
template <bool IsCalled> struct Counting;
#endif

template <bool IsCalled> struct Count {
  /// `bytes` bytes at `address`, which is a multiple of `alignment`.
  template <AccessKind Kind, typename Site>
  static __host__ __device__ __forceinline__ void access(bool isCounting, Site site, const volatile void *address, uint32_t bytes,
                                                         uint32_t alignment) {
#ifdef KPERF_DEVICE_CODE
    const Pieces pieces = piecesOf(bytes, alignment);
    const char *at = reinterpret_cast<const char *>(reinterpret_cast<uint64_t>(address));
    if (!isCounting)
      return;
    const votes::Lanes lanes = activeLanes(); // here, where control flow has made them diverge: behind a call they may have met others
    Counting<IsCalled>::template access<Kind>(lanes, site, chosenMoment(site), at, pieces);
#else
    (void)isCounting, (void)site, (void)address, (void)bytes, (void)alignment;
#endif
  }

  /// A bulk copy by each of the lanes, to or from `address` in global memory.
  template <typename Site>
  static __host__ __device__ __forceinline__ void bulk(bool isCounting, Site site, const void *address, uint32_t bytes) {
#ifdef KPERF_DEVICE_CODE
    if (isCounting)
      Counting<IsCalled>::bulk(site, chosenMoment(site), address, bytes);
#else
    (void)isCounting, (void)site, (void)address, (void)bytes;
#endif
  }

  template <typename Site> static __host__ __device__ __forceinline__ void constant(bool isCounting, Site site) {
#ifdef KPERF_DEVICE_CODE
    if (isCounting)
      countConstant(activeLanes(), site.word, chosenMoment(site));
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
// the two it is in. And that twice: where whole iterations are counted or not, nothing of the question is compiled.
#define KPERF_KIND(name) detail::AccessKind(detail::kinds::name)
#define KPERF_CALL template <typename T> __host__ __device__ __forceinline__
#define KPERF_BYTES_CALL template <uint32_t AccessBytes, typename T> __host__ __device__ __forceinline__
#define KPERF_LVALUE_AT(Site, name, count)                                                                                                 \
  KPERF_CALL T &name(Site site, T &accessed) {                                                                                             \
    const bool isCounting = detail::isCounting(site);                                                                                      \
    count;                                                                                                                                 \
    return accessed;                                                                                                                       \
  }                                                                                                                                        \
  KPERF_CALL T &name(bool isSampled, Site site, T &accessed) {                                                                             \
    const bool isCounting = detail::isCounting(site, isSampled);                                                                           \
    count;                                                                                                                                 \
    return accessed;                                                                                                                       \
  }                                                                                                                                        \
  KPERF_CALL T name(Site, T &&value) { return static_cast<T &&>(value); }                                                                  \
  KPERF_CALL T name(bool, Site, T &&value) { return static_cast<T &&>(value); }                                                            \
  KPERF_CALL T &name(Site, NotAccessed<T> element) { return element.object; }                                                              \
  KPERF_CALL T &name(bool, Site, NotAccessed<T> element) { return element.object; }
#define KPERF_LVALUE(name, count)                                                                                                          \
  KPERF_LVALUE_AT(SiteAt, name, count)                                                                                                     \
  KPERF_LVALUE_AT(IterationSite, name, count)
#define KPERF_ACCESS(name)                                                                                                                 \
  KPERF_LVALUE(name, Count::access<KPERF_KIND(name)>(isCounting, site, __builtin_addressof(accessed), sizeof(T), alignof(T)))
#define KPERF_CONSTANT(name) KPERF_LVALUE(name, Count::constant(isCounting, site))
// `...`: what stands before the result, which may have a comma.
#define KPERF_POINTER_AT(Site, name, result, count, ...)                                                                                   \
  __VA_ARGS__ result name(Site site, result address) {                                                                                     \
    const bool isCounting = detail::isCounting(site);                                                                                      \
    count;                                                                                                                                 \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  __VA_ARGS__ result name(bool isSampled, Site site, result address) {                                                                     \
    const bool isCounting = detail::isCounting(site, isSampled);                                                                           \
    count;                                                                                                                                 \
    return address;                                                                                                                        \
  }
#define KPERF_POINTER(name, result, count, ...)                                                                                            \
  KPERF_POINTER_AT(SiteAt, name, result, count, __VA_ARGS__)                                                                               \
  KPERF_POINTER_AT(IterationSite, name, result, count, __VA_ARGS__)
#define KPERF_ADDRESS(name)                                                                                                                \
  KPERF_POINTER(name, T *, Count::access<KPERF_KIND(name)>(isCounting, site, address, sizeof(T), alignof(T)), KPERF_CALL)
#define KPERF_BYTES(name)                                                                                                                  \
  KPERF_POINTER(name, T *, Count::access<KPERF_KIND(name)>(isCounting, site, address, AccessBytes, AccessBytes), KPERF_BYTES_CALL)
#define KPERF_INTEGER(name, convert)                                                                                                       \
  KPERF_POINTER(name, T, Count::access<KPERF_KIND(name)>(isCounting, site, convert(address), AccessBytes, AccessBytes), KPERF_BYTES_CALL)
// Where `isMade`: a predicate in the assembly decides.
#define KPERF_CONDITIONAL_AT(Site, name, convert)                                                                                          \
  KPERF_BYTES_CALL T name##If(Site site, T address, bool isMade) {                                                                         \
    Count::access<KPERF_KIND(name)>(isMade && detail::isCounting(site), site, convert(address), AccessBytes, AccessBytes);                 \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_BYTES_CALL T name##If(bool isSampled, Site site, T address, bool isMade) {                                                         \
    Count::access<KPERF_KIND(name)>(isMade && detail::isCounting(site, isSampled), site, convert(address), AccessBytes, AccessBytes);      \
    return address;                                                                                                                        \
  }
#define KPERF_CONDITIONAL(name, convert)                                                                                                   \
  KPERF_CONDITIONAL_AT(SiteAt, name, convert)                                                                                              \
  KPERF_CONDITIONAL_AT(IterationSite, name, convert)
#define KPERF_OPERAND(name)                                                                                                                \
  KPERF_INTEGER(name, detail::genericFromOperand)                                                                                          \
  KPERF_CONDITIONAL(name, detail::genericFromOperand)
#define KPERF_SHARED(name)                                                                                                                 \
  KPERF_INTEGER(name, detail::genericFromShared)                                                                                           \
  KPERF_CONDITIONAL(name, detail::genericFromShared)
#define KPERF_OBJECT_AT(Site, name)                                                                                                        \
  KPERF_CALL T &&name(Site site, T &&object) {                                                                                             \
    const auto *address = detail::atomicAddress(object, 0);                                                                                \
    Count::access<KPERF_KIND(name)>(detail::isCounting(site), site, address, sizeof(*address), sizeof(*address));                          \
    return static_cast<T &&>(object);                                                                                                      \
  }                                                                                                                                        \
  KPERF_CALL T &&name(bool isSampled, Site site, T &&object) {                                                                             \
    const auto *address = detail::atomicAddress(object, 0);                                                                                \
    Count::access<KPERF_KIND(name)>(detail::isCounting(site, isSampled), site, address, sizeof(*address), sizeof(*address));               \
    return static_cast<T &&>(object);                                                                                                      \
  }
#define KPERF_OBJECT(name)                                                                                                                 \
  KPERF_OBJECT_AT(SiteAt, name)                                                                                                            \
  KPERF_OBJECT_AT(IterationSite, name)
#define KPERF_BULK_AT(Site, name)                                                                                                          \
  KPERF_CALL T name(Site site, T address, uint32_t bytes) {                                                                                \
    Count::bulk(detail::isCounting(site), site, detail::genericFromOperand(address), bytes);                                               \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_CALL T name(bool isSampled, Site site, T address, uint32_t bytes) {                                                                \
    Count::bulk(detail::isCounting(site, isSampled), site, detail::genericFromOperand(address), bytes);                                    \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_CALL T name##If(Site site, T address, uint32_t bytes, bool isMade) {                                                               \
    Count::bulk(isMade && detail::isCounting(site), site, detail::genericFromOperand(address), bytes);                                     \
    return address;                                                                                                                        \
  }                                                                                                                                        \
  KPERF_CALL T name##If(bool isSampled, Site site, T address, uint32_t bytes, bool isMade) {                                               \
    Count::bulk(isMade && detail::isCounting(site, isSampled), site, detail::genericFromOperand(address), bytes);                          \
    return address;                                                                                                                        \
  }
#define KPERF_BULK(name)                                                                                                                   \
  KPERF_BULK_AT(SiteAt, name)                                                                                                              \
  KPERF_BULK_AT(IterationSite, name)

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
#undef KPERF_LVALUE_AT
#undef KPERF_LVALUE
#undef KPERF_ACCESS
#undef KPERF_CONSTANT
#undef KPERF_POINTER_AT
#undef KPERF_POINTER
#undef KPERF_ADDRESS
#undef KPERF_BYTES
#undef KPERF_INTEGER
#undef KPERF_CONDITIONAL_AT
#undef KPERF_CONDITIONAL
#undef KPERF_OPERAND
#undef KPERF_SHARED
#undef KPERF_OBJECT_AT
#undef KPERF_OBJECT
#undef KPERF_BULK_AT
#undef KPERF_BULK

#endif
