// How probes in any device function find their warp's slot: through a state in shared memory, in which each reserves its record.
//
// A record's index is reserved with one shared-memory atomic when a region begins and used when it ends, so its latency
// hides behind the region, and lanes that diverged never share an index. Stores are predicated, not branched around.
#ifndef KPERF_GPU_WARP_STATE_H
#define KPERF_GPU_WARP_STATE_H

#include <kperf/gpu/record/Slot.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// Of one warp.
struct alignas(16) WarpState {
  uint64_t records;  ///< device address of the part's first record
  uint32_t limit;    ///< bytes of records that are stored: reservations beyond it only count; odd where the part's header
                     ///< has to count them, because no kernel's end will
  uint32_t reserved; ///< bytes of records reserved so far
};

/// Of one block. A state is valid while its key is the launch's gridId: shared memory begins as others left it, and a
/// function may be called by a kernel that has no probes and wrote no state (a library's, say). Dynamic shared memory lies behind it:
/// where that began at a multiple of 1024 bytes it still does, as TMA's and wgmma's swizzles ask.
struct alignas(1024) BlockStates {
  WarpState states[32];
  uint64_t keys[32];
};

/// One per linked program: an inline function's static is merged by nvlink.
inline __device__ BlockStates *blockStates() {
  __shared__ BlockStates states;
  return &states;
}

/// Shared-window address of the calling warp's state.
__device__ __forceinline__ uint32_t stateAddress() { return sharedAddressOf(blockStates()->states) + warpInBlock() * sizeof(WarpState); }

/// Bytes of reservations that find room in a part of `capacity` records.
__device__ __forceinline__ uint32_t reservationLimit(uint32_t capacity) {
  return kperf_config.keep_last ? 0x80000000u : capacity * static_cast<uint32_t>(sizeof(format::Record));
}

/// Sets the calling warp's state; by one lane. `slot` is the part's header, or 0 and then `limit` is 0; `reserved` is where
/// reservations begin: below 0, and so beyond any limit, where records are skipped.
__device__ __forceinline__ void setState(uint64_t slot, uint32_t limit, uint32_t reserved = 0) {
  BlockStates &block = *blockStates();
  block.states[warpInBlock()] = {slot + sizeof(format::WarpHeader), limit, reserved};
  fenceBlock();
  *const_cast<volatile uint64_t *>(&block.keys[warpInBlock()]) = gridId();
}

/// The key while a lane is about to set the state.
constexpr uint64_t kBeingSet = ~uint64_t{0};

/// Takes a slot for a warp whose kernel has no probes, and sets its state, where `isMine`; by all `lanes` of a group.
__device__ inline void setForeignState(LaneMask lanes, bool isMine) {
  const uint32_t capacity = capacityFor(~0u);
  const uint32_t bytes = sizeof(format::WarpHeader) + capacity * sizeof(format::Record);
  const uint64_t slot = isRecorded(format::kForeignKernel) ? takeSlot(bytes, format::kForeignKernel, lanes, isMine) : 0;
  if (!isMine)
    return;
  if (slot) {
    format::WarpHeader header = describePart({format::kForeignKernel}, capacity, bytes, format::kWarpReserved | format::kWarpForeign);
    storeWarpPlace(slot, header);
    readClocks(header.startCycles, header.startNs);
    storePartHeader(slot, header);
  }
  setState(slot, slot ? reservationLimit(capacity) - 15 : 0);
}

/// The same when the first region of the warp begins. Called by all lanes of each group that gets here; its `isMine` lane sets the state.
__device__ inline void adoptWarp(LaneMask lanes, bool isMine) {
  auto *key = reinterpret_cast<unsigned long long *>(&blockStates()->keys[warpInBlock()]);
  const unsigned long long mine = gridId();
  unsigned long long seen = *const_cast<volatile unsigned long long *>(key);
  while (anyLane(lanes, seen != mine)) { // lanes that diverged may come here at the same time
    const bool isFree = isMine && seen != mine && seen != kBeingSet;
    const bool isTaken = isFree && atomicCAS(key, seen, kBeingSet) == seen;
    if (anyLane(lanes, isTaken))
      setForeignState(lanes, isTaken);
    seen = *const_cast<volatile unsigned long long *>(key);
  }
}

/// A record of the warp's shared part, reserved by the lowest lane of those that come as one group; valid in that lane only. The
/// reservation's latency is paid where the record is stored, so reserve first and store last. Without MayBeForeign the kernel is known to
/// have probes: what is looked at is the same, but there is less code for what is not found.
template <bool MayBeForeign> struct ReservationIn {
  uint64_t records;
  uint32_t offset, limit;
  LaneMask lanes;

  /// Reserves nothing, and stores nothing, where the region is off.
  __device__ __forceinline__ explicit ReservationIn(bool isOn = true) : ReservationIn(activeLanes()) { reserve(isOn, isLowest(lanes)); }
  /// One for each calling lane, each of which stands for a group of its own.
  __device__ __forceinline__ static ReservationIn ofEach() {
    ReservationIn each(activeLanes());
    each.reserve(true, true);
    return each;
  }

  __device__ __forceinline__ void store(uint32_t first, uint32_t second, uint32_t idAndKind) const {
    const uint32_t tag = idAndKind | (offset >> kperf_config.ring_shift) << format::kGenerationShift;
    storeRecord(records, offset & (kperf_config.ring_bytes - 1), first, second, static_cast<uint32_t>(lanes), tag, offset < limit);
    countUnstored(records, offset, limit);
  }

private:
  __device__ __forceinline__ explicit ReservationIn(LaneMask active) : records(0), offset(0), limit(0), lanes(active) {}

  __device__ __forceinline__ void reserve(bool isOn, bool isFirst) {
    const bool isMine = isOn && isFirst;
    // All lanes go together. After a loop that only some lanes run ptxas assumes that the warp has diverged (on sm_90 and up),
    // and makes more of each vote and shuffle of the kernel's own: in CUB's match_any more than it has predicates for.
    const bool isSet = *const_cast<volatile uint64_t *>(&blockStates()->keys[warpInBlock()]) == gridId();
    if (isOn && anyLane(lanes, !isSet)) {
      if constexpr (MayBeForeign)
        adoptWarp(lanes, isMine);
      else if (isMine)
        setState(0, 0);
    }
    reserveRecord(stateAddress(), isMine, offset, records, limit);
  }
};

using Reservation = ReservationIn<true>;

} // namespace detail
} // namespace kperf

#endif
#endif
