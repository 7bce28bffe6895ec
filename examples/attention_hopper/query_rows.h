// A consumer warpgroup's 64 query rows: their scores, their weights and their share of the output, all in registers.
#ifndef KPERF_EXAMPLES_ATTENTION_HOPPER_QUERY_ROWS_H
#define KPERF_EXAMPLES_ATTENTION_HOPPER_QUERY_ROWS_H

#include "../hopper_tiles.h"

constexpr int headDim = 128;

/// Bytes from one half of the head dimension to the other in a tile of so many rows: TMA swizzles 64 columns at a time.
template <int Rows> constexpr int halfBytes = Rows * 64 * int(sizeof(__half));
template <int Rows> constexpr int tileBytes = 2 * halfBytes<Rows>;

__device__ inline float exp2Approximate(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

/// A lane has two rows of its warp's sixteen, and of each two columns out of eight (PTX ISA, "Register Fragments for wgmma"): element
/// [i][2 * row + column]. Every start…() is to be followed by a commitGroup and, before what it writes is read, a waitForGroups.
template <int KeyRows> struct QueryRows {
  float scores[KeyRows / 8][4];
  unsigned weights[KeyRows / 16][4]; // pairs of fp16, as multiplyTransposed() wants them
  float sums[headDim / 8][4];        // weights · V, relative to exp2(highest)
  float highest[2], total[2], correction[2];

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < headDim / 8 * 4; ++i)
      sums[i / 4][i % 4] = 0;
    highest[0] = highest[1] = -INFINITY;
    total[0] = total[1] = 0;
  }

  /// scores = Q·Kᵀ; `query` and `keys` name the two tiles, of blockRows and of KeyRows rows.
  template <int BlockRows> __device__ void startQueryKey(uint64_t query, uint64_t keys) {
    hopper::beginMultiply();
    hopper::multiply<false>(scores, query, keys);
#pragma unroll
    for (int i = 1; i < headDim / 16; ++i) {
      const int step = i % 4 * int(hopper::sixteenColumns);
      hopper::multiply(scores, query + i / 4 * halfBytes<BlockRows> / 16 + step, keys + i / 4 * halfBytes<KeyRows> / 16 + step);
    }
    hopper::commitGroup();
  }

  /// sums += weights·V; `values` is of swizzledTransposed().
  __device__ void startWeightsValues(uint64_t values) {
    hopper::beginMultiply();
#pragma unroll
    for (int i = 0; i < KeyRows / 16; ++i)
      hopper::multiplyTransposed(sums, weights[i], values + i * hopper::sixteenRows);
    hopper::commitGroup();
  }

  /// The keys from `count` of this tile on get no weight.
  __device__ void mask(int count) {
    const int firstColumn = threadIdx.x % 4 * 2;
#pragma unroll
    for (int i = 0; i < KeyRows / 8; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (8 * i + firstColumn + j % 2 >= count)
          scores[i][j] = -INFINITY;
  }

  /// scores = exp2(scale · (scores − highest)), with the tile's own scores counted in `highest` and the results in `total`; `correction`
  /// is what the sums so far are to be multiplied by.
  __device__ void softmax(float scale) {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      float even = highest[row], odd = scores[0][2 * row + 1];
#pragma unroll
      for (int i = 0; i < KeyRows / 8; ++i) {
        even = fmaxf(even, scores[i][2 * row]);
        odd = fmaxf(odd, scores[i][2 * row + 1]);
      }
      float most = fmaxf(even, odd);
      most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
      most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
      correction[row] = exp2Approximate((highest[row] - most) * scale);
      highest[row] = most;
      const float offset = most * scale;
      float sum = total[row] * correction[row];
#pragma unroll
      for (int i = 0; i < KeyRows / 8; ++i)
#pragma unroll
        for (int j = 2 * row; j < 2 * row + 2; ++j) {
          scores[i][j] = exp2Approximate(fmaf(scores[i][j], scale, -offset));
          sum += scores[i][j];
        }
      total[row] = sum;
    }
  }

  /// The scores become the weights, and the sums follow the scores' new highest. No product may be on its way to the sums.
  __device__ void takeWeights() {
#pragma unroll
    for (int i = 0; i < headDim / 8 * 4; ++i)
      sums[i / 4][i % 4] *= correction[i % 4 / 2];
#pragma unroll
    for (int i = 0; i < KeyRows / 8 * 2; ++i) {
      const __half2 pair = __floats2half2_rn(scores[i / 2][i % 2 * 2], scores[i / 2][i % 2 * 2 + 1]);
      memcpy(&weights[i / 4][i % 4], &pair, sizeof(pair));
    }
  }

  /// Divides the sums by the totals of all columns, of which each of four lanes has a share.
  __device__ void normalise() {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      total[row] += __shfl_xor_sync(0xffffffffu, total[row], 1);
      total[row] += __shfl_xor_sync(0xffffffffu, total[row], 2);
    }
#pragma unroll
    for (int i = 0; i < headDim / 8 * 4; ++i)
      sums[i / 4][i % 4] /= total[i % 4 / 2];
  }
};

#endif
