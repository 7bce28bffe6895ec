// What entering and leaving a kernel costs a warp: a kernel that reads memory in one region, with more and more blocks.
//
// Prints one JSON row per number of blocks: microseconds a launch, the median of kRepetitions.
#include <kperf/annotate.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 256, kRepetitions = 15;
constexpr int kBytesAWarp = 16 << 10;

void check(cudaError_t status, int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "entry: %s (line %d)\n", cudaGetErrorString(status), line);
  std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

__global__ void sum(const float4 *in, float *out, int count) {
  KPERF_SCOPE("sum");
  float total = 0;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const float4 value = in[i];
    total += value.x + value.y + value.z + value.w;
  }
  if (total == 1234.5f) // never: the memory holds zeros
    *out = total;
}

} // namespace

int main() {
  constexpr int kMaxBlocks = 16896; // 128 a multiprocessor of an H200
  const size_t most = size_t{kMaxBlocks} * kThreads / 32 * kBytesAWarp;
  float4 *in;
  float *out;
  CHECK(cudaMalloc(&in, most));
  CHECK(cudaMemset(in, 0, most));
  CHECK(cudaMalloc(&out, sizeof(float)));
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (const int blocks : {132, 1056, 4224, kMaxBlocks}) {
    std::vector<float> times;
    const int count = static_cast<int>(size_t(blocks) * kThreads / 32 * kBytesAWarp / sizeof(float4));
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      CHECK(cudaEventRecord(begin));
      sum<<<blocks, kThreads>>>(in, out, count);
      CHECK(cudaEventRecord(end));
      CHECK(cudaEventSynchronize(end));
      float milliseconds;
      CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
      times.push_back(milliseconds * 1000);
    }
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    std::printf("{\"work\": \"entry\", \"warps\": %d, \"microseconds\": %.2f}\n", blocks * kThreads / 32,
                times[times.size() / 2]);
  }
}
