// A macro's definition may be used in kernels and in functions, so what stands in it records through neither's own object.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt --implicit-check-not=kperf_kernel.

//--- in.cu
#include <kperf/annotate.h>
#define SCOPED(x) { x += 1; KPERF_SCOPE("scope"); x += 2; }
#define MARKED(x) x += 1; KPERF_MARK("mark")
#define RANGED(x) x += 1; KPERF_BEGIN("range"); x += 2; KPERF_END("range")
__device__ void f(float x) {
  SCOPED(x)
  MARKED(x);
  RANGED(x);
}
__global__ void k(float x) {
  SCOPED(x)
  SCOPED(x)
  MARKED(x);
  RANGED(x);
  KPERF_SCOPE("own");
  f(x);
}
//--- check.txt
CHECK: #define SCOPED(x) { x += 1; const ::kperf::Scope kperf_scope_2_29(0x{{[0-9a-f]+}}u); KPERF_SCOPE("scope"); x += 2; }
CHECK-NEXT: #define MARKED(x) x += 1; ::kperf::mark(0x{{[0-9a-f]+}}u); KPERF_MARK("mark")
CHECK-NEXT: #define RANGED(x) x += 1; ::kperf::begin(0x{{[0-9a-f]+}}u); KPERF_BEGIN("range"); x += 2; ::kperf::end(0x{{[0-9a-f]+}}u); KPERF_END("range")
CHECK: const ::kperf::ConvergentScope kperf_scope_15_3(kperf_kernel,
CHECK: 1u, "scope", "f", {{.*}} 2u, 29u, 2u, 0u}
