// Regions of every kind in code where warps stay whole, part, and come back: each a known number of times a warp.
//
// run.py compares what `kperf report` counts with the numbers that stand here as "// N a warp".
#include "check.h"

#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

namespace {

constexpr int kBlocks = 300;

__device__ __noinline__ int called(int value) {
  KPERF_SCOPE("called"); // 3 a warp
  return value * 3 + 1;
}

__device__ __noinline__ int recursive(int depth) {
  KPERF_SCOPE("recursive"); // 4 a warp
  return depth > 0 ? recursive(depth - 1) * 2 + depth : 1;
}

/// Blocks of 64: two whole warps.
template <typename Value> __global__ void mixed(Value *values) {
  const int lane = threadIdx.x % 32;
  Value value = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < 40; ++i) {
    KPERF_SCOPE("whole"); // 40 a warp
    value = value * 3 + i;
  }
  if (lane % 2 == 0) {
    KPERF_SCOPE("even"); // 1 a warp
    value += 5;
  } else {
    KPERF_SCOPE("odd"); // 1 a warp
    value -= 7;
  }
  __syncwarp();
  if (lane < 8) {
    KPERF_BEGIN("low"); // 1 a warp
    value ^= 3;
    KPERF_END("low");
  } else {
    KPERF_BEGIN("high"); // 1 a warp
    value ^= 9;
    KPERF_END("high");
    if (lane >= 16)
      KPERF_MARK("upper half", lane); // 1 a warp
  }
  __syncwarp();
  KPERF_BEGIN("range"); // 1 a warp
  for (int i = 0; i < 5; ++i)
    KPERF_MARK("step", i); // 5 a warp
  KPERF_END("range");
  value += called(value) + called(value + 1);
  if (lane % 2)
    value += called(value);
  __syncwarp();
  value += recursive(3);
#pragma kperf region("pragma") // 1 a warp
  for (int i = 0; i < 3; ++i)
    value = value * 5 + 1;
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// Blocks of 40: a whole warp and one of eight lanes, in a kernel whose fences make its records staged.
__global__ void fenced(int *values) {
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < 71; ++i) {
    KPERF_SCOPE("staged"); // 71 a warp
    value = value * 3 + i;
    __threadfence();
  }
  for (int i = 0; i < 9; ++i) {
    KPERF_SCOPE("outer"); // 9 a warp
    for (int j = 0; j < 4; ++j) {
      KPERF_SCOPE("inner"); // 36 a warp
      value += j;
      if (i % 3 == 0) {
        KPERF_SCOPE("third"); // 12 a warp
        value ^= i;
      }
    }
  }
  if (threadIdx.x % 32 == 0) {
    KPERF_SCOPE("first lane"); // 1 a warp
    for (int i = 0; i < 3; ++i)
      KPERF_MARK("by the first", i); // 3 a warp
    value += 4;
  }
  __syncwarp();
  if (threadIdx.x % 32 >= 6)
    return; // some lanes leave early
  {
    KPERF_SCOPE("after"); // 1 a warp
    value ^= 1;
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// Blocks of 40, whose regions follow each other.
__global__ void adjacent(int *values) {
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < 23; ++i) {
    {
      KPERF_SCOPE("front"); // 23 a warp
      value = value * 7 + i;
    }
    {
      KPERF_SCOPE("middle"); // 23 a warp
      if (i == 22)
        break;
      value ^= i;
    }
    {
      KPERF_SCOPE("back"); // 22 a warp
      value += 3;
    }
  }
  for (int i = 0; i < 9; ++i) {
#pragma kperf region("left") // 9 a warp
    value = value * 13 + i;
#pragma kperf region("right") // 9 a warp
    for (int j = 0; j < 3; ++j)
      value ^= value >> j;
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// The same in a kernel whose records are staged.
__global__ void adjacentFenced(int *values) {
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < 17; ++i) {
    {
      KPERF_SCOPE("north"); // 17 a warp
      if (i == 16)
        break;
      value = value * 11 + i;
    }
    {
      KPERF_SCOPE("east"); // 16 a warp
      value ^= i;
    }
    {
      KPERF_SCOPE("south"); // 16 a warp
      value += 5;
    }
    {
      KPERF_SCOPE("west"); // 16 a warp
      __threadfence();
    }
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/// Blocks of 40: whoever comes first of a warp changes all the time, and lanes leave the loops one after another. Lane 0 is seldom there.
__global__ void scattered(int *values) {
  const int lane = threadIdx.x % 32, round = threadIdx.x < 32 ? 32 : 8;
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < 48; ++i)
    if (lane == i * 5 % round) {
      KPERF_SCOPE("alone"); // 48 a warp
      value = value * 3 + i;
    }
  __syncwarp();
  for (int i = 0; i < (lane < 8 ? 4 * lane + 1 : 1); ++i) {
    KPERF_SCOPE("fewer"); // 29 a warp
    value ^= value >> 3;
  }
  __syncwarp();
  for (int i = 0; i < 20; ++i) {
    KPERF_SCOPE("both"); // 20 a warp
    if (lane % 8 >= 4) {
      KPERF_SCOPE("upper part"); // 20 a warp
      value += 7;
    } else {
      KPERF_SCOPE("lower part"); // 20 a warp
      value ^= 11;
    }
    __syncwarp();
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

} // namespace

int main() {
  int *values;
  const size_t count = kBlocks * 64;
  CHECK(cudaMalloc(&values, count * sizeof(int)));
  CHECK(cudaMemset(values, 0, count * sizeof(int)));
  mixed<<<kBlocks, 64>>>(values);
  fenced<<<kBlocks, 40>>>(values);
  adjacent<<<kBlocks, 40>>>(values);
  adjacentFenced<<<kBlocks, 40>>>(values);
  scattered<<<kBlocks, 40>>>(values);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  static int host[count];
  CHECK(cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost));
  unsigned sum = 0;
  for (const int value : host)
    sum = sum * 31 + static_cast<unsigned>(value);
  std::printf("checksum 0x%08x\n", sum);
}
