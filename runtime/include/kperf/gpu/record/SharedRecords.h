// Records that stay in shared memory until their warp leaves the kernel: builds with -DKPERF_SHARED_BUFFER=KIB, which hip/Vendor.h refuses.
#ifndef KPERF_GPU_SHARED_RECORDS_H
#define KPERF_GPU_SHARED_RECORDS_H

#include <kperf/gpu/record/Slot.h>

#ifdef KPERF_SHARED_BUFFER

namespace kperf {
namespace detail {

#ifdef KPERF_DEVICE_CODE

/// Whole KiB at a multiple of one: what a kernel aligns in its dynamic shared memory, which lies behind, stays aligned.
/// The size is part of its name: nvlink would make one of two that have one name.
template <uint32_t Bytes> __device__ __forceinline__ unsigned char *blockBuffer() {
  __shared__ alignas(1024) unsigned char buffer[Bytes];
  return buffer;
}

/// Where lane 0's records go one by one (as SlotRecords, Parts.h): into ring `Ring` of the `Rings` that each warp has. The block's
/// warps share its buffer evenly.
template <uint32_t Most, uint32_t Ring, uint32_t Rings> class SharedRecords {
public:
  __device__ __forceinline__ static uint32_t capacity() {
    return min(kperf_config.keep_last ? ringRecords() : roomOfRing() - 1, capacityFor(Most)); // one spare: what is not kept goes there
  }
  __device__ __forceinline__ static uint32_t bytes() { return Most ? sizeof(format::WarpHeader) + capacity() * sizeof(format::Record) : 0; }

  __device__ __forceinline__ void begin(uint64_t) {
    kept = capacity();
    mask = kperf_config.keep_last ? ringRecords() - 1 : ~0u;
    records = sharedAddressOf(blockBuffer<kSharedBufferBytes>()) +
              (warpInBlock() * Rings + Ring) * roomOfRing() * static_cast<uint32_t>(sizeof(format::Record));
  }

  __device__ __forceinline__ void store(uint32_t produced, uint32_t first, uint32_t second, uint32_t lanes, uint32_t tag,
                                        bool isStored) const {
    storeSharedQuad(placeOf(records, produced, mask, kept), Quad{first, second, lanes, tag}, isStored);
  }

  /// By lanes that leave the kernel together: where the writer is among them, all is copied to the part as it lies.
  __device__ __forceinline__ void end(uint64_t part, uint32_t produced, bool isWriter) const {
    const LaneMask leaving = activeLanes();
    if (!anyLane(leaving, isWriter))
      return;
    syncLanes(leaving);
    const uint32_t count = min(valueOfFirst(leaving, produced), kept);
    for (uint32_t index = countLanes(leaving & lanesBelow()); index < count; index += countLanes(leaving))
      storeQuad(part + sizeof(format::WarpHeader) + index * sizeof(Quad),
                loadSharedQuad(records + index * static_cast<uint32_t>(sizeof(format::Record))));
  }

private:
  /// Records that there is memory for: at least two, for a block has 32 warps at most.
  __device__ __forceinline__ static uint32_t roomOfRing() {
    constexpr uint32_t kRecords = kSharedBufferBytes / sizeof(format::Record) / (Rings ? Rings : 1);
    return kRecords / ((blockDim.x * blockDim.y * blockDim.z + warpLanes() - 1) / warpLanes());
  }
  /// The largest power of two of them that the user allows.
  __device__ __forceinline__ static uint32_t ringRecords() {
    return min(0x80000000u >> __clz(static_cast<int>(roomOfRing())), kperf_config.records_per_warp);
  }

  uint32_t records; ///< shared-window address
  uint32_t mask, kept;
};

#endif

} // namespace detail
} // namespace kperf

#endif
#endif
