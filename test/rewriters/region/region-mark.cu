// KPERF_MARK becomes a call with its payload; where one statement is expected, both go into braces.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
#define TILE 16
__device__ int next(int a, int b) { return a + b; }
__global__ void tiles(int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_MARK("tile", k);
    KPERF_MARK("two", next(k,
                           TILE));
  }
  if (n > 1) KPERF_MARK("many"); else KPERF_MARK("few", n);
  for (int k = 0; k < n; ++k)
    KPERF_MARK("loop");
  switch (n) {
  case 1: KPERF_MARK("one"); break;
  default: KPERF_MARK("other");
  }
}
//--- check.txt
CHECK: {{^}}    {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u, (k)); KPERF_MARK("tile", k);
CHECK-NEXT: {{^}}    {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u, (next(k, TILE))); KPERF_MARK("two", next(k,
CHECK-NEXT: TILE));
CHECK: if (n > 1) { {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u); KPERF_MARK("many"); } else { {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u, (n)); KPERF_MARK("few", n); }
CHECK: {{^}}    { {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u); KPERF_MARK("loop"); }
CHECK: case 1: {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u); KPERF_MARK("one"); break;
CHECK-NEXT: default: {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u); KPERF_MARK("other");
CHECK: 3u, "two", "tiles", "{{.*}}in.cu", "    KPERF_MARK(\"two\", next(k,", 7u, 5u, 7u, 0u}
