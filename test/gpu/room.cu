// A kernel that fills the dynamic shared memory it is given: `room BYTES`, and `room BYTES allowed` for more than 48 KiB.
#include <kperf/annotate.h>

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void fill(unsigned *sum, int words) {
  extern __shared__ unsigned tile[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) {
    KPERF_SCOPE("fill");
    tile[i] = i;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < words; i += blockDim.x) {
    KPERF_SCOPE("add");
    atomicAdd(sum, tile[i]);
  }
}

int main(int argc, char **argv) {
  const int bytes = argc > 1 ? std::atoi(argv[1]) : 0;
  unsigned *sum = nullptr, result = 0;
  cudaError_t status = cudaMalloc(&sum, sizeof(*sum));
  cudaMemset(sum, 0, sizeof(*sum));
  if (status == cudaSuccess && argc > 2)
    status = cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (status == cudaSuccess) {
    fill<<<1, 32, bytes>>>(sum, bytes / 4);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess)
    status = cudaMemcpy(&result, sum, sizeof(result), cudaMemcpyDeviceToHost);
  std::printf("sum %u, %s\n", result, cudaGetErrorString(status));
  return status == cudaSuccess ? 0 : 1;
}
