// KPERF_SCOPE becomes an object that lives to the end of the block; the macro itself stays.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
__global__ void copy(float *out, const float *in, int n) {
  KPERF_SCOPE("all of it");
  for (int i = 0; i < n; ++i) {
    KPERF_SCOPE("element");
    if (in[i] < 0)
      continue;
    out[i] = in[i];
  }
  { KPERF_SCOPE("tail"); out[n] = 0; }
}
//--- check.txt
CHECK: __global__ void copy(float *out, const float *in, int n) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel([[KERNEL:0x[0-9a-f]+u]]);
CHECK-NEXT: {{^}}  const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_3_3({{(kperf_kernel, )?}}[[ALL:0x[0-9a-f]+u]]); KPERF_SCOPE("all of it");
CHECK-NEXT: for (int i = 0; i < n; ++i) {
CHECK-NEXT: {{^}}    const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_5_5({{(kperf_kernel, )?}}[[ELEMENT:0x[0-9a-f]+u]]); KPERF_SCOPE("element");
CHECK: { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_10_5({{(kperf_kernel, )?}}[[TAIL:0x[0-9a-f]+u]]); KPERF_SCOPE("tail"); out[n] = 0; }
CHECK-NEXT: }
CHECK-NEXT: KPERF_REGIONS({
CHECK-SAME: [[KERNEL]], 0u, "copy", "copy", "{{.*}}in.cu", "__global__ void copy(float *out, const float *in, int n) {", 2u, 17u, 11u, 0u},
CHECK-NEXT: {[[ALL]], 1u, "all of it", "copy", "{{.*}}in.cu", "  KPERF_SCOPE(\"all of it\");", 3u, 3u, 11u, 0u},
CHECK-NEXT: {[[ELEMENT]], 1u, "element", "copy", "{{.*}}in.cu", "    KPERF_SCOPE(\"element\");", 5u, 5u, 9u, 0u},
CHECK-NEXT: {[[TAIL]], 1u, "tail", "copy", "{{.*}}in.cu", "  { KPERF_SCOPE(\"tail\"); out[n] = 0; }", 10u, 5u, 10u, 0u})
CHECK-NOT: {{.}}
