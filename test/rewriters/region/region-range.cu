// KPERF_BEGIN and KPERF_END of one name and function share an id, wherever they stand and however they overlap.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
__global__ void pipeline(float *p, int n) {
  KPERF_BEGIN("load");
  for (int k = 0; k < n; ++k) {
    KPERF_END("load");
    KPERF_BEGIN("mma");
    if (k + 1 < n) KPERF_BEGIN("load");
    p[k] += 1;
    KPERF_END("mma");
  }
}
__global__ void other(float *p) {
  KPERF_BEGIN("load");
  p[0] = 1;
  KPERF_END("load");
}
//--- check.txt
CHECK: {{^}}  {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[LOAD:0x[0-9a-f]+u]]); KPERF_BEGIN("load");
CHECK: {{^}}    {{(::kperf::e|kperf_kernel\.(e|splitE))}}nd([[LOAD]]); KPERF_END("load");
CHECK-NEXT: {{^}}    ::kperf::ConvergentRange [[M:kperf_range_[0-9_]+]]; [[M]].begin(kperf_kernel, [[MMA:0x[0-9a-f]+u]]); KPERF_BEGIN("mma");
CHECK-NEXT: if (k + 1 < n) { {{(::kperf::b|kperf_kernel\.(b|splitB))}}egin([[LOAD]]); KPERF_BEGIN("load"); }
CHECK: {{^}}    [[M]].end(kperf_kernel, [[MMA]]); KPERF_END("mma");
// on some paths "load" is still open here, on others not: nothing to add
CHECK-NEXT: {{^  }$}}
CHECK-NEXT: {{^}$}}
CHECK: {{^}}  ::kperf::ConvergentRange [[R:kperf_range_[0-9_]+]]; [[R]].begin(kperf_kernel, [[OTHER:0x[0-9a-f]+u]]); KPERF_BEGIN("load");
CHECK: [[R]].end(kperf_kernel, [[OTHER]]); KPERF_END("load");
CHECK: {[[LOAD]], 2u, "load", "pipeline", "{{.*}}in.cu", "  KPERF_BEGIN(\"load\");", 3u, 3u, 5u, 0u}
CHECK: {[[MMA]], 2u, "mma", "pipeline", "{{.*}}in.cu", "    KPERF_BEGIN(\"mma\");", 6u, 5u, 9u, 0u}
CHECK: {[[OTHER]], 2u, "load", "other",
