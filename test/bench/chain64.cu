// What a region costs in a loop of 64 dependent FMAs: cycles per iteration, by warps per SM, one region per iteration.
//
// Built plain, with kperf's probes, and with -DMACRO_PROFILER: a hand-written probe in the style of macro profilers (global
// timer, one global store an event, a fence of the block by all threads). Prints one JSON row per occupancy; cycles are the
// time from an SM's first start to its last end over the iterations, the median over SMs and repetitions.
#include <kperf/annotate.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kIterations = 1000;
constexpr int kRepetitions = 9;
constexpr int kMaxMultiprocessors = 1024;

void check(cudaError_t status, int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "chain64: %s (line %d)\n", cudaGetErrorString(status), line);
  std::exit(1);
}
#define CHECK(call) check(call, __LINE__)

struct Span {
  unsigned long long start, stop;
  unsigned sm;
};

#ifdef MACRO_PROFILER
__device__ unsigned long long macroEvents[1 << 24];

__device__ __forceinline__ void macroEvent(unsigned &cursor, unsigned tag) {
  unsigned time;
  asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(time)::"memory");
  if (threadIdx.x % 32 == 0)
    macroEvents[cursor++ & ((1 << 24) - 1)] = static_cast<unsigned long long>(time) << 32 | tag;
  __threadfence_block();
}
#endif

__global__ void __launch_bounds__(1024) chain(float *values, Span *spans, int iterations) {
  const unsigned warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float x = values[threadIdx.x];
  const float a = x * 0.001f + 1.0f, b = x + 0.5f;
#ifdef MACRO_PROFILER
  unsigned cursor = warp * 2048;
#endif
  const unsigned long long start = clock64();
#pragma unroll 1
  for (int i = 0; i < iterations; ++i) {
    KPERF_SCOPE("chain");
#ifdef MACRO_PROFILER
    macroEvent(cursor, 1);
#endif
#pragma unroll
    for (int j = 0; j < 64; ++j)
      x = fmaf(x, a, b);
    asm volatile("" ::"f"(x) : "memory"); // the chain ends inside the region
#ifdef MACRO_PROFILER
    macroEvent(cursor, 2);
#endif
  }
  const unsigned long long stop = clock64();
  values[blockIdx.x * blockDim.x + threadIdx.x] = x;
  unsigned sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x % 32 == 0)
    spans[warp] = {start, stop, sm};
}

double cyclesPerIteration(int multiprocessors, int warps, float *values, Span *spans) {
  const int threads = std::min(warps * 32, 1024), blocks = multiprocessors * warps * 32 / threads;
  std::vector<double> cycles;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    chain<<<blocks, threads>>>(values, spans, kIterations);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    std::vector<Span> host(static_cast<size_t>(multiprocessors) * warps);
    CHECK(cudaMemcpy(host.data(), spans, host.size() * sizeof(Span), cudaMemcpyDeviceToHost));
    std::vector<Span> bySm(kMaxMultiprocessors, {~0ull, 0, 0});
    for (const Span &span : host) {
      bySm[span.sm].start = std::min(bySm[span.sm].start, span.start);
      bySm[span.sm].stop = std::max(bySm[span.sm].stop, span.stop);
    }
    for (const Span &sm : bySm)
      if (sm.stop > 0)
        cycles.push_back(static_cast<double>(sm.stop - sm.start) / kIterations);
  }
  std::nth_element(cycles.begin(), cycles.begin() + cycles.size() / 2, cycles.end());
  return cycles[cycles.size() / 2];
}

} // namespace

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const int multiprocessors = properties.multiProcessorCount;
  float *values;
  Span *spans;
  const size_t threads = static_cast<size_t>(multiprocessors) * 2048;
  CHECK(cudaMalloc(&values, threads * sizeof(float)));
  CHECK(cudaMalloc(&spans, threads / 32 * sizeof(Span)));
  CHECK(cudaMemset(values, 0x3c, threads * sizeof(float)));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, chain));
  for (const int warps : {4, 16, 64})
    std::printf("{\"work\": \"chain64\", \"warps_per_sm\": %d, \"cycles\": %.2f, \"registers\": %d, \"local_bytes\": %zu}\n",
                warps, cyclesPerIteration(multiprocessors, warps, values, spans), attributes.numRegs,
                attributes.localSizeBytes);
}
