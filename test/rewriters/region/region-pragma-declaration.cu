// A declaration stays visible behind its region: it is timed as a range, without braces.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
__device__ float work(int x) { return x; }
__global__ void k(float *p) {
#pragma kperf region("work")
  float x = work(1);
  p[0] = x;
}
//--- check.txt
CHECK: //#pragma kperf region("work")
CHECK-NEXT: {{^}}  ::kperf::ConvergentRange [[R:kperf_range_[0-9_]+]]; [[R]].begin(kperf_kernel, [[ID:0x[0-9a-f]+u]]); float x = work(1); [[R]].end(kperf_kernel, [[ID]]);
CHECK-NEXT: {{^}}  p[0] = x;
CHECK: {[[ID]], 2u, "work", "k",
