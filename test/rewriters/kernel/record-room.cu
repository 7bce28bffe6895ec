// A kernel with fences gathers records and makes room for them once an iteration; what lane 0 does alone, it records alone. So it is where its loops get no frames.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck %t/in.cu

//--- in.cu
#include <kperf/annotate.h>
__global__ void loops(float *p, int n) {
  // CHECK-LABEL: void loops(
  // 1 behind the loops; 2 and that in the outer one; 2 more in the inner one; 1 more in the loop with one range.
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::StagingRoom<5u>> kperf_kernel(
  // CHECK: for (int i = 0; i < n; ++i) { kperf_kernel.reserve<3u>();
  for (int i = 0; i < n; ++i) {
    { KPERF_SCOPE("before"); __threadfence(); }
    // CHECK: for (int j = 0; j < n; ++j) { kperf_kernel.reserve<5u>();
    for (int j = 0; j < n; ++j) {
      { KPERF_SCOPE("a"); p[j] = 1; }
      if (n > 2) { KPERF_SCOPE("b"); p[j] = 2; }
    }
    // CHECK: while (p[0] > 0) {{{$}}
    while (p[0] > 0) {
      p[0] -= 1;
    }
#pragma kperf region("loop")
    for (int j = 0; j < n; ++j) p[j] = 3;
  }
  KPERF_SCOPE("behind");
}
__global__ void noBraces(float *p, int n) {
  // CHECK-LABEL: void noBraces(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::StagingRoom<1u>> kperf_kernel(
  __threadfence();
  // CHECK: {{^}}  for (int i = 0; i < n; ++i)
  for (int i = 0; i < n; ++i)
#pragma kperf region("all")
    p[i] = 1;
}
__global__ void around(float *p, int n) {
  // What goto leads to is recorded lane by lane: no room is made.
  // CHECK-LABEL: void around(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxDivergent<~0u>, ::kperf::MaxShared<~0u>> kperf_kernel(
  __threadfence();
again:
  { KPERF_SCOPE("again"); p[n] = 1; }
  if (n-- > 0)
    goto again;
}
__global__ void duff(float *p, int n) {
  // CHECK-LABEL: void duff(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::StagingRoom<1u>> kperf_kernel(
  __threadfence();
  switch (n & 1) {
  case 0: do { { KPERF_SCOPE("even"); *p++ = 1; }
  case 1: *p++ = 1; } while (--n > 0);
  }
}
__global__ void switched(float *p, int n) {
  // CHECK-LABEL: void switched(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::StagingRoom<2u>> kperf_kernel(
  __threadfence();
  for (int i = 0; i < n; ++i) {
    switch (i) {
    case 0: { KPERF_SCOPE("zero"); p[i] = 1; } break;
    default: p[i] = 2;
    }
  }
}
__global__ void noFence(float *p, int n) {
  // CHECK-LABEL: void noFence(
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxConvergent<~0u>> kperf_kernel(
  // CHECK: for (int i = 0; i < n; ++i) {{{$}}
  for (int i = 0; i < n; ++i) {
    KPERF_SCOPE("a");
  }
}
__global__ void firstLane(float *p, int n) {
  // CHECK-LABEL: void firstLane(
  // Two of lane 0, one of others: 1 + 1 and 32 records, as the lanes may come one by one.
  // CHECK-SAME: ::kperf::Kernel<::kperf::MaxDivergent<8u>, ::kperf::MaxShared<160u>> kperf_kernel(
  const int lane = threadIdx.x % 32;
  const bool isFirst = lane == 0, isSecond = lane == 1;
  // CHECK: const ::kperf::FirstScope {{.*}}("first");
  if (threadIdx.x == 0) { KPERF_SCOPE("first"); p[0] = 1; }
  // CHECK: const ::kperf::FirstScope {{.*}}("of its warp");
  if (isFirst && n > 2) { KPERF_SCOPE("of its warp"); p[0] = 1; }
  // CHECK: kperf_kernel.firstMark({{.*}}, (n));
  if (!(threadIdx.x & 31)) { KPERF_MARK("mark", n); } else {
    // CHECK: kperf_kernel.divergentMark(
    KPERF_MARK("other");
  }
  // CHECK: const ::kperf::DivergentScope {{.*}}("second");
  if (isSecond) { KPERF_SCOPE("second"); p[0] = 1; }
  // CHECK: const ::kperf::DivergentScope {{.*}}("either");
  if (isFirst || n > 2) { KPERF_SCOPE("either"); p[0] = 1; }
  // CHECK: const ::kperf::DivergentScope {{.*}}("half a warp");
  if (threadIdx.x % 16 == 0) { KPERF_SCOPE("half a warp"); p[0] = 1; }
  // CHECK: const ::kperf::DivergentScope {{.*}}("lane 8");
  if (threadIdx.x == 8) { KPERF_SCOPE("lane 8"); p[0] = 1; }
}
__global__ void rows(float *p) {
  // The first lane of a row need not be that of a warp.
  // CHECK: const ::kperf::DivergentScope {{.*}}("row");
  if (threadIdx.x == 0 && threadIdx.y < 3) { KPERF_SCOPE("row"); p[0] = 1; }
}
__global__ void addresses(int n) {
  __shared__ unsigned long long full[4];
  __shared__ struct { int parts[2]; } both[2];
  unsigned long long own[4];
  unsigned long long *const before = n > 1 ? &full[n - 2] : nullptr;
  int *const part = &both[n].parts[1];
  // CHECK: const ::kperf::ConvergentScope {{.*}}("one address");
  if (before && part) { KPERF_SCOPE("one address"); }
  unsigned long long *const mine = threadIdx.x < 7 ? &full[1] : nullptr, *const local = n > 1 ? &own[0] : nullptr;
  // CHECK: const ::kperf::DivergentScope {{.*}}("mine");
  if (mine) { KPERF_SCOPE("mine"); }
  // CHECK: const ::kperf::DivergentScope {{.*}}("local");
  if (local) { KPERF_SCOPE("local"); }
}
