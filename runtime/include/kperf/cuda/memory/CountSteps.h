// How NVIDIA GPUs count an access, instruction by instruction as the machine executes it: in its pattern's counter, or else in the site's
// counters; and keep references to the cache lines that it touches.
#ifndef KPERF_CUDA_COUNT_STEPS_H
#define KPERF_CUDA_COUNT_STEPS_H

#include <kperf/cuda/memory/PatternCounts.h>
#include <kperf/gpu/memory/CountAccess.h>
#include <kperf/gpu/memory/ReferenceLog.h>
#include <kperf/rules/AccessPieces.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// What counting an access by its pattern leaves to be done.
struct Pending {
  uint64_t row;            ///< of the site, where the access is not counted yet; 0
  uint64_t pattern;        ///< that is to take its place; 0
  uint32_t referenceState; ///< 0: no lane's line is kept; 1: this one's is not; 2: it is
  int32_t shift; ///< from the access's address to that of the instruction: a distance, for the compiler knows what memory the address is in
  uint32_t bytes; ///< that it accesses
  bool hasMore;   ///< another instruction follows
};

/// Turns a piece of an access of the source into the instruction that the machine executes for it; true where none is. The same in all
/// lanes.
__device__ __forceinline__ bool isUnexecuted(MachineCode code, votes::Lanes lanes, uint32_t piece, const char *address, int32_t &shift,
                                             uint32_t &bytes, bool &hasMore) {
  if (code.kind() == MachineCode::AsSource)
    return false;
  hasMore = false;
  if (code.kind() == MachineCode::Skipped)
    return true;
  if (code.kind() == MachineCode::Narrow) {
    bytes = code.bytes();
    shift = static_cast<int32_t>(code.offsetOf(piece, hasMore));
    return false;
  }
  // Where lanes access different parts of an instruction's memory the instruction is another one.
  const uint32_t part = static_cast<uint32_t>(reinterpret_cast<uint64_t>(address)) & (code.bytes() - 1);
  if (votes::ballot(lanes, part == static_cast<uint32_t>(votes::valueOf(lanes, uint64_t{part}, votes::lowestOf(lanes)))) != lanes)
    return false;
  shift = -static_cast<int32_t>(part);
  bytes = code.bytes();
  return votes::ballot(lanes, !code.counts(part)) != 0; // a vote, of which ptxas knows that it is the same in all lanes
}

/// The steps of counting one instruction of an access by `lanes`. They are called one after another, so that a kernel
/// needs no more registers than the largest of them takes.
///
/// ptxas puts a YIELD where it takes an atomic for a part of a lock: into a function that calls others, or that does
/// little more than wait for it, or to the top of a loop. Behind a YIELD, lanes that wait at the end of a loop for the
/// others of their warp do so no longer (both seen on sm_90a: in machine code, and in counts of
/// test/memory/Inputs/truth.cu, triangle and halves). So no step calls another, and takePlace is called where the whole
/// warp is together, and nobody waits elsewhere.
struct Steps {
  /// What most accesses come to. `HasPlaces`: patterns of whole warps get places.
  template <AccessKind Kind, bool HasPlaces = false>
  static __device__ __forceinline__ Pending countPattern(votes::Lanes lanes, SiteAt site, const char *begin, uint32_t size, uint32_t piece,
                                                         uint32_t count) {
    const uint64_t log = kperf_config.references;
    const uint32_t closed = log ? loadRecent(log + offsetof(kperf_reference_log, closed)) : kAllClasses; // takes long: first
    const CountersAt counters = countersOf(site);
    const MachineCode code = counters.code;
    uint64_t row = counters.row;
    int32_t shift = static_cast<int32_t>(piece * size);
    bool hasMore = piece + 1 < count;
    if (row != 0 && isUnexecuted(code, lanes, piece, begin, shift, size, hasMore))
      row = 0;
    const void *address = begin + shift;
    // Lanes that come from elsewhere may have been joined by the hardware. The compiler knows of what is asked here
    // that it is the same in all lanes, and votes cost half.
    const votes::Lanes together = activeLanes();
    const bool isKept = row != 0 && closed != kAllClasses && isGlobal(address) && isOpen(closed, reinterpret_cast<uint64_t>(address));
    Pending pending = {row, 0, row != 0 ? 1u + isKept : 0, shift, size, hasMore};
    if (row != 0 && together == lanes) {
      constexpr votes::Lanes kAll = ~votes::Lanes{0};
      if (HasPlaces && (together & (together - 1)) == 0 && (isGlobal(address) || isShared(address))) {
        addLone(row, size, isShared(address));
        pending.row = 0;
      } else if (HasPlaces && together == kAll) {
        const AccessingLanes who(kAll, physicalLane());
        const uint64_t pattern = patternOf(who, reinterpret_cast<uint64_t>(address), isGlobal(address), isShared(address), size, Kind);
        bool isFree = false;
        if (pattern != 0 && addToPattern(row, pattern, who, isFree))
          pending.row = 0;
        pending.pattern = isFree ? pattern : 0;
      }
      if (votes::ballot(together, isKept) == 0)
        pending.referenceState = 0;
    }
    return pending;
  }

