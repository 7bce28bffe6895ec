// What does less than the guard is left alone, unless asked; constants say how often a loop runs.
// RUN: split-file %s %t
// RUN: kperf-rewrite --auto=loops,functions --list-regions %t/in.cu 2>&1 | FileCheck %t/default.txt
// RUN: kperf-rewrite --auto=loops,functions --auto-guard=0 --list-regions %t/in.cu | FileCheck %t/none.txt
// RUN: not kperf-rewrite --auto=loops --auto-guard=few %t/in.cu 2>&1 | FileCheck %t/wrong.txt
// RUN: not kperf-rewrite --auto=loop %t/in.cu 2>&1 | FileCheck %t/unknown.txt

//--- in.cu
__device__ float twice(float x) { return x + x; }
__device__ float many(float x);
__global__ void k(float *p, int n) {
  for (int i = 0; i < 4; ++i) p[i] = twice(p[i]);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) p[4 * i + j] += 1;
  for (int i = 0; i < 2; ++i) p[i] = many(p[i]);
  for (int i = 0; i < n; ++i) p[i] = 1;
  do { p[0] = 1; } while (0);
}
//--- default.txt
     CHECK: kernel "k"
CHECK-NEXT: automatic "for:5" in k
CHECK-NEXT: automatic "for:7" in k
CHECK-NEXT: automatic "for:8" in k
CHECK-NEXT: in.cu:1:33: left out "twice:1" in twice: too little work to time
CHECK-NEXT: left out "for:4" in k: too little work to time
CHECK-NEXT: left out "for:6" in k: too little work to time
 CHECK-NOT: in.cu:
//--- none.txt
     CHECK: automatic "twice:1" in twice
CHECK-NEXT: kernel "k"
CHECK-NEXT: automatic "for:4"
CHECK-NEXT: automatic "for:5"
CHECK-NEXT: automatic "for:6"
CHECK-NEXT: automatic "for:7"
CHECK-NEXT: automatic "for:8"
 CHECK-NOT: in.cu:
//--- wrong.txt
CHECK: kperf-rewrite: error: --auto-guard takes a number of operations, found 'few'
//--- unknown.txt
CHECK: kperf-rewrite: error: 'loop' is not a kind of code that can be selected as a whole, expected kernels, functions, loops, barriers, async
