// A name that kperf/annotate.h does not have is not said to be declared there.
// RUN: kperf-rewrite --cuda-path=none %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: use of undeclared identifier 'KPERF_REGION'
// CHECK-NOT: annotate.h
#include <kperf/annotate.h>
__global__ void k(float *p) {
  KPERF_REGION("x");
  p[0] = 1;
}
