// The table in device memory that keeps a warp's place in the streams of its functions (FunctionStream.h) from one call to the next.
#ifndef KPERF_GPU_STREAM_ROWS_H
#define KPERF_GPU_STREAM_ROWS_H

#include <kperf/gpu/record/Slot.h>

namespace kperf {

namespace detail {

#ifdef KPERF_DEVICE_CODE

/// The key of a row whose function is running.
constexpr uint64_t kRowTaken = ~uint64_t{0};
/// The count of a lane that does not write: beyond any limit.
constexpr uint32_t kNoWriter = 0x80000000u;

/// Names the calling warp of this launch in the table: not 0, and not kRowTaken.
__device__ __forceinline__ uint64_t warpKey() {
  const uint64_t block = linearBlock();
  const uint64_t mixed = (gridId() + 1) * 0x9e3779b97f4a7c15ull + (block * 32 + warpInBlock() + 1) * 0xd6e8feb86659fd93ull;
  return (mixed ^ mixed >> 29) | 1;
}

/// The calling warp's KPERF_STREAM_ROWS rows: the first is its kernel's (CalledKernel), the others are functions'. They go by the place
/// that the warp has on its multiprocessor, which no other has meanwhile.
__device__ __forceinline__ kperf_stream *warpRows() {
  uint32_t place;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(place));
  const uint32_t at = (smId() * KPERF_RESIDENT_WARPS + place) * KPERF_STREAM_ROWS & kperf_config.stream_mask;
  return reinterpret_cast<kperf_stream *>(kperf_config.streams) + at;
}

/// The last one is that of events (EventRow.h).
__device__ __forceinline__ kperf_stream *functionRow(uint32_t number) { return warpRows() + 1 + number % (KPERF_STREAM_ROWS - 2); }

/// Of a function in that warp; `function` is its id, of 24 bits.
__device__ __forceinline__ uint64_t functionKey(uint32_t function) {
  return warpKey() ^ uint64_t { function } << 32;
}

__device__ __forceinline__ void storeRow(kperf_stream *row, uint64_t key, uint32_t part, uint32_t units) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(row), "r"(static_cast<uint32_t>(key)),
               "r"(static_cast<uint32_t>(key >> 32)), "r"(part), "r"(units)
               : "memory");
}

/// From the multiprocessor's own cache, through which all that is written to the row goes.
__device__ __forceinline__ Quad loadRow(const kperf_stream *row) {
  Quad quad;
  asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "l"(row)
               : "memory");
  return quad;
}

/// Kernels of a graph have the same launch number in each replay: rows of the one before are of no use. By one lane.
__device__ __forceinline__ void forgetStreams() {
  kperf_stream *rows = warpRows();
  for (uint32_t row = 1; row < KPERF_STREAM_ROWS; ++row)
    storeRow(rows + row, 0, 0, 0);
}

/// Takes and describes a part for a stream that `entered` lanes entered; 0: any may come. Bytes from the arena's begin to its first
/// record; 0 where nothing is recorded. By `lanes` together, for the one of whom `isMine`.
__device__ __forceinline__ uint32_t takeStreamPart(uint32_t words, LaneMask lanes, bool isMine, uint32_t entered) {
  const uint32_t capacity = kperf_config.records_per_warp;
  const uint32_t bytes = sizeof(format::WarpHeader) + capacity * sizeof(format::Record);
  const uint64_t slot = isRecorded(format::kForeignKernel) ? takeSlot(bytes, format::kForeignKernel, lanes, isMine) : 0;
  if (isMine && slot) {
    format::WarpHeader header = describePart({format::kForeignKernel}, capacity, bytes, KPERF_STREAM_PART);
    header.nameBytes = words | entered << KPERF_STREAM_LANES_SHIFT;
    storeWarpPlace(slot, header);
    readClocks(header.startCycles, header.startNs);
    storePartHeader(slot, header);
  }
  const uint64_t first = slot ? slot - kperf_config.arena + sizeof(format::WarpHeader) : 0;
  return first >> 32 ? 0 : static_cast<uint32_t>(first); // beyond 4 GiB of arena there are no streams
}

/// What the part's header says has been produced is all of it. Its clocks are nothing to a reader: the warp's own part has them.
__device__ __forceinline__ void finishStream(uint64_t header) {
  static_assert(offsetof(format::WarpHeader, flags) == offsetof(format::WarpHeader, sm) + sizeof(uint16_t), "flags and sm are apart");
  *reinterpret_cast<uint16_t *>(header + offsetof(format::WarpHeader, flags)) = KPERF_STREAM_PART | format::kWarpFinished;
}

/// Stores a record where `isStored`.
__device__ __forceinline__ void storeRecordAt(uint64_t address, uint32_t first, uint32_t second, uint32_t lanes, uint32_t tag,
                                              bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %5, 0;\n\t"
               "@p st.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t"
               "}" ::"l"(address),
               "r"(first), "r"(second), "r"(lanes), "r"(tag), "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

/// Stores a word where `isStored`: a predicate, not a branch.
__device__ __forceinline__ void storeWord(uint64_t address, uint32_t word, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %2, 0;\n\t"
               "@p st.global.u32 [%0], %1;\n\t"
               "}" ::"l"(address),
               "r"(word), "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

__device__ __forceinline__ void storeWords(uint64_t address, uint32_t first, uint32_t second, bool isStored) {
  asm volatile("{\n\t"
               ".reg .pred p;\n\t"
               "setp.ne.u32 p, %3, 0;\n\t"
               "@p st.global.v2.u32 [%0], {%1, %2};\n\t"
               "}" ::"l"(address),
               "r"(first), "r"(second), "r"(static_cast<uint32_t>(isStored))
               : "memory");
}

#endif

} // namespace detail
} // namespace kperf

#endif
