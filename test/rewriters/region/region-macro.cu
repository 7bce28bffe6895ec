// An annotation in a macro is edited where the macro is used, or else where it is spelled.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
#define TIMED(n) KPERF_SCOPE("my " n)
#define PASS(...) __VA_ARGS__
#define LATER(x) x += 1; KPERF_MARK("later"); x += 2
#define KERNEL(name) __global__ void name(float *p)
KERNEL(k) {
  TIMED("scope");
  PASS(p[0] = 1; KPERF_MARK("argument", p[0]); p[1] = 2;)
  LATER(p[2]);
  LATER(p[3]);
}
//--- check.txt
CHECK: #define TIMED(n) KPERF_SCOPE("my " n)
CHECK: #define LATER(x) x += 1; {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u); KPERF_MARK("later"); x += 2
CHECK: KERNEL(k) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u);
CHECK-NEXT: {{^}}  const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_7_3({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); TIMED("scope");
CHECK-NEXT: {{^}}  PASS(p[0] = 1; {{(::kperf::m|kperf_kernel\.(m|splitM))}}ark(0x{{[0-9a-f]+}}u, (p[0])); KPERF_MARK("argument", p[0]); p[1] = 2;)
CHECK-NEXT: {{^}}  LATER(p[2]);
CHECK-NEXT: {{^}}  LATER(p[3]);
CHECK: 1u, "my scope", "k", "{{.*}}in.cu", "  TIMED(\"scope\");", 7u, 3u, 11u, 0u}
