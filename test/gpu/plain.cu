// Kernels that share state with each other and with the host, from launch to launch: a launch without probes reads what one with probes wrote,
// and the other way round. Prints the state at the end, which says nothing of who wrote it.
#include "check.h"

#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128, kBlocks = 8, kLaunches = 600;
constexpr int kDynamicBytes = 96 * 1024; // more than a kernel has unless it asks for it

__device__ unsigned launches;         // the host reads it
static __device__ unsigned history;   // of all launches, in their order
__constant__ unsigned factor;         // the host writes it
__managed__ unsigned managed;

__device__ __noinline__ unsigned next(unsigned value) {
  static __device__ unsigned calls;
  KPERF_SCOPE("next");
  atomicAdd(&calls, 1u);
  for (unsigned i = 0; i < 4; ++i)
    value = value * 1664525u + factor;
  return value ^ calls * 0u;
}

template <int Which> __global__ void step(unsigned *out) {
  KPERF_SCOPE("step");
  extern __shared__ unsigned dynamic[];
  dynamic[kDynamicBytes / 4 - 1 - threadIdx.x] = out[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  KPERF_BEGIN("work");
  const unsigned value = next(dynamic[kDynamicBytes / 4 - kThreads + threadIdx.x] + Which + history);
  KPERF_END("work");
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void finish(const unsigned *out) {
  KPERF_SCOPE("finish");
  unsigned sum = 0;
  for (int i = 0; i < kBlocks * kThreads; ++i)
    sum = sum * 31 + out[i];
  history = history * 31 + sum;
  managed += sum;
  ++launches;
}

} // namespace

int main() {
  unsigned *out;
  CHECK(cudaMalloc(&out, kBlocks * kThreads * sizeof(unsigned)));
  CHECK(cudaMemset(out, 1, kBlocks * kThreads * sizeof(unsigned)));
  CHECK(cudaFuncSetAttribute(step<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, kDynamicBytes));
  CHECK(cudaFuncSetAttribute(step<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, kDynamicBytes));
  for (unsigned i = 0; i < kLaunches; ++i) {
    const unsigned now = 1013904223u + i / 100;
    if (i % 100 == 0)
      CHECK(cudaMemcpyToSymbol(factor, &now, sizeof now));
    step<1><<<kBlocks, kThreads, kDynamicBytes>>>(out);
    step<2><<<kBlocks, kThreads, kDynamicBytes>>>(out);
    finish<<<1, 1>>>(out);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaDeviceSynchronize());
  unsigned count = 0, seen = 0;
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  CHECK(cudaMemcpyFromSymbol(&seen, history, sizeof seen));
  std::printf("launches %u history %08x managed %08x\n", count, seen, managed);
  return count == kLaunches ? 0 : 1;
}
