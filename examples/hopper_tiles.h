// What warp-specialised kernels for Hopper share: the ring of slots in shared memory, the TMA descriptors that fill it,
// and the store of a warpgroup's sums.
#ifndef KPERF_EXAMPLES_HOPPER_TILES_H
#define KPERF_EXAMPLES_HOPPER_TILES_H

#include "hopper.h"
#include "trial.h"

#include <cudaTypedefs.h>

namespace hopper {

constexpr int warpgroup = 128;

/// A place in the ring of slots that producer and consumers go around, and the parity of the current round.
template <int Slots> struct Slot {
  int index = 0;
  unsigned parity = 0;

  __device__ void advance() {
    if (++index == Slots) {
      index = 0;
      parity ^= 1;
    }
  }
};

/// Rounds a warpgroup's 64 rows of sums to fp16 and stores them from (firstRow, firstColumn) of the row-major rows×columns matrix on,
/// whatever lies outside of it left out. The four lanes that share a row hold two columns each of every eight: they trade, so that
/// each has eight neighbours of one 16-byte store.
template <int Columns>
__device__ void storeSums(const float (&sums)[Columns / 8][4], __half *matrix, int firstRow, int firstColumn, int rows, int columns) {
  const int lane = threadIdx.x % 32, place = lane % 4;
  const int warpRow = firstRow + threadIdx.x % warpgroup / 32 * 16 + lane / 4;
#pragma unroll
  for (int block = 0; block < Columns / 8; block += 4) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      unsigned words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const __half2 pair = __floats2half2_rn(sums[block + i][2 * half], sums[block + i][2 * half + 1]);
        memcpy(&words[i], &pair, sizeof(pair));
      }
#pragma unroll
      for (int distance = 1; distance <= 2; distance *= 2)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (!(i & distance)) {
            const bool upper = place & distance;
            const unsigned received = __shfl_xor_sync(0xffffffffu, upper ? words[i] : words[i + distance], distance);
            (upper ? words[i] : words[i + distance]) = received;
          }
      const int row = warpRow + 8 * half, column = firstColumn + 8 * (block + place);
      if (row < rows && column < columns)
        *reinterpret_cast<uint4 *>(matrix + size_t(row) * columns + column) = make_uint4(words[0], words[1], words[2], words[3]);
    }
  }
}

/// A TMA descriptor of a dense fp16 array, its extents and its boxes' given from the innermost dimension on; a box is 64 elements wide
/// and swizzled by 128 bytes. Ends the program with exit code 2 when the driver has no such descriptors or refuses this one.
template <int Rank> CUtensorMap tensorMap(const __half *array, const int (&extents)[Rank], const int (&box)[Rank]) {
  void *entry = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
#else
  CUDA_CHECK(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found));
#endif
  if (found != cudaDriverEntryPointSuccess) {
    std::fprintf(stderr, "this driver has no cuTensorMapEncodeTiled: CUDA 12.0 or newer is needed\n");
    std::exit(2);
  }
  cuuint64_t wideExtents[Rank], bytes[Rank]; // of an element of each dimension but the innermost: a row, a plane
  cuuint32_t boxExtents[Rank], strides[Rank];
  for (int i = 0; i < Rank; ++i) {
    wideExtents[i] = extents[i];
    bytes[i] = (i ? bytes[i - 1] : sizeof(__half)) * extents[i];
    boxExtents[i] = box[i];
    strides[i] = 1;
  }
  CUtensorMap map;
  const CUresult result = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry)(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, Rank, const_cast<__half *>(array), wideExtents, bytes, boxExtents, strides,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d for rows of %d elements, %d of them\n", int(result), extents[0], extents[1]);
    std::exit(2);
  }
  return map;
}

} // namespace hopper

#endif
