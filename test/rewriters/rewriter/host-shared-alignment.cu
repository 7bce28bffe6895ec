// Host target: __shared__ is thread_local, and C++ takes no alignas after that, as CUDA does. Compilers take an attribute.
// RUN: split-file %s %t && cd %t
// RUN: kperf-rewrite --target=host in.cu -o - | FileCheck check.txt
// RUN: kperf-cc --strict --probes=memory host in.cu -o clang && ./clang
// RUN: env KPERF_HOST_CXX=%host_cxx kperf-cc --strict --auto=kernels host in.cu -o gcc && ./gcc

//--- in.cu
#include <cstdint>
#include <cuda_runtime.h>
template <int N> __device__ int aligned() {
  __shared__ alignas(N) char inFunction[8];
  return reinterpret_cast<std::uintptr_t>(inFunction) % N == 0;
}
__global__ void k(int *o) {
  __shared__ alignas(16) alignas(
      float4) int both[64];
  alignas(32) __shared__ int inFront[4];
  __align__(32) __shared__ int ofCuda[4];
  both[threadIdx.x] = inFront[0] = ofCuda[0] = 1;
  o[0] = aligned<256>() + (reinterpret_cast<std::uintptr_t>(both) % 16 == 0) + both[0];
}
int main() {
  int *o, found = 0;
  cudaMalloc(&o, 4);
  k<<<1, 64>>>(o);
  cudaMemcpy(&found, o, 4, cudaMemcpyDeviceToHost);
  return found != 3;
}
//--- check.txt
CHECK: {{^}}  __shared__ __attribute__((aligned(N))) char inFunction[8];
CHECK: {{^}}  __shared__ __attribute__((aligned(16))) __attribute__((aligned(alignof({{$}}
CHECK-NEXT: {{^}}      float4)))) int both[64];
CHECK-NEXT: {{^}}  alignas(32) __shared__ int inFront[4];