  /// Of an execution that was chosen: what is to be counted, where anything is.
  static __device__ __forceinline__ Pending findCounters(votes::Lanes lanes, uint32_t site, const char *begin, uint32_t size,
                                                         uint32_t piece, uint32_t count, uint32_t moment) {
    Pending pending = {0, 0, 0, static_cast<int32_t>(piece * size), size, false};
    if (kperf_config.sites == 0 || !isOfSample(kperf_config.sample))
      return pending;
    const CountersAt counters = countersOf(site, moment);
    // One lane's for all: lanes may have come together in iterations that each chose at a moment of its own, and the site's level may go up
    // between their loads.
    pending.row = votes::valueOf(lanes, counters.row, votes::lowestOf(lanes));
    pending.hasMore = pending.row != 0 && piece + 1 < count;
    addTo(counters.often, 1, counters.often != 0 && piece == 0 && isLowest(lanes));
    if (pending.row != 0 && isUnexecuted(counters.code, lanes, piece, begin, pending.shift, pending.bytes, pending.hasMore))
      pending.row = 0;
    return pending;
  }

  static __device__ __forceinline__ void takePlace(uint64_t row, uint64_t pattern) { detail::takePlace(row, pattern); }

  template <AccessKind Kind>
  static __device__ __forceinline__ void countAny(uint64_t row, votes::Lanes lanes, const void *address, uint32_t size) {
    if (!kCountsEveryAccess && (lanes & (lanes - 1)) == 0 && (isGlobal(address) || isShared(address))) // else that was asked already
      addTo(row + offsetof(kperf_site_row, lone) + AccessPattern::loneIndex(size, isShared(address)) * sizeof(uint64_t), 1, row != 0);
    else
      detail::countAny<Kind>(row, lanes, address, size);
  }

  static __device__ __forceinline__ void keep(votes::Lanes lanes, bool isKept, const void *address, SiteAt site) {
    keepReferences(kperf_config.references, AccessingLanes(lanes, physicalLane()), isKept, reinterpret_cast<uint64_t>(address), site);
  }

  /// A bulk copy by one lane. False where the site is not counted.
  static __device__ __forceinline__ bool countBulk(SiteAt site, uint64_t address, uint32_t bytes, uint32_t moment = 0) {
    const uint64_t row = countersOf(site, moment).row;
    const BulkCounts counts = {address, bytes};
    for (uint32_t counter = 0; counter < format::kSharedAccesses; ++counter)
      addTo(row + offsetof(kperf_site_row, counts) + counter * sizeof(uint64_t), counts[counter], row != 0 && counts[counter] != 0);
    return row != 0;
  }

  static __device__ __forceinline__ void keepLine(votes::Lanes lanes, bool isKept, uint64_t line, uint32_t sectors, SiteAt site) {
    keepReferencesToLine(kperf_config.references, AccessingLanes(lanes, physicalLane()), isKept, line, sectors, site);
  }
};

