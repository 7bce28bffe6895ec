// A range whose begin and end stand in one block is one record: an object that is declared at the begin remembers the clock. Jumps within
// the range, and returns of lambdas in it, do not matter; what leaves it, or comes in, makes two events of it.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt --check-prefix=HOST

//--- in.cu
#include <kperf/annotate.h>
__global__ void blocks(float *p, int n) {
  KPERF_BEGIN("whole");
  float sum = 0;
  for (int i = 0; i < n; ++i)
    if (i == 7)
      break;
  switch (n) {
  case 1: sum = 1; break;
  default: sum = 2;
  }
  sum += [&] { return p[0]; }();
  KPERF_END("whole");
  p[0] = sum;
  if (threadIdx.x > 3) {
    KPERF_BEGIN("odd"); p[1] = 1; KPERF_END("odd");
  }
  KPERF_BEGIN("twice"); p[2] = 1; KPERF_END("twice");
  KPERF_BEGIN("twice"); p[3] = 1; KPERF_END("twice");
}
__global__ void events(float *p, int n) {
  for (int i = 0; i < n; ++i) {
    KPERF_BEGIN("left");
    if (p[i] > 0)
      continue;
    KPERF_END("left");
    KPERF_BEGIN("nested");
    KPERF_BEGIN("nested");
    KPERF_END("nested");
    KPERF_END("nested");
    KPERF_END("backwards");
    KPERF_BEGIN("backwards");
  }
}
//--- check.txt
CHECK: {{^}}  ::kperf::ConvergentRange [[WHOLE:kperf_range_3_3]]; [[WHOLE]].begin(kperf_kernel, [[ID:0x[0-9a-f]+u]]); KPERF_BEGIN("whole");
CHECK: {{^}}  [[WHOLE]].end(kperf_kernel, [[ID]]); KPERF_END("whole");
CHECK: ::kperf::DivergentRange [[ODD:kperf_range_[0-9_]+]]; [[ODD]].begin(kperf_kernel, [[ID:0x[0-9a-f]+u]]); KPERF_BEGIN("odd"); p[1] = 1; [[ODD]].end(kperf_kernel, [[ID]]);
CHECK: ::kperf::ConvergentRange kperf_range_18_3; kperf_range_18_3.begin(kperf_kernel, [[TWICE:0x[0-9a-f]+u]]); KPERF_BEGIN("twice"); p[2] = 1; kperf_range_18_3.end(kperf_kernel, [[TWICE]]);
CHECK-NEXT: ::kperf::ConvergentRange kperf_range_19_3; kperf_range_19_3.begin(kperf_kernel, [[TWICE]]); KPERF_BEGIN("twice"); p[3] = 1; kperf_range_19_3.end(kperf_kernel, [[TWICE]]);
CHECK-NOT: Range
CHECK: {{[bB]}}egin(0x{{[0-9a-f]+}}u); KPERF_BEGIN("left");
CHECK: {{[eE]}}nd(0x{{[0-9a-f]+}}u); KPERF_END("backwards");
CHECK-NOT: Range
HOST: ::kperf::ConvergentRange
