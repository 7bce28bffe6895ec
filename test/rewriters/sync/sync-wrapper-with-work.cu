// A function that waits is not a wait where it does anything else: the barrier of a loop, and what is done before one or behind it.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
__device__ int work(int);
__device__ void rounds(int *out, int times) {
  for (int i = 0; i < times; ++i) {
    out[i] = work(i);
    __syncthreads();
  }
}
__device__ void after(int *out, bool isOn) {
  if (isOn) {
    work(1);
    __syncthreads();
  }
}
__device__ void loop(int times) {
  for (int i = 0; i < times; ++i)
    __syncthreads();
}
__device__ void barrier() { __syncthreads(); }
__global__ void kernel(int *out, int times) {
  rounds(out, times);
  after(out, times > 1);
  loop(times);
  barrier();
}
// CHECK: __global__ void kernel(
// CHECK-NEXT: {{^}}  rounds(out, times);
// CHECK-NEXT: {{^}}  after(out, times > 1);
// CHECK-NEXT: {{^}}  loop(times);
// CHECK-NEXT: {{^}}  { const ::kperf::ConvergentWait {{.*}} barrier();
