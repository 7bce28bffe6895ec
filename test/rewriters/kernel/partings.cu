// Lanes that leave a kernel, or go into a branch or a loop that others wait behind: those that go on are asked for where they part, and one of them
// records for all.
// RUN: kperf-rewrite --cuda-path=none %s -o - -- -std=c++17 | FileCheck %s
#include <kperf/annotate.h>

// CHECK: void departs({{.*}}Kernel<::kperf::MaxConvergent<~0u>, ::kperf::Narrows> kperf_kernel
__global__ void departs(float *p, int n) {
  const int i = threadIdx.x;
  // CHECK: if (!kperf_kernel.stays(!static_cast<bool>(i >= n))) return;
  if (i >= n) return;
  // CHECK: if (!kperf_kernel.stays(!static_cast<bool>(p[i] < 0))) {
  if (p[i] < 0) {
    p[i] = 0;
    return;
  }
  // CHECK: for (int k = 0; k < n; ++k) { const ::kperf::ConvergentScope {{.*}}"pass"
  for (int k = 0; k < n; ++k) { KPERF_SCOPE("pass"); p[i] += k; }
  // CHECK: const ::kperf::ConvergentScope {{.*}}"left within"
  { KPERF_SCOPE("left within");
    // CHECK: stays(!static_cast<bool>(p[i] > 3)
    if (p[i] > 3) return;
    p[i] += 1;
  }
}

// CHECK: void guarded({{.*}}Kernel<::kperf::MaxConvergent<~0u>, ::kperf::Narrows> kperf_kernel
__global__ void guarded(float *p, int n) {
  const int i = threadIdx.x;
  // CHECK: { const ::kperf::Reconvergence kperf_reconvergence(kperf_kernel); if (kperf_kernel.stays(static_cast<bool>(i < n))) {
  if (i < n) {
    // A loop that all who came into the branch leave together.
    // CHECK: for (int k = 0; k < n; ++k) { const ::kperf::ConvergentScope {{.*}}"in a branch"
    for (int k = 0; k < n; ++k) { KPERF_SCOPE("in a branch"); p[i] += k; }
  // CHECK: } }
  }
  __syncthreads();
  // CHECK: { const ::kperf::ConvergentScope {{.*}}"behind"
  { KPERF_SCOPE("behind"); p[i] += 1; }
}

// CHECK: void strides(
__global__ void strides(float *p, int n) {
  // CHECK: { const ::kperf::Reconvergence kperf_reconvergence(kperf_kernel);
  // CHECK-NEXT: #pragma unroll 4
  #pragma unroll 4
  // CHECK: for ({{.*}}kperf_kernel.stays(static_cast<bool>(i < n)); i += blockDim.x) { const ::kperf::ConvergentScope {{.*}}"element"
  for (int i = threadIdx.x; i < n; i += blockDim.x) { KPERF_SCOPE("element"); p[i] *= 2; }
  int left = threadIdx.x;
  // CHECK: while (kperf_kernel.stays(static_cast<bool>(left > 0))) { const ::kperf::ConvergentScope {{.*}}"while"
  while (left > 0) { KPERF_SCOPE("while"); --left; }
  // CHECK: do { const ::kperf::ConvergentScope {{.*}}"do"
  // CHECK-SAME: while (kperf_kernel.stays(static_cast<bool>(++left < n)));
  do { KPERF_SCOPE("do"); p[left] += 1; } while (++left < n);
}

#define COUNT 100
#define AT_LEAST(a, b) ((a) < (b) ? (b) : (a))
// CHECK: void inLoops(
__global__ void inLoops(float *p, int n) {
  const int i = threadIdx.x;
  // CHECK: for (int j = 0; j < n; ++j) { const ::kperf::Reconvergence {{.*}} if (kperf_kernel.stays(static_cast<bool>(i < COUNT))) for {{.*}}ConvergentScope {{.*}}"in a loop"{{.*}} } }
  for (int j = 0; j < n; ++j) if (i < COUNT) for (int k = 0; k < n; ++k) { KPERF_SCOPE("in a loop"); p[i] += k; }
  // CHECK: stays(static_cast<bool>(COUNT > i)); {{.*}}ConvergentScope {{.*}}"macro first"
  for (int k = i; COUNT > i; ++k) { KPERF_SCOPE("macro first"); p[i] += k; }
  // CHECK: stays(static_cast<bool>(i < AT_LEAST(n, 5))); {{.*}}ConvergentScope {{.*}}"macro last"
  for (int k = i; i < AT_LEAST(n, 5); ++k) { KPERF_SCOPE("macro last"); p[i] += k; }
}

