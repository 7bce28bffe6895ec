// Two kernels whose cost, and what their probes add, changes after half of the launches. Prints how long each thousand of them took on the
// device, and how often each region was entered. The argument: after how many launches the host waits for the device.
#include "check.h"

#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

namespace {

constexpr int kBlocks = 132, kThreads = 64, kLaunches = 10000, kWindow = 1000;

__device__ __forceinline__ float chain(float value, int length) {
#pragma unroll 1
  for (int i = 0; i < length; i += 8)
#pragma unroll
    for (int k = 0; k < 8; ++k)
      value = value * 0.999f + 0.5f;
  return value;
}

__global__ void dear(float *out, int passes, int length) {
  float value = static_cast<float>(threadIdx.x);
  for (int pass = 0; pass < passes; ++pass) {
    KPERF_SCOPE("dear pass");
    value = chain(value, length);
  }
  out[blockIdx.x * kThreads + threadIdx.x] = value;
}

__global__ void cheap(float *out, int passes, int length) {
  float value = static_cast<float>(threadIdx.x);
  for (int pass = 0; pass < passes; ++pass) {
    KPERF_SCOPE("cheap pass");
    value = chain(value, length) + 1;
  }
  out[blockIdx.x * kThreads + threadIdx.x] = value;
}

struct Work {
  int passes, length;
};
/// By half of the launches.
constexpr Work kDear[] = {{300, 64}, {500, 40}}, kCheap[] = {{150, 256}, {200, 144}};

} // namespace

int main(int argc, char **argv) {
  const int every = argc > 1 ? std::atoi(argv[1]) : 50;
  float *out = nullptr;
  CHECK(cudaMalloc(&out, kBlocks * kThreads * sizeof *out));
  dear<<<kBlocks, kThreads>>>(out, kDear[0].passes, kDear[0].length); // what comes once: buffers, calibration
  cheap<<<kBlocks, kThreads>>>(out, kCheap[0].passes, kCheap[0].length);
  CHECK(cudaDeviceSynchronize());
  cudaEvent_t borders[kLaunches / kWindow + 1];
  for (cudaEvent_t &border : borders)
    CHECK(cudaEventCreate(&border));
  long long passes[2] = {kDear[0].passes, kCheap[0].passes};
  CHECK(cudaEventRecord(borders[0]));
  for (int i = 0; i < kLaunches; ++i) {
    const Work work = (i % 2 ? kCheap : kDear)[i >= kLaunches / 2];
    passes[i % 2] += work.passes;
    (i % 2 ? cheap : dear)<<<kBlocks, kThreads>>>(out, work.passes, work.length);
    if ((i + 1) % kWindow == 0)
      CHECK(cudaEventRecord(borders[(i + 1) / kWindow]));
    if ((i + 1) % every == 0)
      CHECK(cudaStreamSynchronize(nullptr));
  }
  CHECK(cudaDeviceSynchronize());
  for (int window = 0; window < kLaunches / kWindow; ++window) {
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, borders[window], borders[window + 1]));
    std::printf("thousand %d %.4f ms\n", window, ms);
  }
  constexpr long long kWarps = kBlocks * kThreads / 32;
  std::printf("expect dear %lld\nexpect cheap %lld\n", passes[0] * kWarps, passes[1] * kWarps);
}
