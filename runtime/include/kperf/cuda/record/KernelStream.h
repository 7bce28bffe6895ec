// How a kernel records where whole warps come to all of its regions: a header that says when the warp ran, and a stream
// (FunctionStream.h) behind it, taken from the arena together. Emitted: kperf::KernelStream.
#ifndef KPERF_CUDA_KERNEL_STREAM_H
#define KPERF_CUDA_KERNEL_STREAM_H

#include <kperf/cuda/record/FunctionStream.h>
#include <kperf/gpu/record/Parts.h>
#include <kperf/rules/KernelTraits.h>

namespace kperf {

/// At the top of the kernel. `Chosen`: the traits Settles and MaxConvergent of kperf/rules/KernelTraits.h, the latter in sixteen-byte
/// pieces, or none. A warp of fewer lanes than a piece has words keeps nothing.
template <uint32_t Words, typename... Chosen> class KernelStream : public Stream<Words, KernelTraits<Chosen...>::maxConvergent> {
  using Base = Stream<Words, KernelTraits<Chosen...>::maxConvergent>;

public:
  static constexpr bool kGathers = true; ///< a frame's clocks, until it ends

  __host__ __device__ __forceinline__ explicit KernelStream(uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    enter({id});
#else
    (void)id;
#endif
  }
  /// `instantiation` names the instance of a template.
  template <uint32_t NameBytes> __host__ __device__ __forceinline__ KernelStream(uint32_t id, const char (&instantiation)[NameBytes]) {
#ifdef KPERF_DEVICE_CODE
    enter({id, instantiation, NameBytes});
#else
    (void)id, (void)instantiation;
#endif
  }
  __host__ __device__ __forceinline__ ~KernelStream() {
#ifdef KPERF_DEVICE_CODE
    leave();
#endif
  }

  /// Behind a barrier, where the probes do not wait for it themselves.
  __host__ __device__ __forceinline__ void settle() const {
#ifdef KPERF_DEVICE_CODE
    detail::settleWarp();
#endif
  }

#ifdef KPERF_DEVICE_CODE
  /// Stores a word of each lane where `isKept`: the first ones of the warp write a piece together, at `offset` of the arena.
  __device__ __forceinline__ void storeGathered(uint32_t offset, uint32_t word, bool isKept) const {
    detail::storeWord(kperf_config.arena + offset + 4 * lane, word, isKept && lane < Words);
  }
  /// The calling lane's turnOf(), for a pass's comparisons. Of `lane`, which no pass changes, ptxas takes them out of the loop and
  /// keeps each answer in a register: with that FlashInfer's decoding had 62 registers instead of 54 and its shuffles one after the other,
  /// and probes cost it 47 % instead of 23 (H200). The count of pieces does change; its highest bit never does.
  __device__ __forceinline__ uint32_t turn() const { return lane | (units & detail::kNoWriter); }
  __device__ __forceinline__ static constexpr uint32_t turnOf(uint32_t ofLane) { return ofLane ? ofLane | detail::kNoWriter : 0; }

  /// Whether there is room; only where all lanes have the same count.
  __device__ __forceinline__ bool hasRoom() const { return (units & (detail::kNoWriter - 1)) < Base::room(); }

  __device__ __forceinline__ static void settleIfNeeded() {
    if (KernelTraits<Chosen...>::settles)
      detail::settleWarp();
  }

private:
  static constexpr uint32_t kNoLane = 32;

  /// The clocks are read last, so that the cost of entering precedes the recorded time.
  __device__ __forceinline__ void enter(const detail::KernelName &kernel) {
    first = 0;
    units = detail::kNoWriter;
    lane = kNoLane;
    if (!detail::isRecorded(kernel.id) || kperf_config.records_per_warp < Words / 4)
      return detail::goOnWithoutProbes();
    const detail::LaneMask lanes = detail::activeLanes();
    const bool isFirst = detail::isLowest(lanes);
    const uint32_t capacity = detail::countLanes(lanes) < Words ? 0 : detail::capacityFor(KernelTraits<Chosen...>::maxConvergent);
    const uint32_t bytes = sizeof(format::WarpHeader) + capacity * sizeof(format::Record);
    const uint64_t slot = detail::valueOfFirst(lanes, detail::takeSlot(sizeof(format::WarpHeader) + bytes, kernel.id, lanes, isFirst));
    if (slot)
      describe(slot, kernel, capacity, bytes, lanes);
    const uint64_t begin = slot ? slot - kperf_config.arena + 2 * sizeof(format::WarpHeader) : 0;
    if (begin && !(begin >> 32)) { // beyond 4 GiB of arena there are no streams
      first = static_cast<uint32_t>(begin);
      units = isFirst && capacity ? 0 : detail::kNoWriter;
      lane = capacity ? detail::laneIdWithoutRematerialisation(lanes) : kNoLane;
    }
    detail::syncLanes(lanes);
  }

  __device__ __forceinline__ static void describe(uint64_t slot, const detail::KernelName &kernel, uint32_t capacity, uint32_t bytes,
                                                  detail::LaneMask lanes) {
    const detail::KernelName stream{format::kForeignKernel, nullptr, Words | detail::countLanes(lanes) << KPERF_STREAM_LANES_SHIFT};
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    detail::storeHeaders<true>(slot, lanes, [&](bool isStream) {
      format::WarpHeader header =
          isStream ? detail::describePart(stream, capacity, bytes, KPERF_STREAM_PART)
                   : detail::describePart(kernel, 0, static_cast<uint32_t>(sizeof(format::WarpHeader)), detail::othersPlainFlag());
      header.startCycles = cycles;
      header.startNs = ns;
      return header;
    });
  }

  /// By the lane that entered first, whenever it leaves.
  __device__ __forceinline__ void leave() const {
    if (first == 0 || detail::laneInWarp() != 0)
      return;
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    const uint64_t stream = kperf_config.arena + first - sizeof(format::WarpHeader);
    detail::finishStream(stream, units & (detail::kNoWriter - 1), true);
    detail::completePart(stream - sizeof(format::WarpHeader), cycles, ns, detail::othersPlainFlag());
  }

  using Base::first;
  using Base::units;

public:
  uint32_t lane; ///< the calling one's number; no lane's where nothing is kept
#endif
};

} // namespace kperf

#endif
