// An annotation outside of device code is an error at the annotation, with exit code 2 and nothing written.
// RUN: split-file %s %t
// RUN: not kperf-rewrite %t/in.cu -o %t/out.cu 2>&1 | FileCheck %t/check.txt
// RUN: not ls %t/out.cu
// RUN: sh -c 'kperf-rewrite %t/in.cu -o - 2>%t/err; echo exit $?' | FileCheck %t/exit.txt

//--- in.cu
#include <kperf/annotate.h>
KPERF_SCOPE("namespace");
struct S {
  KPERF_MARK("class");
  int x;
};
void host() { KPERF_SCOPE("host"); }
void hostLambda() {
  auto l = [] { KPERF_MARK("lambda"); };
  l();
}
#pragma kperf region("global")
__device__ constexpr int square(int x) { KPERF_SCOPE("constexpr"); return x * x; }
void hostPragma(int n) {
#pragma kperf region("host pragma")
  ++n;
}
__global__ void k(int n) {
  n += 1
#pragma kperf region("expression")
    + 2;
  if (n) {
    n = 3;
#pragma kperf region("last")
  }
  n = sizeof(KPERF_MARK("operand") n);
}
//--- check.txt
CHECK-DAG: in.cu:2:1: error: KPERF_SCOPE stands outside of a function: move it into a __global__ or __device__ function
CHECK-DAG: in.cu:4:3: error: KPERF_MARK stands outside of a function: move it into a __global__ or __device__ function
CHECK-DAG: in.cu:7:15: error: 'host' is a host function: regions are recorded in __global__ and __device__ functions
CHECK-DAG: in.cu:9:17: error: 'hostLambda::(lambda)' is a host function: regions are recorded in __global__ and __device__ functions
CHECK-DAG: in.cu:12:1: error: #pragma kperf region stands outside of a function: move it into a __global__ or __device__ function
CHECK-DAG: in.cu:13:42: error: 'square' is constexpr and may run at compile time, where no probe can: drop constexpr, or annotate its caller
CHECK-DAG: in.cu:15:1: error: 'hostPragma' is a host function: regions are recorded in __global__ and __device__ functions
CHECK-DAG: in.cu:20:1: error: no statement follows #pragma kperf region in its block
CHECK-DAG: in.cu:24:1: error: no statement follows #pragma kperf region in its block
CHECK-DAG: in.cu:26:14: error: this annotation stands where no statement can: put it between statements of a __global__ or __device__ function
//--- exit.txt
CHECK-NOT: {{.}}
CHECK: exit 2
CHECK-NOT: {{.}}