// A variable of outside that they change is not the same in all lanes behind it.
// CHECK: void outlives(
__global__ void outlives(float *p, int n) {
  int mine = 0;
  // CHECK: for ({{.*}}k < n; ++k) { const ::kperf::ConvergentScope {{.*}}"changes"{{.*}} } }
  if (threadIdx.x < n)
    for (int k = 0; k < n; ++k) { KPERF_SCOPE("changes"); mine = n; }
  // CHECK: kperf_kernel.stays({{.*}}kperf_kernel.stays({{.*}}"both"{{.*}} } } }
  if (threadIdx.x < n) for (int k = threadIdx.x; k < n; ++k) { KPERF_SCOPE("both"); mine = n; }
  // CHECK: kperf_kernel.stays(static_cast<bool>(j < mine))
  for (int j = 0; j < mine; ++j) { KPERF_SCOPE("by another length"); p[j] += 1; }
}

// What can't be waited for behind: lanes do not all come there, or come one after another.
// CHECK: void others(
// CHECK-NOT: stays
__device__ bool takes(int *lock) { return atomicCAS(lock, 0, 1) == 0; }
__global__ void others(float *p, int *lock, int n) {
  const int i = threadIdx.x;
  // CHECK: DivergentScope {{.*}}"left by a break"
  for (int k = 0; k < n; ++k) { if (p[i] > k) break; KPERF_SCOPE("left by a break"); p[i] += k; }
  // CHECK: DivergentScope {{.*}}"lock"
  while (atomicCAS(lock, 0, 1) != 0) { KPERF_SCOPE("lock"); p[i] += 1; }
  // CHECK: DivergentScope {{.*}}"lock by a flag"
  for (bool mine = false; !mine;) { KPERF_SCOPE("lock by a flag"); if (atomicCAS(lock, 0, 1) == 0) mine = true; }
  // CHECK: DivergentScope {{.*}}"lock by a function"
  for (bool mine = false; !mine;) { KPERF_SCOPE("lock by a function"); mine = takes(lock); }
  // CHECK: DivergentScope {{.*}}"lock by assembly"
  for (int old = 1; old != 0;) { KPERF_SCOPE("lock by assembly"); asm volatile("atom.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock)); }
  // CHECK: DivergentScope {{.*}}"awaited"
  if (i < n) { for (int k = 0; k < n; ++k) { KPERF_SCOPE("awaited"); while (*static_cast<volatile int *>(lock)) {} } }
  // CHECK: DivergentScope {{.*}}"no loop"
  if (i < n) { KPERF_SCOPE("no loop"); p[i] += 1; }
  // CHECK: DivergentScope {{.*}}"one of two"
  if (i < n) { for (int k = 0; k < n; ++k) { KPERF_SCOPE("one of two"); p[i] += k; } } else p[i] = 0;
  // CHECK: FirstScope {{.*}}"first lane"
  if (i % 32 == 0) for (int k = 0; k < n; ++k) { KPERF_SCOPE("first lane"); p[i] += k; }
  // CHECK: DivergentScope {{.*}}"returned from"
  if (i < n) for (int k = 0; k < n; ++k) { KPERF_SCOPE("returned from"); if (p[i] == k) return; }
  // CHECK: DivergentScope {{.*}}"behind that"
  { KPERF_SCOPE("behind that"); p[i] += 1; }
}

#define LEAVE_UNLESS(condition) if (!(condition)) return
// CHECK: void byMacro(
// CHECK: DivergentScope {{.*}}"behind a macro"
__global__ void byMacro(float *p, int n) {
  LEAVE_UNLESS(threadIdx.x < n && p[0] > 0);
  { KPERF_SCOPE("behind a macro"); p[0] += 1; }
}

// Some lanes leave and others go on: not the whole warp, whose sums lie in all lanes, whose frames take them all, and of which a record of two
// regions says nothing else.
// CHECK: void frames({{.*}}::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::Narrows>
__global__ void frames(float *p, int n) {
  if (threadIdx.x >= n) return;
  for (int k = 0; k < n; ++k) {
    { KPERF_SCOPE("one"); p[k] += 1; }
    // CHECK-NOT: ConvergentScopes
    // CHECK: ConvergentScope {{.*}}"two"
    { KPERF_SCOPE("two"); p[k] += 2; }
  }
}
