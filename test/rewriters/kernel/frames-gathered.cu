// Where a pass holds products of a warp group, to which all lanes of a warp come, its lanes keep the words to which all come until it ends.
// RUN: kperf-rewrite --probes=region,sync %s -o - | FileCheck %s
#include <kperf/annotate.h>
template <int N> __device__ void warpgroup_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
__device__ void dealloc() { asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); }
struct Bar {
  unsigned long long word;
  __device__ void wait(int);
  __device__ void arrive();
};

template <bool First> __device__ void multiply(Bar &barrier, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}  for (int i = 0; i < n; ++i) { ::kperf::Frame<decltype(kperf_stream), false, false, 0x3fe7u> kperf_frame(kperf_stream, 0x{{[0-9a-f]+}}u, 0x118u);
    barrier.wait(i);
    KPERF_BEGIN("issue");
    KPERF_END("issue");
    // Words 3 and 4 are of some lanes, 8 of all or of none, 9 to 13 of nobody.
    // CHECK: kperf_frame.at<3u>({{.*}} kperf_frame.at<4u>(
    if (i % 2)
      barrier.wait(i);
    warpgroup_wait<1>();
    // CHECK: { kperf_frame.at<8u>(0x{{[0-9a-f]+}}u); barrier.arrive(); }
    if constexpr (First)
      barrier.arrive();
  }
}

// Not where a jump may leave the pass, nor where all products are of some lanes.
template <bool First> __device__ void jumps(Bar &barrier, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}  for (int i = 0; i < n; ++i) { ::kperf::Frame<decltype(kperf_stream), true> kperf_frame(
    barrier.wait(i);
    if (i == 7)
      break;
    warpgroup_wait<1>();
  }
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}  for (int i = 0; i < n; ++i) { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(
    barrier.wait(i);
    KPERF_BEGIN("alone");
    KPERF_END("alone");
    if (i % 2)
      warpgroup_wait<1>();
  }
}

// Nor for a name alone.
namespace other {
template <int N> __device__ void warpgroup_wait() { __syncwarp(); __syncwarp(); }
} // namespace other
template <bool First> __device__ void named(Bar &barrier, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}  for (int i = 0; i < n; ++i) { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(
    barrier.wait(i);
    asm volatile("bar.sync 1;");
    other::warpgroup_wait<1>();
  }
}
__global__ void kernel(Bar &barrier, int n) {
  dealloc();
  multiply<true>(barrier, n);
  jumps<true>(barrier, n);
  named<true>(barrier, n);
}
