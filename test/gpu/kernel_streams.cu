// Kernels with frames, in their own loops and outside of any (kperf/cuda/record/KernelStream.h). What each region takes and how often a warp
// comes to it is known.
#include <kperf/annotate.h>

#include <cstdio>
#include <cuda_runtime.h>

constexpr int kBlocks = 300, kThreads = 96;

__device__ __forceinline__ void spend(unsigned cycles) {
  const auto start = static_cast<unsigned>(clock());
  while (static_cast<unsigned>(clock()) - start < cycles)
    ;
}

template <int Way> __global__ void kernel(int *out, const int *lengths) {
  __shared__ int stage[kThreads];
  KPERF_BEGIN("prepare"); // 1 times 700
  spend(700);
  KPERF_END("prepare");
  for (int i = 0; i < lengths[0]; ++i) {
    KPERF_BEGIN("load"); // 20 times 400
    spend(400);
    stage[threadIdx.x] = i;
    KPERF_END("load");
    __syncthreads();
    KPERF_BEGIN("use"); // 20 times 600
    const int other = stage[kThreads - 1 - threadIdx.x];
    spend(600);
    KPERF_END("use");
    out[blockIdx.x * kThreads + threadIdx.x] += other;
    if (i % 4 == 1) {
      KPERF_SCOPE("fourth"); // 5 times 250
      spend(250);
    }
    __syncthreads();
  }
  for (int i = 0; i < lengths[1]; ++i) {
    if (i == 6)
      break;
    {
      KPERF_SCOPE("until"); // 6 times 150
      spend(150);
    }
    {
      KPERF_SCOPE("then"); // 6 times 120
      spend(120);
    }
    if (lengths[i] < 0)
      continue;
    KPERF_SCOPE("rest"); // 6 times 130
    spend(130);
  }
}

__global__ void straight(int *out, const int *lengths) {
  {
    KPERF_SCOPE("around"); // 1 times 800, with others
    KPERF_BEGIN("first");  // 1 times 300
    spend(300);
    KPERF_END("first");
    KPERF_BEGIN("second"); // 1 times 500
    for (unsigned i = 0; i < gridDim.x / kBlocks; ++i)
      spend(500);
    KPERF_END("second");
  }
  __syncthreads();
  if (lengths[0] < 0) {
    KPERF_SCOPE("never"); // 0 times 100
    spend(100);
  }
  {
    KPERF_SCOPE("last"); // 1 times 200
    spend(200);
  }
  out[blockIdx.x * kThreads + threadIdx.x] += lengths[1];
}

/// Warps of fewer lanes than a frame has words keep nothing, and say so: where the source does not show that it is launched with such.
__global__ void narrow(int *out, const int *lengths) {
  for (int i = 0; i < lengths[0]; ++i) {
    {
      KPERF_SCOPE("left");
      out[0] += i;
    }
    {
      KPERF_SCOPE("right");
      out[1] += i;
    }
  }
}

int main(int argc, char **) {
  int *out, *lengths;
  const int host[] = {20, 9, 1, 1, 1, 1, 1, 1, 1};
  cudaMalloc(&out, kBlocks * kThreads * sizeof(int));
  cudaMemset(out, 0, kBlocks * kThreads * sizeof(int));
  cudaMalloc(&lengths, sizeof(host));
  cudaMemcpy(lengths, host, sizeof(host), cudaMemcpyHostToDevice);
  kernel<0><<<kBlocks, kThreads>>>(out, lengths);
  kernel<1><<<kBlocks, kThreads>>>(out, lengths);
  for (int i = 0; i < 2; ++i)
    straight<<<kBlocks, kThreads>>>(out, lengths);
  narrow<<<1, argc + 3>>>(out, lengths);
  int result[kThreads];
  cudaMemcpy(result, out + 7 * kThreads, sizeof(result), cudaMemcpyDeviceToHost);
  unsigned checksum = 0;
  for (int value : result)
    checksum = checksum * 31 + static_cast<unsigned>(value);
  std::printf("checksum 0x%08x %s\n", checksum, cudaGetErrorString(cudaGetLastError()));
}
