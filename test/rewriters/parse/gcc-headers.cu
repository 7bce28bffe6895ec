// Headers that only GCC has, such as <omp.h>, are found as nvcc's host compiler finds them.
// REQUIRES: nvcc
// RUN: split-file %s %t
// RUN: kperf-rewrite --auto=loops --list-regions %t/in.cu -- -Xcompiler -fopenmp | FileCheck %s
// CHECK: automatic "for:3" in k

//--- in.cu
#include <omp.h>
__global__ void k(float *p, int n) {
  for (int i = 0; i < n; ++i) p[i] = 1;
}
int main() { return omp_get_max_threads(); }
