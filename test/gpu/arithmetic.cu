// Kernels whose floating-point operations are known by their source. Each entry loads and stores, so that ptxas leaves it its own.
#include <kperf/annotate.h>

#include <cstdio>

#include <cuda_fp16.h>

constexpr int kBlocks = 8, kThreads = 128, kTimes = 100;

__global__ void fused(volatile float *data) {
  for (int i = 0; i < kTimes; ++i) {
    KPERF_SCOPE("fused"); // 48 multiplications and 48 additions
    float sum = data[blockIdx.x * kThreads + threadIdx.x];
#pragma unroll
    for (int k = 0; k < 48; ++k)
      sum = fmaf(sum, 0.5f, 1.0f);
    data[blockIdx.x * kThreads + threadIdx.x] = sum;
  }
}

__global__ void apart(volatile float *data) {
  for (int i = 0; i < kTimes; ++i) {
    KPERF_SCOPE("apart"); // 20 and 20, which must not be fused
    float sum = data[blockIdx.x * kThreads + threadIdx.x];
#pragma unroll
    for (int k = 0; k < 20; ++k)
      sum = __fadd_rn(__fmul_rn(sum, 0.5f), 1.0f);
    data[blockIdx.x * kThreads + threadIdx.x] = sum;
  }
}

__global__ void twice(volatile double *data) {
  for (int i = 0; i < kTimes; ++i) {
    KPERF_SCOPE("twice"); // 12 and 12
    double sum = data[blockIdx.x * kThreads + threadIdx.x];
#pragma unroll
    for (int k = 0; k < 12; ++k)
      sum = fma(sum, 0.5, 1.0);
    data[blockIdx.x * kThreads + threadIdx.x] = sum;
  }
}

__global__ void halves(__half2 *data) {
  const __half2 one = data[kBlocks * kThreads];
  __half2 sum = data[blockIdx.x * kThreads + threadIdx.x];
  for (int i = 0; i < kTimes; ++i) {
    KPERF_SCOPE("halves"); // 40 of 4
#pragma unroll
    for (int k = 0; k < 40; ++k)
      sum = __hfma2(sum, one, one);
  }
  data[blockIdx.x * kThreads + threadIdx.x] = sum;
}

/// Half of the lanes.
__global__ void masked(volatile float *data) {
  if (threadIdx.x % 32 >= 16)
    return;
  for (int i = 0; i < kTimes; ++i) {
    KPERF_SCOPE("masked"); // as fused()
    float sum = data[blockIdx.x * kThreads + threadIdx.x];
#pragma unroll
    for (int k = 0; k < 48; ++k)
      sum = fmaf(sum, 0.5f, 1.0f);
    data[blockIdx.x * kThreads + threadIdx.x] = sum;
  }
}

int main() {
  void *data = nullptr;
  cudaMalloc(&data, sizeof(double) * (kBlocks * kThreads + 1));
  cudaMemset(data, 0, sizeof(double) * (kBlocks * kThreads + 1));
  fused<<<kBlocks, kThreads>>>(static_cast<float *>(data));
  apart<<<kBlocks, kThreads>>>(static_cast<float *>(data));
  twice<<<kBlocks, kThreads>>>(static_cast<double *>(data));
  halves<<<kBlocks, kThreads>>>(static_cast<__half2 *>(data));
  masked<<<kBlocks, kThreads>>>(static_cast<float *>(data));
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(status));
  return status == cudaSuccess ? 0 : 1;
}
