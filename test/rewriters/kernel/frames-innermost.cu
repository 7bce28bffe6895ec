// In a kernel that gives registers away one frame at a time is open: a loop's or a lambda's goes before what its function comes to once,
// however much that is, which goes into the warp's row.
// RUN: kperf-rewrite --probes=region,sync %s -o - | FileCheck %s
#include <kperf/annotate.h>
__device__ void wait(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__device__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
__device__ void load(int n) {
  // CHECK: __device__ void load(int n) { ::kperf::FunctionStream<8u> kperf_stream(
  // CHECK: auto step = [&](int i) __attribute__((always_inline)) { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(
  auto step = [&](int i) {
    KPERF_SCOPE("produce");
    // CHECK: kperf_frame.put<2u>(1u); wait(1); kperf_frame.at<3u>
    wait(1);
    // CHECK: kperf_frame.put<4u>(2u); arrive(2);
    arrive(2);
  };
  // CHECK-COUNT-3: RowWait
  wait(3);
  wait(4);
  wait(5);
  // CHECK-COUNT-2: RowSignal 
  arrive(6);
  arrive(7);
  for (int i = 0; i < n; ++i)
    step(i);
}
__global__ void kernel(int n) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  load(n);
}
