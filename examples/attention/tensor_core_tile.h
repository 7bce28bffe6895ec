// A warp's share of the attention tile on tensor cores: 32 query rows in registers, swizzled fp16 rows in shared
// memory.
#ifndef KPERF_EXAMPLES_ATTENTION_TENSOR_CORE_TILE_H
#define KPERF_EXAMPLES_ATTENTION_TENSOR_CORE_TILE_H

#include "ptx.h"

constexpr int queryRows = 128, threadsPerBlock = 128;

template <int HeadDim> class AttentionTile {
public:
  static constexpr int keyRows = HeadDim > 64 ? 32 : 64; // bounded by registers: the scores share them with the output

  /// Starts the copy of `count` rows from `firstRow` on; rows at or after `rows` become zeros.
  static __device__ void startCopy(__half *shared, const __half *global, int firstRow, int count, int rows) {
    constexpr int rowsAtOnce = threadsPerBlock / chunksPerRow;
    const int thread = threadIdx.x, chunk = thread % chunksPerRow;
#ifndef ATTENTION_ROW_BY_ROW
    if (count == keyRows && firstRow + keyRows <= rows) { // all rows exist: one address, and distances that are constants
      static_assert(rowsAtOnce % 8 == 0, "a thread's chunks lie in the same place of each of its rows");
      const __half *const source = global + (firstRow + thread / chunksPerRow) * HeadDim + chunk * chunkHalves;
      __half *const target = at(shared, thread / chunksPerRow, chunk);
#pragma unroll
      for (int row = 0; row < keyRows; row += rowsAtOnce)
        ptx::copyAsync16(target + row * HeadDim, source + row * HeadDim, true);
      return;
    }
#endif
#pragma unroll 1 // sixteen addresses at once would cost the registers that the sums need
    for (int row = thread / chunksPerRow; row < count; row += rowsAtOnce) {
      const bool exists = firstRow + row < rows;
      const __half *source = global + (exists ? (firstRow + row) * HeadDim + chunk * chunkHalves : 0);
      ptx::copyAsync16(at(shared, row, chunk), source, exists);
    }
  }

  static __device__ void waitForCopies() { ptx::waitForCopies(); }

  __device__ AttentionTile()
      : lane(threadIdx.x % 32), warpRow(threadIdx.x / 32 * warpRows),
        downThenRight(lane % 16 * HeadDim + (lane / 16 ^ lane % 8) * chunkHalves),
        rightThenDown((lane / 16 * 8 + lane % 8) * HeadDim + (lane / 8 % 2 ^ lane % 8) * chunkHalves) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      rowMax[i / 2][i % 2] = -INFINITY;
      rowSum[i / 2][i % 2] = 0;
    }
  }

  /// scores = Q·Kᵀ
  __device__ void multiplyQueryKey(const __half *query, const __half *keys) {
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int n = 0; n < keyRows / 8; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          scores[m][n][i] = 0;
#pragma unroll
    for (int step = 0; step < HeadDim / 16; ++step) {
      unsigned a[2][4];
#pragma unroll
      for (int m = 0; m < 2; ++m)
        ptx::loadMatrices(a[m], fragmentAt(query, downThenRight, warpRow + 16 * m, 2 * step));
#pragma unroll
      for (int n = 0; n < keyRows / 8; n += 2) {
        unsigned b[4];
        ptx::loadMatrices(b, fragmentAt(keys, rightThenDown, 8 * n, 2 * step));
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          ptx::multiplyAdd(scores[m][n], a[m], b[0], b[1]);
          ptx::multiplyAdd(scores[m][n + 1], a[m], b[2], b[3]);
        }
      }
    }
  }

  /// Sets to −∞ what lies at or after key `keyEnd`, and when `causal` what lies after the query itself.
  __device__ void mask(int firstQuery, int firstKey, int keyEnd, bool causal) {
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int n = 0; n < keyRows / 8; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int key = firstKey + 8 * n + lane % 4 * 2 + i % 2;
          const int query = firstQuery + warpRow + 16 * m + lane / 4 + i / 2 * 8;
          if (key >= keyEnd || (causal && key > query))
            scores[m][n][i] = -INFINITY;
        }
  }

  /// scores = 2^(scale·(scores − running maximum)); what was summed under an older maximum is scaled down to the new
  /// one.
  __device__ void softmax(float scale) {
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float highest = rowMax[m][half];
#pragma unroll
        for (int n = 0; n < keyRows / 8; ++n)
          highest = fmaxf(highest, fmaxf(scores[m][n][2 * half], scores[m][n][2 * half + 1]));
        highest = fmaxf(highest, __shfl_xor_sync(0xffffffffu, highest, 1)); // a row lies in four lanes
        highest = fmaxf(highest, __shfl_xor_sync(0xffffffffu, highest, 2));

        const float correction = ptx::powerOfTwo((rowMax[m][half] - highest) * scale);
        float sum = rowSum[m][half] * correction;
#pragma unroll
        for (int n = 0; n < keyRows / 8; ++n)
#pragma unroll
          for (int i = 2 * half; i < 2 * half + 2; ++i) {
            scores[m][n][i] = ptx::powerOfTwo(fmaf(scores[m][n][i], scale, -highest * scale));
            sum += scores[m][n][i];
          }
#pragma unroll
        for (int d = 0; d < HeadDim / 8; ++d)
#pragma unroll
          for (int i = 2 * half; i < 2 * half + 2; ++i)
            output[m][d][i] *= correction;
        rowMax[m][half] = highest;
        rowSum[m][half] = sum; // of this lane's columns
      }
  }

  /// output += scores·V
  __device__ void multiplyScoresValues(const __half *values) {
#pragma unroll
    for (int step = 0; step < keyRows / 16; ++step) {
      unsigned a[2][4]; // the layout of two 16×8 results side by side is that of one 16×16 operand
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          a[m][i] = pack(scores[m][2 * step + i / 2][i % 2 * 2], scores[m][2 * step + i / 2][i % 2 * 2 + 1]);
#pragma unroll
      for (int d = 0; d < HeadDim / 8; d += 2) {
        unsigned b[4];
        ptx::loadMatricesTransposed(b, fragmentAt(values, downThenRight, 16 * step, d));
#pragma unroll
        for (int m = 0; m < 2; ++m) {
          ptx::multiplyAdd(output[m][d], a[m], b[0], b[1]);
          ptx::multiplyAdd(output[m][d + 1], a[m], b[2], b[3]);
        }
      }
    }
  }

  /// Divides by the row sums and writes the rows below `rows`, through the warp's own rows of `shared`.
  __device__ void store(__half *shared, __half *global, int firstRow, int rows) {
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float sum = rowSum[m][half];
        sum += __shfl_xor_sync(0xffffffffu, sum, 1);
        sum += __shfl_xor_sync(0xffffffffu, sum, 2);
        const float inverse = 1 / sum;
        const int row = warpRow + 16 * m + 8 * half + lane / 4;
#pragma unroll
        for (int d = 0; d < HeadDim / 8; ++d)
          *reinterpret_cast<unsigned *>(at(shared, row, d) + lane % 4 * 2) =
              pack(output[m][d][2 * half] * inverse, output[m][d][2 * half + 1] * inverse);
      }
    __syncwarp();
