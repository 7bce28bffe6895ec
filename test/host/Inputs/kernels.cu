// CUDA as people write it, before any rewriting.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iostream>
#include <vector>

namespace cg = cooperative_groups;

__constant__ float coefficients[16];
__device__ int counter;
__managed__ int shared;

struct Scale {
  float factor;
  int offset;
  __host__ __device__ explicit Scale(float factor) : factor(factor), offset(1) {}
  __device__ float of(float value) const { return value * factor + static_cast<float>(offset); }
};

template <typename T> __device__ __forceinline__ T sumOfWarp(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__device__ __noinline__ float slow(float x) {
  return __expf(x) + rsqrtf(x) + __fdividef(x, 2.f) + sinf(x) + fmaxf(x, 1.f) + max(x, 2.f) + std::max(x, 3.f);
}

__global__ void __launch_bounds__(256, 2) scale(float *data, int count, const Scale by) {
  extern __shared__ float dynamic[];
  __shared__ float tile[32];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const auto index = threadIdx;
  const dim3 shape = blockDim;
  if (i >= count)
    return;
  dynamic[threadIdx.x] = slow(data[i]);
  tile[threadIdx.x % 32] = sumOfWarp(dynamic[0]);
  __syncthreads();
  const float4 four = make_float4(1, 2, 3, 4);
  data[i] = four.x + tile[0] + coefficients[3] + by.of(1) + static_cast<float>(shape.x + index.y);
  atomicAdd(&counter, 1);
  printf("%d\n", i);
  assert(i >= 0);
  const unsigned votes = __ballot_sync(~0u, i & 1);
  data[0] =
      static_cast<float>(__popc(votes) + clock64() + warpSize) + __ldg(data) + std::abs(data[1]) + std::sqrt(data[2]);
  const auto next = [=] __device__(int value) { return value + 1; };
  data[1] = static_cast<float>(next(2) + isnan(data[1]));
}

template <int N, typename T> __global__ void fill(T *data, T value) { data[threadIdx.x] = value * T(N); }

__global__ void halves(__half *data, __nv_bfloat16 *others) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  data[block.thread_rank()] = __hadd(data[0], __float2half(1.5f)) * tile.shfl(data[1], 0);
  others[0] = __float2bfloat16(2.0f);
  new (&data[2]) __half(1.0f);
  cg::this_grid().sync();
}

int main() {
  float *data = nullptr;
  cudaMalloc(&data, 1024);
  cudaMalloc(reinterpret_cast<void **>(&data), 1024);
  std::vector<float> host(256);
  cudaMemcpy(data, host.data(), 1024, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coefficients, host.data(), 64);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  scale<<<1, 256, 1024, stream>>>(data, 256, Scale(1.f));
  fill<2><<<dim3(1, 1), 32>>>(data, 1.f);
  fill<2, float><<<1, 32, 0>>>(data, 1.f);
  cudaFuncSetAttribute(fill<2, float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  int blocks = 0, best = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&blocks, &best, scale, 0, 0);
  halves<<<1, 32>>>(nullptr, nullptr);
  std::sort(host.begin(), host.end());
  std::cout << host[0] << shared;
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