/// The same as calls: a kernel of many accesses would be a hundred times as long otherwise (of sgemm, nvcc took 54 s
/// instead of 4).
struct CalledSteps {
  template <AccessKind Kind>
  static __device__ __attribute__((noinline)) Pending countPattern(votes::Lanes lanes, SiteAt site, const char *begin, uint32_t size,
                                                                   uint32_t piece, uint32_t count) {
    return Steps::countPattern<Kind, true>(lanes, site, begin, size, piece, count);
  }
  static __device__ __attribute__((noinline)) Pending findCounters(votes::Lanes lanes, uint32_t site, const char *begin, uint32_t size,
                                                                   uint32_t piece, uint32_t count, uint32_t moment) {
    return Steps::findCounters(lanes, site, begin, size, piece, count, moment);
  }
  static __device__ __attribute__((noinline)) void takePlace(uint64_t row, uint64_t pattern) { Steps::takePlace(row, pattern); }
  template <AccessKind Kind>
  static __device__ __attribute__((noinline)) void countAny(uint64_t row, votes::Lanes lanes, const void *address, uint32_t size) {
    Steps::countAny<Kind>(row, lanes, address, size);
  }
  static __device__ __attribute__((noinline)) void keep(votes::Lanes lanes, bool isKept, const void *address, SiteAt site) {
    Steps::keep(lanes, isKept, address, site);
  }
  static __device__ __attribute__((noinline)) bool countBulk(SiteAt site, uint64_t address, uint32_t bytes) {
    return Steps::countBulk(site, address, bytes);
  }
  static __device__ __attribute__((noinline)) void keepLine(votes::Lanes lanes, bool isKept, uint64_t line, uint32_t sectors, SiteAt site) {
    Steps::keepLine(lanes, isKept, line, sectors, site);
  }
};

/// Counts an execution that was chosen, of an access of `lanes` by `count` instructions of `size` bytes, or by those that are known to be
/// executed in their place. It waits for nothing but its row of the table, takes no pattern's place and keeps no references, of which a
/// sample would say nothing of reuse.
template <typename Steps, AccessKind Kind>
__device__ __forceinline__ void countChosen(votes::Lanes lanes, uint32_t site, const char *begin, uint32_t size, uint32_t count,
                                            uint32_t moment) {
  votes::Lanes following = lanes;
  if (moment == 0) // of all pieces
    moment = momentAlone();
#pragma unroll 1
  for (uint32_t piece = 0; following != 0; ++piece) {
    const Pending pending = Steps::findCounters(lanes, site, begin, size, piece, count, moment);
    following = votes::ballot(lanes, pending.hasMore);
    if (votes::ballot(lanes, pending.row != 0) != 0)
      Steps::template countAny<Kind>(pending.row, lanes, begin + pending.shift, pending.bytes);
  }
}

/// Counts an access of `lanes` by `count` instructions of `size` bytes, or by those that are known to be executed in their place.
template <typename Steps, AccessKind Kind>
__device__ __forceinline__ void countPieces(votes::Lanes lanes, SiteAt site, const char *address, uint32_t size, uint32_t count) {
  votes::Lanes following = lanes;
#pragma unroll 1
  for (uint32_t piece = 0; following != 0; ++piece) {
    const Pending pending = Steps::template countPattern<Kind>(lanes, site, address, size, piece, count);
    const char *at = address + pending.shift;
    // The same in all lanes, but ptxas does not know: after votes of some lanes it would assume that the warp has diverged, and make more
    // of each vote and shuffle of the kernel's own: in CUB's match_any more than it has predicates for.
    const votes::Lanes counting = votes::ballot(lanes, pending.row != 0), keptLanes = votes::ballot(lanes, pending.referenceState != 0);
    following = votes::ballot(lanes, pending.hasMore);
    if (counting != 0) {
      if (pending.pattern != 0)
        Steps::takePlace(pending.row, pending.pattern);
      Steps::template countAny<Kind>(pending.row, lanes, at, pending.bytes);
    }
    if (keptLanes != 0)
      Steps::keep(lanes, pending.referenceState == 2, at, site);
  }
}

