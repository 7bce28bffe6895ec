// A file that is read several times with other macros is edited once for each reading: what the macros make of it are other functions.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t && kperf-rewrite in.cu -o out.cu && FileCheck %t/check.txt --input-file=out.cu.overlay/%t/op.inc
// RUN: grep -c '"step"' out.cu | FileCheck %t/count.txt

//--- in.cu
#include <kperf/annotate.h>
#define NAME add
#include "op.inc"
#undef NAME
#define NAME sub
#include "op.inc"
//--- op.inc
__device__ void NAME(int n) {
  KPERF_MARK("step");
#pragma kperf region("loop")
  while (n) --n;
}
//--- check.txt
CHECK: {{^}}  {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u); KPERF_MARK("step");
CHECK-NEXT: {{^}}//#pragma kperf region("loop")
CHECK-NEXT: {{^}}  { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_3_1({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); while (n) --n; }{{$}}
//--- count.txt
CHECK: {{^2$}}
