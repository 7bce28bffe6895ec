// The device side of memory analytics on GPUs. Emitted calls: kperf::load, store, update, and loadAt, storeAt,
// atomicAt.
//
// The same in namespace kperf::inlined. Each takes the id of its site and what is accessed, and gives the latter back
// unchanged: the access itself stays where the program made it. The lanes that come together add what they ask for to
// the site's counters in device memory, each lane another counter, without waiting.
#ifndef KPERF_CUDA_MEMORY_PROBE_H
#define KPERF_CUDA_MEMORY_PROBE_H

#include <kperf/AccessPieces.h>
#include <kperf/MemoryCalls.h>
#include <kperf/cuda/AccessCounts.h>
#include <kperf/cuda/Probe.h>
#include <kperf/cuda/ReferenceLog.h>

namespace kperf {
namespace detail {

#ifdef KPERF_DEVICE_CODE

/// Device address of the site's counters in this multiprocessor's copy; 0 where nothing is counted.
__device__ __forceinline__ uint64_t countersOf(uint32_t site) {
  const uint64_t table = kperf_config.sites;
  for (uint32_t slot = site;; ++slot) {
    const kperf_site_entry entry = loadEntry(table + (slot & kperf_config.site_mask) * sizeof(kperf_site_entry));
    if (entry.id == 0)
      return 0;
    if (entry.id != site)
      continue;
    const uint64_t row = uint64_t{smId() & kperf_config.site_copy_mask} * kperf_config.site_rows + entry.row;
    return kperf_config.site_counters + row * (format::kSiteCounters * sizeof(uint64_t));
  }
}

/// Adds the counters in [first, end), each by another lane.
template <typename Counts>
__device__ __forceinline__ void addAll(uint64_t row, const AccessingLanes &who, const Counts &counts, uint32_t first,
                                       uint32_t end) {
  for (uint32_t counter = first + who.rank; counter < end; counter += who.count)
    if (const uint32_t value = counts[counter])
      addTo(row + counter * sizeof(uint64_t), value);
}

/// One instruction: `size` bytes at each lane's address.
__device__ __forceinline__ void countPiece(uint64_t row, const AccessingLanes &all, [[maybe_unused]] SiteAt site,
                                           const void *address, uint32_t size, bool isLoad) {
  const votes::Lanes global = votes::ballot(all.mask, isGlobal(address));
  const votes::Lanes shared = votes::ballot(all.mask, isShared(address));
  if (global & all.own()) {
    const AccessingLanes who(global, all.lane);
    addAll(row, who, GlobalCounts(who, reinterpret_cast<uint64_t>(address), size), format::kAccesses,
           format::kSharedAccesses);
#ifndef __HIP__
    keepReferences(who, reinterpret_cast<uint64_t>(address), site);
#endif
  } else if (shared & all.own()) {
    const AccessingLanes who(shared, all.lane);
    addAll(row, who, SharedCounts(who, sharedAddressOf(address), size, isLoad), format::kSharedAccesses,
           format::kOtherAccesses);
  } else if (isLowest(all.mask & ~global & ~shared)) {
    addTo(row + format::kOtherAccesses * sizeof(uint64_t), 1);
  }
}

/// Counts an access of `count` instructions of `size` bytes.
template <bool IsLoad>
__device__ __forceinline__ void countPieces(SiteAt site, const char *address, uint32_t size, uint32_t count) {
  const uint64_t row = countersOf(site.id);
  if (row == 0)
    return;
  const AccessingLanes who(activeLanes(), physicalLane());
#pragma unroll 1
  for (uint32_t piece = 0; piece < count; ++piece)
    countPiece(row, who, site, address + piece * size, size, IsLoad);
}

/// The same as a call: a kernel of many accesses would be a hundred times as long otherwise (of sgemm, nvcc took 54 s
/// instead of 4).
template <bool IsLoad>
__device__ __attribute__((noinline)) void callCountPieces(SiteAt site, const char *address, uint32_t size,
                                                          uint32_t count) {
  countPieces<IsLoad>(site, address, size, count);
}

#ifdef __HIP__
/// On AMD GPUs references are kept by a call of its own: together with the counters it would take more scalar registers than there are.
inline __device__ __attribute__((noinline)) void keepPieces(SiteAt site, const char *address, uint32_t size,
                                                            uint32_t count) {
  if (kperf_config.references == 0)
    return;
  const AccessingLanes all(activeLanes(), physicalLane());
  const votes::Lanes global = votes::ballot(all.mask, isGlobal(address));
#pragma unroll 1
  for (uint32_t piece = 0; piece < count; ++piece)
    if (global & all.own())
      keepReferences(AccessingLanes(global, all.lane), reinterpret_cast<uint64_t>(address + piece * size), site);
}
#endif

/// An access to constant memory, which has no sectors.
inline __device__ __attribute__((noinline)) void countConstant(uint32_t site) {
  const uint64_t row = countersOf(site);
  if (row != 0 && isLowest(activeLanes()))
    addTo(row + format::kOtherAccesses * sizeof(uint64_t), 1);
}

#endif

/// Whether accesses are counted in this block, of which the caller may know already that it is to be recorded.
__host__ __device__ __forceinline__ bool isCounting() {
#ifdef KPERF_DEVICE_CODE
  return kperf_config.sites != 0 && isSampled();
#else
  return false;
#endif
}
__host__ __device__ __forceinline__ bool isCounting(bool isSampled) {
#ifdef KPERF_DEVICE_CODE
  return isSampled && kperf_config.sites != 0;
#else
  return isSampled;
#endif
}

template <bool IsCalled> struct Count {
  /// `bytes` bytes at `address`, which is a multiple of `alignment`.
  template <bool IsLoad>
  static __host__ __device__ __forceinline__ void access(bool isCounting, SiteAt site, const volatile void *address,
                                                         uint32_t bytes, uint32_t alignment) {
#ifdef KPERF_DEVICE_CODE
    const Pieces pieces = piecesOf(bytes, alignment);
    const char *at = reinterpret_cast<const char *>(reinterpret_cast<uint64_t>(address));
    if (!isCounting)
      return;
    if constexpr (IsCalled)
      callCountPieces<IsLoad>(site, at, pieces.bytes, pieces.count);
    else
      countPieces<IsLoad>(site, at, pieces.bytes, pieces.count);
#ifdef __HIP__
    keepPieces(site, at, pieces.bytes, pieces.count);
#endif
#else
    (void)isCounting, (void)site, (void)address, (void)bytes, (void)alignment;
#endif
  }

  static __host__ __device__ __forceinline__ void constant(bool isCounting, SiteAt site) {
#ifdef KPERF_DEVICE_CODE
    if (isCounting)
      countConstant(site.id);
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
#define KPERF_CALL template <typename T> __host__ __device__ __forceinline__
#define KPERF_BYTES_CALL template <uint32_t Bytes, typename T> __host__ __device__ __forceinline__
#define KPERF_LVALUE(name, count)                                                                                      \
  KPERF_CALL T &name(SiteAt site, T &accessed) {                                                                       \
    const bool isCounting = detail::isCounting();                                                                      \
    count;                                                                                                             \
    return accessed;                                                                                                   \
  }                                                                                                                    \
  KPERF_CALL T &name(bool isSampled, SiteAt site, T &accessed) {                                                       \
    const bool isCounting = detail::isCounting(isSampled);                                                             \
    count;                                                                                                             \
    return accessed;                                                                                                   \
  }                                                                                                                    \
  KPERF_CALL T name(SiteAt, T &&value) { return static_cast<T &&>(value); }                                            \
  KPERF_CALL T name(bool, SiteAt, T &&value) { return static_cast<T &&>(value); }
#define KPERF_ACCESS(name)                                                                                             \
  KPERF_LVALUE(name, Count::access<bool(detail::loads::name)>(isCounting, site, __builtin_addressof(accessed),         \
                                                              sizeof(T), alignof(T)))
#define KPERF_CONSTANT(name) KPERF_LVALUE(name, Count::constant(isCounting, site))
#define KPERF_POINTER(call, name, result, count)                                                                       \
  call result name(SiteAt site, result address) {                                                                      \
    const bool isCounting = detail::isCounting();                                                                      \
    count;                                                                                                             \
    return address;                                                                                                    \
  }                                                                                                                    \
  call result name(bool isSampled, SiteAt site, result address) {                                                      \
    const bool isCounting = detail::isCounting(isSampled);                                                             \
    count;                                                                                                             \
    return address;                                                                                                    \
  }
#define KPERF_ADDRESS(name)                                                                                            \
  KPERF_POINTER(KPERF_CALL, name, T *,                                                                                 \
                Count::access<bool(detail::loads::name)>(isCounting, site, address, sizeof(T), alignof(T)))
#define KPERF_BYTES(name)                                                                                              \
  KPERF_POINTER(KPERF_BYTES_CALL, name, T *,                                                                           \
                Count::access<bool(detail::loads::name)>(isCounting, site, address, Bytes, Bytes))
#define KPERF_INTEGER(name, convert)                                                                                   \
  KPERF_POINTER(KPERF_BYTES_CALL, name, T,                                                                             \
                Count::access<bool(detail::loads::name)>(isCounting, site, convert(address), Bytes, Bytes))
#define KPERF_OPERAND(name) KPERF_INTEGER(name, detail::genericFromOperand)
#define KPERF_SHARED(name) KPERF_INTEGER(name, detail::genericFromShared)

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
KPERF_MEMORY_CALLS(KPERF_ACCESS, KPERF_CONSTANT, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED)
} // namespace called

/// For kernels in which a call would take more registers than there are: those that use wgmma or setmaxnreg.
namespace inlined {
using Count = detail::Count<false>;
KPERF_MEMORY_CALLS(KPERF_ACCESS, KPERF_CONSTANT, KPERF_ADDRESS, KPERF_BYTES, KPERF_OPERAND, KPERF_SHARED)
} // namespace inlined

} // namespace kperf

#undef KPERF_CALL
#undef KPERF_BYTES_CALL
#undef KPERF_LVALUE
#undef KPERF_ACCESS
#undef KPERF_CONSTANT
#undef KPERF_POINTER
#undef KPERF_ADDRESS
#undef KPERF_BYTES
#undef KPERF_INTEGER
#undef KPERF_OPERAND
#undef KPERF_SHARED

#endif
