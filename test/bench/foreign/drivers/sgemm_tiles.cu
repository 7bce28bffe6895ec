// Five kernels of siboehm's SGEMM_CUDA, 4096 x 4096 x 4096, loops of which --auto chooses: the median of ten launches behind two, in ms,
// and a hash of the result. Beside a copy of the project's src/kernels, of whose headers cublas_v2.h is included and not used:
//   printf 'headers: ["*/*_*.cuh"]\nauto: [kernels, loops]\n' > s.yaml
//   kperf-cc --select=s.yaml [--aggregate='*'] nvcc -std=c++17 -O3 -arch=sm_90 -I SGEMM_CUDA/src sgemm_tiles.cu -o sgemm_tiles
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define CEIL_DIV(whole, part) (((whole) + (part) - 1) / (part))
#include "kernels/10_kernel_warptiling.cuh"
#include "kernels/3_kernel_shared_mem_blocking.cuh"
#include "kernels/4_kernel_1D_blocktiling.cuh"
#include "kernels/5_kernel_2D_blocktiling.cuh"
#include "kernels/6_kernel_vectorize.cuh"

constexpr int kSize = 4096;
constexpr std::size_t kElements = std::size_t{kSize} * kSize;

static float *filled() {
  std::vector<float> host(kElements);
  for (std::size_t i = 0; i < kElements; ++i)
    host[i] = static_cast<float>(static_cast<int>(static_cast<std::uint32_t>(i) * 2654435761u >> 20) % 17 - 8) / 8;
  float *device = nullptr;
  cudaMalloc(&device, kElements * sizeof(float));
  cudaMemcpy(device, host.data(), kElements * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

static std::uint64_t hashOf(const float *device) {
  std::vector<std::uint32_t> host(kElements);
  cudaMemcpy(host.data(), device, kElements * sizeof(float), cudaMemcpyDeviceToHost);
  std::uint64_t hash = 1469598103934665603u; // FNV-1a, by words
  for (const std::uint32_t word : host)
    hash = (hash ^ word) * 1099511628211u;
  return hash;
}

template <typename Launch> static void time(const char *kernel, const float *result, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times(12);
  for (float &each : times) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&each, begin, end);
  }
  std::sort(times.begin() + 2, times.end());
  std::printf("%s %.4f %llx %s\n", kernel, times[7], static_cast<unsigned long long>(hashOf(result)),
              cudaGetErrorString(cudaGetLastError()));
}

int main() {
  constexpr int n = kSize;
  float *const a = filled(), *const b = filled(), *const c = filled();
  time("3", c, [&] { sgemm_shared_mem_block<32><<<dim3(n / 32, n / 32), 1024>>>(n, n, n, 1, a, b, 0, c); });
  time("4", c, [&] { sgemm1DBlocktiling<64, 64, 8, 8><<<dim3(n / 64, n / 64), 512>>>(n, n, n, 1, a, b, 0, c); });
  time("5", c, [&] { sgemm2DBlocktiling<128, 128, 8, 8, 8><<<dim3(n / 128, n / 128), 256>>>(n, n, n, 1, a, b, 0, c); });
  time("6", c, [&] { sgemmVectorize<128, 128, 8, 8, 8><<<dim3(n / 128, n / 128), 256>>>(n, n, n, 1, a, b, 0, c); });
  time("10", c, [&] { sgemmWarptiling<128, 128, 16, 64, 64, 4, 8, 4, 128><<<dim3(n / 128, n / 128), 128>>>(n, n, n, 1, a, b, 0, c); });
}
