// A table in device memory: from one call of a function to the next, a row keeps how far the warp has filled the function's stream.
#ifndef KPERF_CUDA_STREAM_ROWS_H
#define KPERF_CUDA_STREAM_ROWS_H

#include <kperf/gpu/record/Slot.h>

namespace kperf {

namespace detail {

#ifdef KPERF_DEVICE_CODE

/// The key of a row whose function is running.
constexpr uint64_t kRowTaken = ~uint64_t{0};
/// The count of a lane that does not write: beyond any limit.
constexpr uint32_t kNoWriter = 0x80000000u;

/// Asked by a whole warp: whether its first lane writes, and all others have the same count and do not. Each lane compares its count with
/// that of the one below it, and the first one, which has none below, with its own.
__device__ __forceinline__ bool areOfOneCall(uint32_t units) {
  uint32_t areThey;
  asm volatile("{\n\t"
               ".reg .pred isThere, isSo;\n\t"
               ".reg .b32 below;\n\t"
               "shfl.sync.up.b32 below|isThere, %2, 1, 0, -1;\n\t"
               "setp.eq.xor.u32 isSo, %1, below, !isThere;\n\t"
               "vote.sync.all.pred isSo, isSo, -1;\n\t"
               "selp.u32 %0, 1, 0, isSo;\n\t"
               "}"
               : "=r"(areThey)
               : "r"(units), "r"(units | kNoWriter));
  return areThey != 0;
}

/// Names a function in the calling warp of this launch. `function` is its id, of 24 bits, or 0 for the kernel's own row. Never 0; kRowTaken
/// only by chance, once in 2^63. Arithmetic of 32 bits, for a function asks on its way in and out: CUTLASS's multistage GEMM, which enters
/// one each k-tile, runs 355 instructions there, and ran 408 with a hash of 64. The same block, warp and function get a key again after
/// 2^32 launches, for the launch's factor is odd.
__device__ __forceinline__ uint64_t rowKey(uint32_t function) {
  const uint32_t launch = static_cast<uint32_t>(gridId());
  const uint32_t low = static_cast<uint32_t>(linearBlock()) + launch * 0x9e3779b1u;
  const uint32_t high = (warpInBlock() << 24) + function + launch * 0x85ebca6bu;
  return uint64_t{high | 0x80000000u} << 32 | low;
}

/// The calling warp's KPERF_STREAM_ROWS rows: the first is its kernel's (CalledKernel), the others are functions'. They go by the place
/// that the warp has on its multiprocessor, which no other has meanwhile.
__device__ __forceinline__ kperf_stream *warpRows() {
  const uint32_t place = warpOnSm();
  const uint32_t at = (smId() * KPERF_RESIDENT_WARPS + place) * KPERF_STREAM_ROWS & kperf_config.stream_mask;
  return reinterpret_cast<kperf_stream *>(kperf_config.streams) + at;
}

/// One of those that functions share; the last row is that of events (EventRow.h).
__device__ __forceinline__ kperf_stream *functionRow(uint32_t number) { return warpRows() + 1 + number % (KPERF_STREAM_ROWS - 2); }

__device__ __forceinline__ void storeRow(kperf_stream *row, uint64_t key, uint32_t part, uint32_t units) {
  storeQuad(reinterpret_cast<uint64_t>(row), static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), part, units);
}
__device__ __forceinline__ Quad loadRow(const kperf_stream *row) { return loadCachedQuad(row); }

/// Of a header, sixteen bytes.
__device__ __forceinline__ Quad pieceOf(const format::WarpHeader &header, uint32_t piece) {
  Quad quad = quadOf(header.gridId, header.block);
  if (piece == 1)
    quad = quadOf(header.startNs, header.startCycles);
  if (piece == 2)
    quad = quadOf(header.endNs, header.endCycles);
  if (piece == 3)
    quad = quadOf(header.nameAddress, header.kernel | uint64_t{header.capacity} << 32);
  if (piece == 4)
    quad = Quad{header.gridX, pairOf(header.gridY, header.gridZ), pairOf(header.blockX, header.blockY), pairOf(header.blockZ, header.warp)};
  if (piece == 5)
    quad = Quad{header.produced, pairOf(header.sm, header.flags), header.slotBytes, header.nameBytes};
  return quad;
}

/// Stores one or two headers that lie behind each other, `headerOf(whether it is the second)`, by `lanes` together: of a whole warp each
/// lane stores a piece, in one instruction. The lanes do not diverge here: after code that one lane alone ran, ptxas assumes
/// that the warp has diverged (on an H100, cuda-samples' matrixMul: 31 % where this costs 11).
template <bool AreTwo, typename HeaderOf>
__device__ __forceinline__ void storeHeaders(uint64_t address, LaneMask lanes, HeaderOf headerOf) {
  constexpr uint32_t kPieces = sizeof(format::WarpHeader) / sizeof(Quad);
  for (uint32_t at = countLanes(lanes & lanesBelow()); at < (AreTwo ? 2 : 1) * kPieces; at += countLanes(lanes)) {
    const bool isSecond = AreTwo && at >= kPieces;
    const Quad quad = pieceOf(headerOf(isSecond), isSecond ? at - kPieces : at);
    storeRecordAt(address + at * sizeof(Quad), quad.x, quad.y, quad.z, quad.w, true);
  }
}

/// Opens the warp's rows, by `lanes` together: the first for `key` and `part`. The others are cleared, because kernels of a graph have the
/// same launch number in each replay, and rows of an earlier replay must not be taken for this one's.
__device__ __forceinline__ void openRows(LaneMask lanes, uint64_t key, uint32_t part) {
  kperf_stream *rows = warpRows();
  for (uint32_t row = countLanes(lanes & lanesBelow()); row < KPERF_STREAM_ROWS; row += countLanes(lanes))
    storeRow(rows + row, row == 0 ? key : 0, row == 0 ? part : 0, 0);
}

/// Takes and describes a part for a stream of so many lanes (`entered`); 0: any may come. Returns the bytes from the arena's begin to its
/// first record, or 0 where nothing is recorded. Called by `lanes` together; the `isMine` lane takes the part, and all get the result.
__device__ __forceinline__ uint32_t takeStreamPart(uint32_t words, LaneMask lanes, bool isMine, uint32_t entered) {
  const uint32_t capacity = kperf_config.records_per_warp;
  const uint32_t bytes = sizeof(format::WarpHeader) + capacity * sizeof(format::Record);
  uint64_t slot = isRecorded(format::kForeignKernel) ? takeSlot(bytes, format::kForeignKernel, lanes, isMine) : 0;
  slot = __shfl_sync(lanes, slot, __ffs(static_cast<int>(lanes)) - 1);
  if (slot) {
    format::WarpHeader header = describePart({format::kForeignKernel}, capacity, bytes, KPERF_STREAM_PART);
    header.nameBytes = words | entered << KPERF_STREAM_LANES_SHIFT;
    readClocks(header.startCycles, header.startNs);
    storeHeaders<false>(slot, lanes, [&](bool) { return header; });
    syncLanes(lanes); // one of them will store into it again
  }
  const uint64_t first = slot ? slot - kperf_config.arena + sizeof(format::WarpHeader) : 0;
  return first >> 32 ? 0 : static_cast<uint32_t>(first); // beyond 4 GiB of arena there are no streams
}

/// Completes a part: its header now says how much was produced. The header's clocks are not used: the warp's own part has them. The
/// `isWriter` lane stores, by a predicate, not a branch.
__device__ __forceinline__ void finishStream(uint64_t header, uint32_t produced, bool isWriter) {
  static_assert(offsetof(format::WarpHeader, sm) == offsetof(format::WarpHeader, produced) + sizeof(uint32_t) &&
                    offsetof(format::WarpHeader, flags) == offsetof(format::WarpHeader, sm) + sizeof(uint16_t),
                "what is stored at once is apart");
  storeWords(header + offsetof(format::WarpHeader, produced), produced,
             pairOf(static_cast<uint16_t>(smId()), static_cast<uint16_t>(KPERF_STREAM_PART | format::kWarpFinished)), isWriter);
}

#endif

} // namespace detail
} // namespace kperf

#endif
