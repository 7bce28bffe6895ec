// What can't be edited in a macro is said so; nothing is dropped in silence.
// RUN: split-file %s %t
// RUN: not kperf-rewrite --strict %t/in.cu -o - 2>&1 | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
#define BEHIND(n) p[0] = 1; KPERF_SCOPE(n)
#define BODY(name) __global__ void name() { KPERF_MARK("in a macro"); }
#define LEAVE return
__global__ void k(float *p) {
  BEHIND("x");
}
BODY(b)
__global__ void r(float *p) {
  KPERF_BEGIN("r");
  if (p[0] > 1) LEAVE;
  KPERF_END("r");
}
//--- check.txt
CHECK-DAG: in.cu:6:3: error: this annotation stands inside a macro whose arguments it uses, behind other code of that macro: move it to the macro's beginning or out of the macro
CHECK-DAG: in.cu:11:17: error: a range is open at this return, which a macro writes: put KPERF_END in front of the macro, or use KPERF_SCOPE
CHECK-DAG: in.cu:8:6: error: the body of kernel 'b' is written by a macro: regions need its braces in the source
