// A range that is surely open at a return, or where the function ends, is ended there.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
template <class T> __device__ T search(const T *p, int n) {
  if (n == 0) return T();
  KPERF_BEGIN("a");
  KPERF_BEGIN("b"); KPERF_BEGIN("b");
  for (int i = 0; i < n; ++i) {
    if (p[i] > 0)
      return p[i];
    if (p[i] < 0) { return -p[i]; }
  }
  switch (n) {
  case 1: return p[0];
  case 2: KPERF_END("a"); return p[1];
  }
  goto out;
out:
  KPERF_END("b"); KPERF_END("b");
  KPERF_END("a");
  return p[0];
}
__global__ void still_open(float *p) {
  KPERF_BEGIN("c");
  KPERF_END("c");
  KPERF_BEGIN("c");
}
__global__ void endless(float *p) {
  KPERF_BEGIN("d");
  while (true) {
    if (p[0] > 1) break;
    if (p[1] > 1) { KPERF_END("d"); return; }
  }
  if (p[3] > 0) return;
  KPERF_END("d");
}
//--- check.txt
CHECK: if (n == 0) return T();
CHECK-NEXT: {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[A:0x[0-9a-f]+u]]); KPERF_BEGIN("a");
CHECK-NEXT: {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[B:0x[0-9a-f]+u]]); KPERF_BEGIN("b"); {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[B]]); KPERF_BEGIN("b");
CHECK: {{^}}      { {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[A]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); return p[i]; }
CHECK-NEXT: if (p[i] < 0) { {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[A]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); return -p[i]; }
CHECK: case 1: {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[A]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); return p[0];
CHECK-NEXT: case 2: {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[A]]); KPERF_END("a"); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[B]]); return p[1];
CHECK: {{^}}  return p[0];
CHECK: void still_open
CHECK: {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[C:0x[0-9a-f]+u]]); KPERF_BEGIN("c");
CHECK: {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[C]]); KPERF_BEGIN("c");
CHECK-NEXT: {{^}}{{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[C]]); }
CHECK: void endless
CHECK: {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[D:0x[0-9a-f]+u]]); KPERF_BEGIN("d");
CHECK: if (p[0] > 1) break;
CHECK-NEXT: if (p[1] > 1) { {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[D]]); KPERF_END("d"); return; }
CHECK: if (p[3] > 0) { {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[D]]); return; }
CHECK-NEXT: {{^}}  {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[D]]); KPERF_END("d");
CHECK-NEXT: {{^}$}}
