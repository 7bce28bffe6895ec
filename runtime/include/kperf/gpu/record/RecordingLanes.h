// Which lanes record at a probe of a kernel's own body: how the clock is read there, and which part of the warp's slot keeps the
// record.
#ifndef KPERF_GPU_RECORDING_LANES_H
#define KPERF_GPU_RECORDING_LANES_H

#include <kperf/gpu/record/Parts.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

// Each remembers where a span begins: begin(), then end(). A record says which lanes came, or the object instead, where it has
// one. event() is an instant; payloadOf() is what that keeps of the payloads that the lanes bring. `Owner` is a Kernel.

/// The whole warp together; or those of it that the owner knows of, some of which may leave the kernel from here.
struct WholeWarp {
  template <typename Owner> __device__ __forceinline__ void begin(const Owner &owner) {
    if (Owner::Traits::narrows)
      lanes = owner.lanes;
    start = Owner::clockOfWarp();
  }

  template <bool HasObject, typename Owner> __device__ __forceinline__ void end(Owner &owner, uint32_t tag, uint32_t object) const {
    Owner::settleIfNeeded();
    owner.own.appendSince(start, tag, HasObject ? LaneMask{object} : Owner::Traits::narrows ? lanes : owner.lanes);
  }

  template <typename Owner> __device__ __forceinline__ static void event(Owner &owner, uint32_t tag, uint32_t payload) {
    owner.own.append(Owner::clockOfWarp(), payload, tag, owner.lanes);
  }

  /// Under Traits::narrows the first lane may not be there, and the one that writes brings its own.
  template <typename Owner> __device__ __forceinline__ static uint32_t payloadOf(const Owner &owner, uint32_t payload) {
    return Owner::Traits::narrows ? payload : valueOfFirst(owner.lanes, payload);
  }

  uint32_t start;
  LaneMask lanes; ///< under Traits::narrows
};

/// Lane 0 alone.
struct FirstLane {
  template <typename Owner> __device__ __forceinline__ void begin(const Owner &) { start = Owner::clockOfLanes(); }

  template <bool HasObject, typename Owner> __device__ __forceinline__ void end(Owner &owner, uint32_t tag, uint32_t object) const {
    owner.laneRecords().append(start, Owner::clockOfLanes(), tag, HasObject ? object : 1);
  }

  template <typename Owner> __device__ __forceinline__ static void event(Owner &owner, uint32_t tag, uint32_t payload) {
    owner.laneRecords().append(Owner::clockOfLanes(), payload, tag, 1);
  }

  template <typename Owner> __device__ __forceinline__ static uint32_t payloadOf(const Owner &, uint32_t payload) { return payload; }

  uint32_t start;
};

/// Where a warp may have diverged: the active lanes. Lane 0 records for those that come with it, and where it is not among
/// them, the lowest of them does.
struct AnyLanes {
  template <typename Owner> __device__ __forceinline__ void begin(const Owner &) {
    lanes = activeLanes();
    start = Owner::clockOfLanes();
  }

  template <bool HasObject, typename Owner> __device__ __forceinline__ void end(Owner &owner, uint32_t tag, uint32_t object) const {
    append(owner, start, Owner::clockOfLanes(), tag, lanes, HasObject ? LaneMask{object} : lanes);
  }

  template <typename Owner> __device__ __forceinline__ static void event(Owner &owner, uint32_t tag, uint32_t payload) {
    const uint32_t now = Owner::clockOfLanes();
    const LaneMask who = activeLanes();
    append(owner, now, payload, tag, who, who);
  }

  template <typename Owner> __device__ __forceinline__ static uint32_t payloadOf(const Owner &, uint32_t payload) { return payload; }

  template <typename Owner>
  __device__ __forceinline__ static void append(Owner &owner, uint32_t first, uint32_t second, uint32_t tag, LaneMask who, LaneMask shown) {
    owner.laneRecords().append(first, second, tag, shown);
    if (!(who & 1))
      owner.shared.append(first, second, tag, who, shown);
  }

  uint32_t start;
  LaneMask lanes;
};

} // namespace detail
} // namespace kperf

#endif
#endif
