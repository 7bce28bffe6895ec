// The kernel of docs/guide.md: a transposition by tiles in shared memory, as one writes it first; -DPITCH=33 is what the guide comes to.
#include <kperf/annotate.h>

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#ifndef PITCH
#define PITCH 32 // floats from one row of a tile to the next
#endif

constexpr int kTile = 32, kRows = 8, kSize = 256;

__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[kTile * PITCH];
  {
    KPERF_SCOPE("load");
    for (int y = threadIdx.y; y < kTile; y += kRows)
      tile[y * PITCH + threadIdx.x] = in[(blockIdx.y * kTile + y) * kSize + blockIdx.x * kTile + threadIdx.x];
  }
  {
    KPERF_SCOPE("barrier");
    __syncthreads();
  }
  KPERF_SCOPE("store");
  for (int y = threadIdx.y; y < kTile; y += kRows)
    out[(blockIdx.x * kTile + y) * kSize + blockIdx.y * kTile + threadIdx.x] = tile[threadIdx.x * PITCH + y];
}

int main() {
  std::vector<float> in(kSize * kSize), out(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i)
    in[i] = static_cast<float>(i);
  float *deviceIn = nullptr, *deviceOut = nullptr;
  const std::size_t bytes = in.size() * sizeof(float);
  cudaMalloc(reinterpret_cast<void **>(&deviceIn), bytes);
  cudaMalloc(reinterpret_cast<void **>(&deviceOut), bytes);
  cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 grid(kSize / kTile, kSize / kTile), block(kTile, kRows);
  for (int launch = 0; launch < 5; ++launch)
    transpose<<<grid, block>>>(deviceIn, deviceOut);
  cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kSize * kSize; ++i)
    if (out[i] != in[i % kSize * kSize + i / kSize]) {
      std::printf("result: wrong at %d\n", i);
      return 1;
    }
  std::printf("result: ok\n");
  return 0;
}
