// Without a CUDA toolkit the sources are read with kperf's own headers.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <cuda_runtime.h>
#include <kperf/annotate.h>
__global__ void k(float *p) {
  KPERF_SCOPE("k");
  __shared__ float tile[32];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[0] = tile[1] + __shfl_down_sync(~0u, p[1], 1);
}
int main() { k<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }
//--- check.txt
CHECK: const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_4_3({{(kperf_kernel, )?}}
CHECK: k<<<1, 32>>>(nullptr);
