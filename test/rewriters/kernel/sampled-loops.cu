// Which loops have an iteration's accesses counted together or not at all, and in front of what their iterations are counted.
// RUN: kperf-rewrite --probes=memory %s -o - -- -std=c++17 | FileCheck %s
// RUN: kperf-rewrite --probes=memory --sample=32 %s -o - -- -std=c++17 | FileCheck %s --check-prefix=COPIES
// RUN: kperf-rewrite --probes=memory --target=host %s -o - -- -std=c++17 | FileCheck %s --check-prefix=HOST
// HOST-NOT: SampledLoop
#include <cassert>
struct Pair {
  int first, second;
};
__device__ int unknown(int value);
__device__ int known(int value) { return value + 1; }
__device__ int meets(int value) { return __shfl_xor_sync(0xffffffffu, value, 1); }

__global__ void sampled(int *p, int n) {
  for (int i = 0; i < n; ++i) {
    if (p[i] == 1)
      continue;
    if (p[i] == 2)
      break;
    p[i] = known(i) + int(sqrtf(float(n)));
  }
  do
    p[n] += 1;
  while (--n);
}
// CHECK-LABEL: void sampled(
// CHECK: { ::kperf::SampledLoop kperf_loop_0; for (int i = 0; i < n; ++i) { const auto kperf_iteration =
// CHECK: } return kperf_isLeft; }; if (kperf_loop_0.run(kperf_iteration)) break; } }
// CHECK-NEXT: { ::kperf::SampledLoop kperf_loop_1; do
// CHECK-NEXT: { const auto kperf_iteration = {{.*}} {::kperf::update({kperf_sample, {{0x[0-9a-f]+u}}}, p[n]) += 1; } return
// CHECK-NEXT: while (--n); }
// COPIES-LABEL: void sampled(
// COPIES: kperf_isRecorded, {kperf_sample,
// COPIES: if (kperf_loop_0.run(kperf_isRecorded, kperf_iteration)) break;

// Of loops that all lanes go round as often, one object counts.
template <int Width> __global__ void nested(float *p, int n) {
  for (int tile = 0; tile < n; ++tile) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < Width; ++i)
        p[tile + i + k] *= 2;
      for (int i = 0; i < n; ++i)
        p[i] *= 2;
    }
    if (tile & 1)
      for (int i = 0; i < 4; ++i)
        p[i] *= 2;
  }
}
// CHECK-LABEL: void nested(
// CHECK: { ::kperf::SampledLoop kperf_loop_0; for (int tile
// CHECK: for (int k = 0; k < 8; ++k) {
// CHECK-NEXT: for (int i = 0; i < Width; ++i)
// CHECK-NEXT: kperf_loop_0.run(
// CHECK-NEXT: { ::kperf::SampledLoop kperf_loop_1; for (int i = 0; i < n; ++i)
// CHECK-NEXT: kperf_loop_1.run(
// CHECK: if (tile & 1)
// CHECK-NEXT: { ::kperf::SampledLoop kperf_loop_2; for (int i = 0; i < 4; ++i)
// CHECK-NEXT: kperf_loop_2.run(

// Some lanes may leave a part of an iteration out.
__global__ void uneven(float *p, int n) {
  for (int tile = 0; tile < n; ++tile) {
    for (int i = 0; i < 4; ++i)
      p[i] *= 2;
    if (p[tile] > 0)
      continue;
    for (int i = 0; i < 4; ++i)
      p[i] *= 3;
  }
}
// CHECK-LABEL: void uneven(
// CHECK-NEXT: for (int tile = 0; tile < n; ++tile) {
// CHECK-NEXT: { ::kperf::SampledLoop kperf_loop_0; for
// CHECK: { ::kperf::SampledLoop kperf_loop_1; for

// A loop that holds none with accesses may hold others.
__global__ void inner(float *p, int n) {
  for (int tile = 0; tile < n; ++tile) {
    const float x = p[tile];
    float sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += x * i;
    p[tile] = sum;
  }
}
// CHECK-LABEL: void inner(
// CHECK-NEXT: { ::kperf::SampledLoop kperf_loop_0; for (int tile

#define LOOP_OVER(body) for (int i = 0; i < n; ++i) body
__device__ int asked(int *p, int n, Pair pair, int which) {
  auto [one, two] = pair;
  for (int i = 0; i < n; ++i) {
    p[i] = 1;
    __syncthreads();
  }
  for (int i = 0; i < n; ++i)
    p[i] = meets(i);
  for (int i = 0; i < n; ++i)
    p[i] = unknown(i);
  for (int i = 0; i < n; ++i)
    if (p[i] == which)
      return i;
  for (int i = 0; i < n; ++i)
    p[i] = one;
  for (int i = 0; i < n; ++i) {
    assert(i > 0);
    p[i] = 3;
  }
  for (int i = 0; i < n; ++i) {
    asm volatile("skip: bra.uni skip;");
    p[i] = 4;
  }
  for (int i = 0; i < n; ++i) {
    unsigned lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes));
    p[i] = lanes;
  }
  for (int i = 0; i < n; ++i) {
    if (p[i] == 5)
      goto done;
    p[i] = 5;
  }
done:
  switch (which) {
    for (int i = 0; i < n; ++i) {
    case 1:
      p[i] = 6;
    }
  }
  LOOP_OVER({ p[i] = 7; });
  return 0;
}
// CHECK-LABEL: int asked(
// CHECK-NOT: SampledLoop
// CHECK: return 0;
