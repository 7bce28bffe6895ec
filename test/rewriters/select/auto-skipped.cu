// What can't be timed is left out: the file still builds, one line says how many places and what is wrong with the first, and
// --list-regions says which and why.
// RUN: split-file %s %t
// RUN: kperf-rewrite --auto=kernels,functions,loops --list-regions %t/in.cu 2> %t/said | FileCheck %t/check.txt
// RUN: FileCheck %t/said.txt --input-file %t/said
// RUN: kperf-rewrite --auto=loops %t/nothing.cu -o %t/out.cu 2>&1 | FileCheck %t/one.txt
// RUN: cmp %t/nothing.cu %t/out.cu

//--- in.cu
#define TWO(x) x += 1; for (int q = 0; q < x; ++q) x *= q
#define KERNEL(name, body) __global__ void name(int n, float *p) { body }
#define BODY { for (int i = 0; i < n; ++i) p[i] = 1; }
__device__ constexpr int steps(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += i;
  return s;
}
__global__ void k(int n, float *p) {
  TWO(n);
  if (n > 3) goto inside;
  while (n-- > 0) {
inside:
    p[n] = steps(3);
  }
  p[0] = ({ int t = 0; for (int i = 0; i < n; ++i) t += i; t; });
}
__global__ void macro(int n, float *p) BODY
KERNEL(whole, for (int i = 0; i < n; ++i) p[i] = 1;)
//--- check.txt
     CHECK: kernel "k" in k
CHECK-NEXT: automatic "k:9" in k
CHECK-NEXT: in.cu:4:26: left out "steps:4" in steps: 'steps' is constexpr
CHECK-NEXT: in.cu:6:3: left out "for:6" in steps: 'steps' is constexpr
CHECK-NEXT: in.cu:10:3: left out "for:10" in k: a macro writes it together with other code
CHECK-NEXT: in.cu:12:3: left out "while:12" in k: a jump passes by its begin, to the label at line 13
CHECK-NEXT: in.cu:16:24: left out "for:16" in k: it stands in a statement expression
CHECK-NEXT: in.cu:18:17: left out "macro:18" in macro: the body of its kernel is written by a macro
CHECK-NEXT: in.cu:18:40: left out "for:18" in macro: the body of its kernel is written by a macro
CHECK-NEXT: in.cu:19:1: left out "whole:19" in whole: the body of its kernel is written by a macro
CHECK-NEXT: in.cu:19:1: left out "for:19" in whole: the body of its kernel is written by a macro
 CHECK-NOT: in.cu:
//--- said.txt
CHECK: in.cu': 9 selected places can't be timed, the first, 'steps:4' at {{.*}}in.cu:4:26: 'steps' is constexpr{{.*}}; kperf-rewrite --list-regions, with the same options, names each
CHECK-NOT: warning
//--- nothing.cu
#define BODY { for (int i = 0; i < n; ++i) p[i] = 1; }
__global__ void k(int n, float *p) BODY
//--- one.txt
CHECK: nothing.cu': 1 selected place can't be timed, 'for:2' at {{.*}}nothing.cu:2:36: the body of its kernel is written by a macro
CHECK-NOT: warning
