// Whether reported times are true: regions around chains of known length, timed by the kernel itself as well.
//
// Built with -DOWN_CLOCKS it prints, for each number of FMAs, the cycles between two clock reads around the chain: what is true. Built with
// probes, `kperf report` says what kperf thinks; run.py compares the two. Both read the same chains, one warp's lanes alike.
#include <kperf/annotate.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kPasses = 64;

void check(cudaError_t status, int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "known_length: %s (line %d)\n", cudaGetErrorString(status), line);
  std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

/// Straight-line code, so that both builds run the same instructions.
template <int Count> __device__ __forceinline__ float chain(float x, float a, float b) {
#pragma unroll
  for (int i = 0; i < Count; ++i)
    x = fmaf(x, a, b);
  asm volatile("" ::"f"(x) : "memory");
  return x;
}

#ifdef OWN_CLOCKS
#define OWN_BEGIN                                                                                                      \
  __syncwarp();                                                                                                        \
  const unsigned start = clock();
#define OWN_END                                                                                                        \
  __syncwarp();                                                                                                        \
  const unsigned stop = clock();                                                                                       \
  if (threadIdx.x % 32 == 0)                                                                                           \
    cycles[((blockIdx.x * blockDim.x + threadIdx.x) / 32 * kPasses + pass) * 5 + slot] = stop - start;                 \
  ++slot;
#else
#define OWN_BEGIN
#define OWN_END
#endif

__global__ void __launch_bounds__(1024) chains(float *values, unsigned *cycles) {
  float x = values[threadIdx.x];
  const float a = x * 0.001f + 1.0f, b = x + 0.5f;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    [[maybe_unused]] int slot = 0;
    { // what the kernel's own two clock reads cost
      OWN_BEGIN
      OWN_END
    }
    {
      KPERF_SCOPE("fma 16");
      OWN_BEGIN
      x = chain<16>(x, a, b);
      OWN_END
    }
    {
      KPERF_SCOPE("fma 64");
      OWN_BEGIN
      x = chain<64>(x, a, b);
      OWN_END
    }
    {
      KPERF_SCOPE("fma 256");
      OWN_BEGIN
      x = chain<256>(x, a, b);
      OWN_END
    }
    {
      KPERF_SCOPE("fma 1024");
      OWN_BEGIN
      x = chain<1024>(x, a, b);
      OWN_END
    }
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

} // namespace

int main(int count, char **arguments) {
  const int warps = count > 1 ? std::atoi(arguments[1]) : 1;
  if (warps < 1 || warps > 64) {
    std::fprintf(stderr, "usage: known_length [warps per multiprocessor: 1 to 64]\n");
    return 2;
  }
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const int threads = std::min(warps * 32, 1024), blocks = properties.multiProcessorCount * warps * 32 / threads;
  const size_t total = size_t(blocks) * threads;
  float *values;
  unsigned *cycles;
  CHECK(cudaMalloc(&values, total * sizeof(float)));
  CHECK(cudaMemset(values, 0x3c, total * sizeof(float)));
  std::vector<unsigned> host(total / 32 * kPasses * 5);
  CHECK(cudaMalloc(&cycles, host.size() * sizeof(unsigned)));
  chains<<<blocks, threads>>>(values, cycles);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host.data(), cycles, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
#ifdef OWN_CLOCKS
  const int counts[] = {0, 16, 64, 256, 1024};
  double empty = 0;
  for (int slot = 0; slot < 5; ++slot) {
    double sum = 0;
    for (size_t at = slot; at < host.size(); at += 5)
      sum += host[at];
    const double mean = sum / (double(host.size()) / 5);
    empty = slot == 0 ? mean : empty;
    std::printf("{\"work\": \"known_length\", \"warps_per_sm\": %d, \"name\": \"fma %d\", \"mean_cycles\": %.2f}\n", warps,
                counts[slot], mean - empty);
  }
#endif
}
