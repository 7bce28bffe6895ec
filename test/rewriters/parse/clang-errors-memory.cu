// With --probes=memory all device code was to be edited: an error of Clang's in a kernel is one in a function to be edited, and nothing else
// is given as the reason why nothing is recorded.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/pragma.cu -o %t/out.cu 2>&1 | FileCheck %t/pragma.txt
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/host.cu -o %t/out.cu 2>&1 | FileCheck %t/host.txt

//--- pragma.cu
#define UNROLLED #pragma unroll
__global__ void scale(float *p, int n) {
  UNROLLED
  for (int i = 0; i < 8; ++i) p[i * n] = p[i] / n;
}
//--- pragma.txt
CHECK: warning: '{{.*}}pragma.cu': clang found 1 error inside of 'scale', which was to be edited, and the vendor's compiler may not, the first at {{.*}}pragma.cu:3:3: expected expression; a macro can't hold a #pragma in C++, but _Pragma("…")
CHECK-NOT: {{.}}
//--- host.cu
__global__ void k(float *p) { p[1] = p[0]; }
int main() { return __nv_something_new; }
//--- host.txt
CHECK: clang found 1 error outside of the functions that are edited