#pragma unroll 4
    for (int i = lane; i < warpRows * chunksPerRow; i += 32) {
      const int row = warpRow + i / chunksPerRow, chunk = i % chunksPerRow;
      if (firstRow + row < rows)
        *reinterpret_cast<uint4 *>(global + size_t(firstRow + row) * HeadDim + chunk * chunkHalves) =
            *reinterpret_cast<const uint4 *>(at(shared, row, chunk));
    }
  }

private:
  static constexpr int warpRows = 32;   // two m16 tiles: every K and V fragment read from shared memory is used twice
  static constexpr int chunkHalves = 8; // 16 bytes
  static constexpr int chunksPerRow = HeadDim / chunkHalves;

  /// Where a 16-byte chunk of a row lies: chunks are permuted so that the same chunk of eight rows is in 32 banks.
  static __device__ __half *at(__half *shared, int row, int chunk) {
    return shared + row * HeadDim + (chunk ^ (row % 8)) * chunkHalves;
  }

  /// Where this lane's row of the four 8×8 matrices at a row that is a multiple of 16 and an even chunk lies, given
  /// where it lies at row 0, chunk 0: what at() says, with all but one exclusive or known beforehand.
  static __device__ const __half *fragmentAt(const __half *shared, int lanePart, int row, int chunk) {
    return shared + row * HeadDim + (lanePart ^ chunk * chunkHalves);
  }

  static __device__ unsigned pack(float low, float high) {
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const unsigned *>(&pair);
  }

  const int lane, warpRow;
  const int downThenRight, rightThenDown; // the orders in which a fragment takes its four 8×8 matrices
  float scores[2][keyRows / 8][4];
  float output[2][HeadDim / 8][4] = {};
  float rowMax[2][2], rowSum[2][2];
};

#endif