/// The steps of an execution that was chosen, as one call: of a site's code, votes and calls of their own were two thirds. It has no atomic
/// itself. What counts every access can't be called so: lanes that came back from takePlace one by one stayed apart behind the call too
/// (sm_90a; HeCBench's merge counted a quarter more executions, and fpdc's kernel ended with an error).
template <AccessKind Kind>
__device__ __attribute__((noinline)) void callCountChosen(votes::Lanes lanes, uint32_t site, const char *address, uint32_t size,
                                                          uint32_t count, uint32_t moment) {
  countChosen<CalledSteps, Kind>(lanes, site, address, size, count, moment);
}

/// Of bulk copies that were chosen.
__device__ __forceinline__ void countChosenBulk(uint32_t site, const void *pointer, uint32_t bytes, uint32_t moment) {
  if (kperf_config.sites != 0 && isOfSample(kperf_config.sample) && isGlobal(pointer))
    Steps::countBulk(site, reinterpret_cast<uint64_t>(pointer), bytes, moment ? moment : momentAlone());
}
inline __device__ __attribute__((noinline)) void callCountChosenBulk(uint32_t site, const void *pointer, uint32_t bytes, uint32_t moment) {
  countChosenBulk(site, pointer, bytes, moment);
}

/// Counts bulk copies, one by each of `lanes`, of `bytes` bytes from its address on; what lies elsewhere than in global
/// memory is not counted.
template <typename Steps> __device__ __forceinline__ void countBulk(votes::Lanes lanes, SiteAt site, const void *pointer, uint32_t bytes) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  const uint64_t log = kperf_config.references;
  const bool isCounted = isGlobal(pointer) && Steps::countBulk(site, address, bytes) && bytes != 0 && log != 0;
  const uint64_t first = address / format::kLineBytes, last = (address + bytes - 1) / format::kLineBytes;
  const uint32_t most = votes::largest(lanes, lanes, isCounted ? static_cast<uint32_t>(last - first + 1) : 0);
  const uint32_t closed = most ? loadRecent(log + offsetof(kperf_reference_log, closed)) : kAllClasses;
#pragma unroll 1
  for (uint32_t index = 0; index < most; ++index) {
    const uint64_t line = first + index;
    const bool isKept = isCounted && line <= last && isOpen(closed, line * format::kLineBytes);
    const uint32_t behind = line < last ? 4 : static_cast<uint32_t>((address + bytes - 1) / format::kSectorBytes % 4 + 1);
    const uint32_t before = index ? 0 : static_cast<uint32_t>(address / format::kSectorBytes % 4);
    if (votes::ballot(lanes, isKept) != 0)
      Steps::keepLine(lanes, isKept, line, (1u << behind) - (1u << before), site);
  }
}

template <bool IsCalled> struct Counting {
  using Chosen = typename std::conditional<IsCalled, CalledSteps, Steps>::type;

  template <AccessKind Kind>
  static __device__ __forceinline__ void access(votes::Lanes lanes, SiteAt site, uint32_t moment, const char *address, Pieces pieces) {
    if constexpr (kCountsEveryAccess)
      countPieces<Chosen, Kind>(lanes, site, address, pieces.bytes, pieces.count);
    else if constexpr (IsCalled)
      callCountChosen<Kind>(lanes, site.word, address, pieces.bytes, pieces.count, moment);
    else
      countChosen<Steps, Kind>(lanes, site.word, address, pieces.bytes, pieces.count, moment);
  }
  static __device__ __forceinline__ void bulk(SiteAt site, uint32_t moment, const void *address, uint32_t bytes) {
    if constexpr (kCountsEveryAccess)
      countBulk<Chosen>(activeLanes(), site, address, bytes);
    else if constexpr (IsCalled)
      callCountChosenBulk(site.word, address, bytes, moment);
    else
      countChosenBulk(site.word, address, bytes, moment);
  }
};

} // namespace detail
} // namespace kperf

#endif
#endif
