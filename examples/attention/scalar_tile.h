// The same tile without tensor cores, for targets that have none: one query row a thread, fp32 arithmetic.
#ifndef KPERF_EXAMPLES_ATTENTION_SCALAR_TILE_H
#define KPERF_EXAMPLES_ATTENTION_SCALAR_TILE_H

#include "../gpu.h"

constexpr int queryRows = 128, threadsPerBlock = 128;

template <int HeadDim> class AttentionTile {
public:
  static constexpr int keyRows = 64;

  static __device__ void startCopy(__half *shared, const __half *global, int firstRow, int count, int rows) {
    for (int i = threadIdx.x; i < count * HeadDim; i += threadsPerBlock) {
      const int row = firstRow + i / HeadDim;
      shared[i] = row < rows ? global[size_t(firstRow) * HeadDim + i] : __float2half(0);
    }
  }

  static __device__ void waitForCopies() {}

  __device__ void multiplyQueryKey(const __half *query, const __half *keys) {
    for (int key = 0; key < keyRows; ++key) {
      float sum = 0;
      for (int d = 0; d < HeadDim; ++d)
        sum += __half2float(query[threadIdx.x * HeadDim + d]) * __half2float(keys[key * HeadDim + d]);
      scores[key] = sum;
    }
  }

  __device__ void mask(int firstQuery, int firstKey, int keyEnd, bool causal) {
    const int query = firstQuery + static_cast<int>(threadIdx.x);
    for (int key = 0; key < keyRows; ++key)
      if (firstKey + key >= keyEnd || (causal && firstKey + key > query))
        scores[key] = -INFINITY;
  }

  __device__ void softmax(float scale) {
    float highest = rowMax;
    for (int key = 0; key < keyRows; ++key)
      highest = fmaxf(highest, scores[key]);
    const float correction = exp2f((rowMax - highest) * scale);
    rowSum *= correction;
    for (int d = 0; d < HeadDim; ++d)
      output[d] *= correction;
    for (int key = 0; key < keyRows; ++key) {
      scores[key] = exp2f((scores[key] - highest) * scale);
      rowSum += scores[key];
    }
    rowMax = highest;
  }

  __device__ void multiplyScoresValues(const __half *values) {
    for (int key = 0; key < keyRows; ++key)
      for (int d = 0; d < HeadDim; ++d)
        output[d] += scores[key] * __half2float(values[key * HeadDim + d]);
  }

  __device__ void store(__half *, __half *global, int firstRow, int rows) {
    const int row = firstRow + static_cast<int>(threadIdx.x);
    if (row < rows)
      for (int d = 0; d < HeadDim; ++d)
        global[size_t(row) * HeadDim + d] = __float2half(output[d] / rowSum);
  }

private:
  float scores[keyRows];
  float output[HeadDim] = {};
  float rowMax = -INFINITY, rowSum = 0;
};

#endif
