// A declaration stays visible behind its region: it is timed as a range, without braces. Where it is all of a branch, nothing could see it.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-rewrite %t/in.cu --list-regions | FileCheck %t/list.txt

//--- in.cu
__device__ float work(int x) { return x; }
__global__ void k(float *p) {
#pragma kperf region("work")
  float x = work(1);
  p[0] = x;
}
__global__ void branches(float *p, int n) {
  if (n)
#pragma kperf region("branch")
    float y = p[1] = work(2);
}
__global__ void cases(float *p, int n) {
  switch (n) {
#pragma kperf region("case")
  case 1: float z = work(3); p[2] = z;
  }
}
//--- check.txt
CHECK: //#pragma kperf region("work")
CHECK-NEXT: {{^}}  ::kperf::ConvergentRange [[R:kperf_range_[0-9_]+]]; [[R]].begin(kperf_kernel, [[ID:0x[0-9a-f]+u]]); float x = work(1); [[R]].end(kperf_kernel, [[ID]]);
CHECK-NEXT: {{^}}  p[0] = x;
CHECK: //#pragma kperf region("branch")
CHECK-NEXT: {{^}}    { const ::kperf::{{(Convergent|Divergent)}}Scope {{.*}}; float y = p[1] = work(2); }{{$}}
CHECK: //#pragma kperf region("case")
CHECK-NEXT: {{^}}  case 1: ::kperf::{{(Convergent|Divergent)}}Range {{.*}}; float z = work(3); {{.*}}.end({{.*}}); p[2] = z;
CHECK: {[[ID]], 2u, "work", "k",
//--- list.txt
CHECK: in.cu:3:1: pragma "work" in k, a range: what it declares stays visible
CHECK: in.cu:9:1: pragma "branch" in branches{{$}}
CHECK: in.cu:14:1: pragma "case" in cases, a range: what it declares stays visible
