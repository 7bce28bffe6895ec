// --aggregate: regions that a whole warp takes alike are summed up, each in the one around it; the others are recorded.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite --aggregate=step,inner,odd in.cu -o - | FileCheck in.cu
// RUN: kperf-rewrite --aggregate=open in.cu -o - | FileCheck %s --check-prefix=RANGE
// RUN: kperf-rewrite --aggregate='/^wo/' --list-regions in.cu | FileCheck %s --check-prefix=LIST
// RUN: kperf-rewrite --aggregate=step,inner,odd --extremes in.cu -o - | FileCheck %s --check-prefix=EXTREMES
// RUN: kperf-rewrite --aggregate=none in.cu -o none.cu && kperf-rewrite --aggregate=none --extremes in.cu -o - | cmp - none.cu
// RUN: kperf-rewrite --aggregate=step,inner,odd --histogram in.cu -o - | FileCheck %s --check-prefix=HISTOGRAM
// RUN: kperf-rewrite --aggregate=step,inner,odd --histogram --extremes in.cu -o - | FileCheck %s --check-prefix=BOTH
// RUN: kperf-rewrite --aggregate=none --histogram in.cu -o - | cmp - none.cu
// RUN: not kperf-rewrite --histogram in.cu -o - 2>&1 | FileCheck %s --check-prefix=ALONE-TOO
// RUN: not kperf-rewrite --extremes in.cu -o - 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not kperf-rewrite --aggregate='[' in.cu -o - 2>&1 | FileCheck %s --check-prefix=WRONG

// LIST: scope "called" in called{{$}}
// LIST: kernel "work" in work{{$}}
// LIST: scope "all" in work, summed up
// LIST: scope "step" in work, summed up
// LIST: pragma "inner" in work, summed up
// LIST: scope "odd" in work{{$}}
// LIST: range "open" in work, summed up
// RANGE: ::kperf::SumRange<0u> [[R:kperf_range_[0-9_]+]]; [[R]].begin(kperf_kernel, [[ID:0x[0-9a-f]+u]]); KPERF_BEGIN("open");
// RANGE: [[R]].end(kperf_kernel, [[ID]]); KPERF_END("open");
// EXTREMES: work(float *p, int n) { ::kperf::Kernel<{{[^(]*}}::kperf::SummedRegions<2u>, ::kperf::IsCalled, ::kperf::HasExtremes> kperf_kernel(
// HISTOGRAM: work(float *p, int n) { ::kperf::Kernel<{{[^(]*}}::kperf::SummedRegions<2u>, ::kperf::IsCalled, ::kperf::HasHistogram> kperf_kernel(
// BOTH: work(float *p, int n) { ::kperf::Kernel<{{[^(]*}}::kperf::SummedRegions<2u>, ::kperf::IsCalled, ::kperf::HasExtremes, ::kperf::HasHistogram> kperf_kernel(
// ALONE-TOO: error: --histogram adds to what --aggregate keeps: give --aggregate=NAME too
// ALONE: error: --extremes adds to what --aggregate keeps: give --aggregate=NAME too
// WRONG: error: --aggregate: {{.*}}'['

// Two regions of one statement: the first is around the second, and what is in both is in the second.
// RUN: kperf-rewrite --aggregate=* twice.cu -o - | FileCheck twice.cu

//--- twice.cu
#include <kperf/annotate.h>
// CHECK: kperf_kernel.name<0u, 3u>([[BODY:0x[0-9a-f]+u]]); kperf_kernel.name<1u, 0u>([[FIRST:0x[0-9a-f]+u]]); kperf_kernel.name<2u, 2u>([[SECOND:0x[0-9a-f]+u]]);
__global__ void twice(float *p, int n) {
  // CHECK: Sum<1u>(), [[FIRST]]){{.*}}Sum<2u>(), [[SECOND]]){{.*}}Sum<0u>(), [[BODY]])
#pragma kperf region("first")
#pragma kperf region("second")
  for (int i = 0; i < n; ++i) { KPERF_SCOPE("body"); p[i] = 1; }
}
// Of two of which neither is inside of the other one is recorded: the sums could not say how long they took together.
// RUN: kperf-rewrite --aggregate=* crossing.cu -o - | FileCheck crossing.cu

//--- crossing.cu
#include <kperf/annotate.h>
__global__ void crossing(float *p) {
  // CHECK: ::kperf::SumRange<{{.*}}KPERF_BEGIN("one");
  KPERF_BEGIN("one");
  // CHECK: ::kperf::ConvergentRange {{.*}}KPERF_BEGIN("two");
  KPERF_BEGIN("two");
  p[0] = 1;
  KPERF_END("one");
  p[0] = 2;
  KPERF_END("two");
  {
    // CHECK: ::kperf::ConvergentRange {{.*}}KPERF_BEGIN("until a scope");
    KPERF_BEGIN("until a scope");
    // CHECK: ::kperf::SumScope
    KPERF_SCOPE("scope");
    p[0] = 3;
    KPERF_END("until a scope");
    p[0] = 4;
  }
}
// So with lines that hold a scope's beginning, but not its end.
// RUN: kperf-rewrite --aggregate=* --select=lines.yaml lines.cu -o - | FileCheck lines.cu

//--- lines.yaml
rules:
  - lines: 5-8
//--- lines.cu
#include <kperf/annotate.h>
__global__ void lines(float *p) {
  // CHECK: ::kperf::ConvergentRange [[R:kperf_range_[0-9_]+]]; [[R]].begin({{.*}}int one = 1;
  // CHECK-NEXT: ::kperf::SumScope {{.*}}KPERF_SCOPE("rest");
  int one = 1;
  KPERF_SCOPE("rest");
  // CHECK: int two = one; [[R]].end(
  int two = one;
  p[0] = two;
}
//--- in.cu
#include <kperf/annotate.h>
__device__ void called() { KPERF_SCOPE("called"); }
// CHECK: work(float *p, int n) { ::kperf::Kernel<{{[^(]*}}::kperf::SummedRegions<2u>, ::kperf::IsCalled> kperf_kernel({{.*}}); kperf_kernel.name<0u, 0u>([[STEP:0x[0-9a-f]+u]]); kperf_kernel.name<1u, 1u>([[INNER:0x[0-9a-f]+u]]);
__global__ void work(float *p, int n) {
  // CHECK: ::kperf::ConvergentScope {{.*}}KPERF_SCOPE("all");
  KPERF_SCOPE("all");
  for (int i = 0; i < n; ++i) {
    // CHECK: const ::kperf::SumScope kperf_scope_[[#]]_5(kperf_kernel, ::kperf::Sum<0u>(), [[STEP]]); KPERF_SCOPE("step");
    KPERF_SCOPE("step");
    // CHECK: { const ::kperf::SumScope kperf_scope_[[#]]_1(kperf_kernel, ::kperf::Sum<1u>(), [[INNER]]); p[i] = 1; }
#pragma kperf region("inner")
    p[i] = 1;
  }
  // CHECK: ::kperf::DivergentScope {{.*}}KPERF_SCOPE("odd");
  if (threadIdx.x & 1) { KPERF_SCOPE("odd"); p[0] = 2; }
  KPERF_BEGIN("open");
  called();
  KPERF_END("open");
}
