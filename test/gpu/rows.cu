// Functions that record through their warp's row (kperf/cuda/record/EventRow.h), and frames that hold waits: what each region takes and how
// often a warp comes to it is known. Built for sm_90a with region and sync probes: setmaxnreg is why there are rows.
#include <kperf/annotate.h>

#include <cstdio>
#include <cuda_runtime.h>

constexpr int kBlocks = 40, kThreads = 128, kReplays = 3;

__device__ void spend(unsigned cycles) {
  const auto start = static_cast<unsigned>(clock());
  while (static_cast<unsigned>(clock()) - start < cycles)
    ;
}

__device__ void flat() {
  KPERF_SCOPE("flat");      // 17 times 700
  spend(700);
}

/// Lane 0 goes one way, and the others' way leaves no record.
__device__ void split() {
  if (threadIdx.x % 32 < 16) {
    KPERF_SCOPE("low");     // 2 times 400
    spend(400);
  } else {
    KPERF_SCOPE("high");    // 0 times 400
    spend(400);
  }
}

/// A frame: two ranges, a wait that is all of one of them, and within it a call of what goes into the row.
__device__ void rounds(int *out, int times) {
  for (int i = 0; i < times; ++i) {
    KPERF_BEGIN("work");    // 12 times 1000
    spend(1000);
    KPERF_END("work");
    KPERF_BEGIN("meet");
    __syncthreads();
    KPERF_END("meet");
    flat();
    KPERF_BEGIN("more");    // 12 times 300
    spend(300);
    KPERF_END("more");
    atomicAdd(out, i);
  }
}

__global__ void __launch_bounds__(kThreads, 4) kernel(int *out) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 56;");
  for (int i = 0; i < 5; ++i)
    flat();
  split();
  split();
  rounds(out, 12);
}

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  cudaMemset(out, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t replay;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  kernel<<<kBlocks, kThreads, 0, stream>>>(out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&replay, graph, 0);
  for (int i = 0; i < kReplays; ++i)
    cudaGraphLaunch(replay, stream);
  cudaStreamSynchronize(stream);
  kernel<<<kBlocks, kThreads>>>(out);
  int result = 0;
  cudaMemcpy(&result, out, sizeof(result), cudaMemcpyDeviceToHost);
  std::printf("%d %s\n", result, cudaGetErrorString(cudaGetLastError()));
  return 0;
}
