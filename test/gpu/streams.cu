// Functions with streams of their own (kperf/cuda/record/FunctionStream.h): called again and again, nested, diverged, left early, and
// replayed. What each region takes and how often a warp comes to it is known.
#include <kperf/annotate.h>

#include <cstdio>
#include <cuda_runtime.h>

constexpr int kBlocks = 40, kThreads = 64, kReplays = 3;

__device__ void spend(unsigned cycles) {
  const auto start = static_cast<unsigned>(clock());
  while (static_cast<unsigned>(clock()) - start < cycles)
    ;
}

/// A frame: two ranges with a clock in common, and a scope that every second pass has.
struct Rounds {
  int *out;
  __device__ void run(int times) {
    auto round = [&](int i) {
      KPERF_BEGIN("one");   // 24 times 1000
      spend(1000);
      KPERF_END("one");
      KPERF_BEGIN("two");   // 24 times 2000
      spend(2000);
      KPERF_END("two");
      if (i & 1) {
        KPERF_SCOPE("odd"); // 12 times 500
        spend(500);
      }
      out[threadIdx.x] += i;
    };
    for (int i = 0; i < times; ++i)
      round(i);
  }
};

__device__ void inner(int times) {
  for (int i = 0; i < times; ++i) {
    KPERF_SCOPE("inner");   // 8 times 300
    spend(300);
  }
}

__device__ void outer(int times) {
  for (int i = 0; i < times; ++i) {
    KPERF_SCOPE("outer");   // 4 times 1600, with a call
    spend(1000);
    inner(2);
  }
}

/// The lane that records goes one way, and the others' way leaves no record.
__device__ void diverged(int times) {
  for (int i = 0; i < times; ++i)
    if (threadIdx.x % 32 < 16) {
      KPERF_SCOPE("low");   // 3 times 400
      spend(400);
    } else {
      KPERF_SCOPE("high");  // 0 times 400
      spend(400);
    }
}

/// Frames of which a part of the warp comes to some words: the lane that records is in the lower half.
__device__ void halves(int times) {
  for (int i = 0; i < times; ++i) {
    KPERF_BEGIN("both"); // 6 times 300
    spend(300);
    KPERF_END("both");
    if (threadIdx.x % 32 < 16) {
      KPERF_BEGIN("lower"); // 6 times 200
      spend(200);
      KPERF_END("lower");
    } else {
      KPERF_BEGIN("upper"); // 0 times 200
      spend(200);
      KPERF_END("upper");
    }
  }
}

/// Lanes pass different numbers of times, lane 0 most often, and are together again behind the loop.
__device__ void ragged(int times) {
  for (int round = 0; round < times; ++round)
    for (int i = 0; i < 3 + static_cast<int>((threadIdx.x + 1) % 2); ++i) {
      KPERF_BEGIN("first"); // 8 times 200
      spend(200);
      KPERF_END("first");
      KPERF_BEGIN("second"); // 8 times 100
      spend(100);
      KPERF_END("second");
    }
}

__device__ int early(int times) {
  for (int i = 0; i < times; ++i) {
    KPERF_SCOPE("early");   // 5 times 200
    spend(200);
    if (i == 4)
      return i;
  }
  return times;
}

/// By lane 7 alone: it is the lowest that comes.
__device__ void alone(int times) {
  for (int i = 0; i < times; ++i) {
    KPERF_SCOPE("alone");   // 6 times 100
    spend(100);
  }
}

template <int Way> __global__ void kernel(int *out) {
  Rounds rounds{out + (blockIdx.x * kThreads)};
  for (int i = 0; i < 3; ++i)
    rounds.run(8);
  outer(4);
  diverged(3);
  halves(6);
  ragged(2);
  out[blockIdx.x * kThreads + threadIdx.x] += early(9);
  if (threadIdx.x % 32 == 7)
    alone(6);
}

int main() {
  int *out;
  cudaMalloc(&out, kBlocks * kThreads * sizeof(int));
  cudaMemset(out, 0, kBlocks * kThreads * sizeof(int));
  kernel<0><<<kBlocks, kThreads>>>(out);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t replayed;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  kernel<1><<<kBlocks, kThreads, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&replayed, graph, 0);
  for (int i = 0; i < kReplays; ++i)
    cudaGraphLaunch(replayed, stream);
  cudaStreamSynchronize(stream);
  int host[kThreads];
  cudaMemcpy(host, out + 7 * kThreads, sizeof(host), cudaMemcpyDeviceToHost);
  unsigned checksum = 0;
  for (int value : host)
    checksum = checksum * 31 + static_cast<unsigned>(value);
  std::printf("checksum 0x%08x %s\n", checksum, cudaGetErrorString(cudaGetLastError()));
}
