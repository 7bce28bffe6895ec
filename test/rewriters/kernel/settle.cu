// Behind a barrier that a clock read would pass, rewritten kernels settle, once; where one has no place for that, every probe does.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/in.cu
// RUN: kperf-rewrite --probes=region,sync %t/waits.cu -o - | FileCheck %t/waits.cu
// RUN: kperf-rewrite %t/in.cu -o - --target=host -- -I%kperf_src/runtime/include > /dev/null

//--- in.cu
#include <kperf/annotate.h>
__device__ float unknown(float);
__device__ float plain(float x) { return x + 1; }
__device__ void named(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__device__ void deep(int id) { if (id) named(id); }
__device__ void arrived() { asm volatile("mbarrier.try_wait.parity.shared.b64 p, [0], 1;"); }
struct Tile {
  __device__ static void meet() { __syncthreads(); }
  __device__ static void fill() {}
};
template <typename T> __global__ void places(float *p, int n) {
  // CHECK-LABEL: void places(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<~0u>> kperf_kernel(
  for (int i = 0; i < n; ++i) {
    KPERF_SCOPE("step");
    // CHECK: {{^}}    __syncthreads(); kperf_kernel.settle(); // the block
    __syncthreads(); // the block
    // CHECK: {{^}}    if (n > 2) { __syncthreads(); kperf_kernel.settle(); }
    if (n > 2) __syncthreads();
    // CHECK: {{^}}    if (threadIdx.x < 40) { named(1); ::kperf::settle(); } else { p[0] = 1; deep(2); ::kperf::settle(); }
    if (threadIdx.x < 40) named(1); else { p[0] = 1; deep(2); }
    // CHECK: {{^}}    p[i] = unknown(p[i]); kperf_kernel.settle();
    p[i] = unknown(p[i]);
    // CHECK: {{^}}    p[i] = plain(p[i]) + min(n, 3);{{$}}
    p[i] = plain(p[i]) + min(n, 3);
    // CHECK: {{^}}    __syncwarp();{{$}}
    __syncwarp();
    // CHECK: {{^}}    arrived();{{$}}
    arrived();
    // CHECK: {{^}}    Tile::meet(); kperf_kernel.settle(); Tile::fill();{{$}}
    Tile::meet(); Tile::fill();
    // CHECK: {{^}}    T::meet(); kperf_kernel.settle();
    T::meet();
    // CHECK: {{^}}    const auto lambda = [] { __syncthreads(); };{{$}}
    const auto lambda = [] { __syncthreads(); };
    // CHECK: {{^}}    lambda(); kperf_kernel.settle();
    lambda();
  }
}
__global__ void condition(float *p) {
  // CHECK-LABEL: void condition(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<1u>, ::kperf::Settles> kperf_kernel(
  KPERF_SCOPE("all");
  // CHECK: {{^}}  while (__syncthreads_or(p[0] > 1)) p[0] -= 1;
  while (__syncthreads_or(p[0] > 1)) p[0] -= 1;
  // CHECK: {{^}}  __syncthreads();{{$}}
  __syncthreads();
}
struct Guard { __device__ ~Guard() { __syncthreads(); } };
__global__ void destructor(float *p) {
  // CHECK-LABEL: void destructor(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<1u>, ::kperf::Settles> kperf_kernel(
  KPERF_SCOPE("all");
  Guard guard;
}
__global__ void returned(float *p) {
  // CHECK-LABEL: void returned(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<1u>> kperf_kernel(
  KPERF_SCOPE("all");
  // CHECK: {{^}}  return __syncthreads();
  return __syncthreads();
}

//--- waits.cu
#include <kperf/annotate.h>
__global__ void k(float *p) {
  // The wait's own clock is behind the barrier too.
  // CHECK: { const ::kperf::ConvergentWait {{[^;]*}}; __syncthreads(); kperf_kernel.settle(); }
  __syncthreads();
  // CHECK: {{^}}  if (p[threadIdx.x]) { const ::kperf::DivergentWait {{[^;]*}}; { __syncthreads(); ::kperf::settle(); } }
  if (p[threadIdx.x]) __syncthreads();
}
