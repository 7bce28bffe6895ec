// What the sync rewriter's probes execute: waits that say what they waited for, and signals. Emitted: kperf::ConvergentWait,
// FirstWait, DivergentWait, Wait, signal, barrierAt, barrierOf, barrierAwaitedOf,
// barrierOfBlock, slotAt, slotAwaitedAt, lastSlotAwaitedAt, expectedAt.
#ifndef KPERF_GPU_WAIT_PROBE_H
#define KPERF_GPU_WAIT_PROBE_H

#include <kperf/gpu/record/KernelScopes.h>

namespace kperf {

// Waits, by who makes them: what is waited for stands in place of the lanes.
#define KPERF_KERNEL_WAIT(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                          \
  template <typename Owner> class wait : detail::KernelSpan<Owner, detail::recordingLanes, true> {                                         \
  public:                                                                                                                                  \
    __host__ __device__ __forceinline__ wait(Owner &owner, uint32_t object, uint32_t id)                                                   \
        : detail::KernelSpan<Owner, detail::recordingLanes, true>(owner, object, id) {}                                                    \
  };
KPERF_KERNEL_PROBES(KPERF_KERNEL_WAIT)
#undef KPERF_KERNEL_WAIT

/// A wait of any function.
class Wait : Scope {
public:
  __host__ __device__ __forceinline__ Wait(uint32_t object, uint32_t id) : Scope(id) {
#ifdef KPERF_DEVICE_CODE
    record.lanes = object;
#else
    (void)object;
#endif
  }
};

/// What others wait for, done with `object`.
__host__ __device__ __forceinline__ void signal(uint32_t object, uint32_t id) { mark(id, object); }

namespace detail {

/// Bits of a shared address that are its offset in the block's shared memory. In a cluster an address made of a pointer has the block's
/// rank in the bits above (seen on an H200), and one that was made of an offset has not.
inline constexpr uint32_t kSharedOffsetMask = 0xffffff;

/// Whether the object is a barrier: a class with the members of one, around the 8 bytes that one takes.
template <typename Object, typename = void> inline constexpr bool isBarrier = false;
template <typename Object>
inline constexpr bool isBarrier<Object, decltype(static_cast<void>((*static_cast<Object *>(0)).arrive()),
                                                 static_cast<void>((*static_cast<Object *>(0)).wait(0u)))> =
    sizeof(Object) == sizeof(uint64_t);

/// What is added to the address of a barrier for who waits there.
__host__ __device__ __forceinline__ uint32_t ofCluster() {
#ifdef KPERF_DEVICE_CODE
  return clusterBlocks() > 1 ? format::kOfCluster : 0;
#else
  return 0;
#endif
}

/// Whether the pipeline gives the address of a stage's barrier.
template <typename Pipeline, typename Stage, typename = void *> inline constexpr bool hasBarriers = false;
template <typename Pipeline, typename Stage>
inline constexpr bool hasBarriers<
    Pipeline, Stage, decltype(static_cast<void *>((*static_cast<Pipeline *>(0)).producer_get_barrier(*static_cast<const Stage *>(0))))> =
    true;

/// Whether what says the stage can be moved on by a number of stages, and says how many there are.
template <typename Stage, typename = void> inline constexpr bool canAdvance = false;
template <typename Stage>
inline constexpr bool canAdvance<Stage, decltype(static_cast<void>((*static_cast<Stage *>(0)).advance(Stage::Stages - 1)))> = true;

} // namespace detail

/// Offset in the block's shared memory of a barrier that a pointer, or its value as an integer of 64 bits, names; one of 32 bits is an
/// address there already.
template <typename Barrier> __host__ __device__ __forceinline__ uint32_t barrierAt(Barrier barrier) {
#ifdef KPERF_DEVICE_CODE
  if constexpr (sizeof(Barrier) == sizeof(uint64_t))
    return detail::sharedAddressOf(reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(barrier))) & detail::kSharedOffsetMask;
  else
    return static_cast<uint32_t>(barrier) & detail::kSharedOffsetMask;
#else
  (void)barrier;
  return 0;
#endif
}

/// Of an object that only an instantiation knows: what barrierAt says of it where it is a barrier, else format::kNoAddress. A temporary
/// object is none.
template <typename Object> __host__ __device__ __forceinline__ uint32_t barrierOf(Object &object) {
  if constexpr (detail::isBarrier<Object>)
    return barrierAt(&object);
  else
    return format::kNoAddress;
}
template <typename Object> __host__ __device__ __forceinline__ uint32_t barrierOf(const Object &&) { return format::kNoAddress; }
/// The same for who waits there.
template <typename Object> __host__ __device__ __forceinline__ uint32_t barrierAwaitedOf(Object &&object) {
  return barrierOf(static_cast<Object &&>(object)) | detail::ofCluster();
}
/// The same for who arrives there in a block that is named by its number in the cluster: that block's barrier is not this one.
template <typename Object> __host__ __device__ __forceinline__ uint32_t barrierOfBlock(Object &&object) {
  return detail::ofCluster() ? format::kNoAddress : barrierOf(static_cast<Object &&>(object));
}

/// Of a pipeline such as CUTLASS's, and of what says which stage: the barrier that says that the stage's slot is full, by the address that
/// its producers get for their copies; format::kNoAddress of any other, and of a temporary one.
template <typename Pipeline, typename Stage> __host__ __device__ __forceinline__ uint32_t slotAt(Pipeline &pipeline, const Stage &stage) {
#ifdef KPERF_DEVICE_CODE
  if constexpr (detail::hasBarriers<Pipeline, Stage>)
    return barrierAt(pipeline.producer_get_barrier(stage));
#endif
  return format::kNoAddress;
}
template <typename Pipeline, typename Stage> __host__ __device__ __forceinline__ uint32_t slotAt(const Pipeline &&, const Stage &) {
  return format::kNoAddress;
}

/// The same for who waits there. Blocks of a cluster may fill each other's slots, and release them to each other.
template <typename Pipeline, typename Stage>
__host__ __device__ __forceinline__ uint32_t slotAwaitedAt(Pipeline &&pipeline, const Stage &stage) {
  return slotAt(static_cast<Pipeline &&>(pipeline), stage) | detail::ofCluster();
}

/// The same for a producer that awaits all slots in turn, from that of the stage that it would fill next: of the last of them.
template <typename Pipeline, typename Stage>
__host__ __device__ __forceinline__ uint32_t lastSlotAwaitedAt(Pipeline &&pipeline, const Stage &stage) {
#ifdef KPERF_DEVICE_CODE
  if constexpr (detail::canAdvance<Stage>) {
    Stage last = stage;
    last.advance(Stage::Stages - 1);
    return slotAwaitedAt(static_cast<Pipeline &&>(pipeline), last);
  }
#endif
  return format::kNoAddress;
}

/// What an Expect says (format.h's kExpectedShift) of an object and a number of arrivals.
__host__ __device__ __forceinline__ uint32_t expectedAt(uint32_t object, uint32_t arrivals) {
  return object == format::kNoAddress
             ? 0
             : object >> 3 | (arrivals < format::kMaxExpected ? arrivals : format::kMaxExpected) << format::kExpectedShift;
}

} // namespace kperf

#endif
