// Every KPERF_BEGIN has a KPERF_END of its name in the same function, and it can be reached with the range open.
// RUN: split-file %s %t
// RUN: not kperf-rewrite %t/in.cu -o - 2>&1 | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
__device__ void f() { KPERF_BEGIN("left open"); }
__device__ void g() { KPERF_END("left open"); }
__global__ void k() {
  KPERF_BEGIN("across a lambda");
  [] { KPERF_END("across a lambda"); }();
}
__global__ void backwards() {
  KPERF_END("x");
  KPERF_BEGIN("x");
}
__global__ void mistyped() {
  KPERF_BEGIN("half");
  KPERF_END("half");
  KPERF_END("halve");
}
//--- check.txt
CHECK: in.cu:2:23: error: KPERF_BEGIN("left open") has no KPERF_END of that name in 'f'
CHECK: in.cu:3:23: error: KPERF_END("left open") has no KPERF_BEGIN of that name in 'g'
CHECK: in.cu:5:3: error: KPERF_BEGIN("across a lambda") has no KPERF_END of that name in 'k'
CHECK: in.cu:6:8: error: KPERF_END("across a lambda") has no KPERF_BEGIN of that name in 'k::(lambda)'
CHECK: in.cu:9:3: error: KPERF_END("x") is never reached with that range open
CHECK: in.cu:15:3: error: KPERF_END("halve") has no KPERF_BEGIN of that name in 'mistyped': did you mean "half"?
