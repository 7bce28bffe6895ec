// Host target: inline PTX is an error of the compiler where code is made of it, with its place and what to do; assembly for the CPU is none.
// REQUIRES: g++
// RUN: split-file %s %t && cd %t
// RUN: not kperf-cc --compiler=g++ host in.cu -o gcc 2> said && FileCheck in.cu < said --implicit-check-not=error:
// RUN: not kperf-cc --compiler=clang++ host in.cu -o clang 2>&1 | FileCheck in.cu
// RUN: kperf-cc --strict --probes=memory host -DKPERF_TEST_FINE in.cu -o fine && ./fine
// RUN: kperf-rewrite --target=host macro.cu -o macro.kperf.cu 2>&1 | FileCheck macro.cu

//--- in.cu
#define BARRIER(n) asm volatile("bar.sync %0, 64;" ::"n"(n))
__device__ inline void unused() { asm volatile("bar.sync 2, 64;"); }
template <class T> __device__ T approximate(T x) {
  T y;
  asm("{ .reg .f32 t; @p ex2.approx.f32 %0, %1; }" : "=r"(y) : "r"(x));
  return y;
}
__global__ void kernel(int *o) {
  asm volatile("" ::: "memory");
  asm volatile("nop; # a.b");
#ifndef KPERF_TEST_FINE
  // CHECK-DAG: in.cu:[[@LINE+2]]:{{[0-9]+}}: error: call to {{.*}}inlinePtx{{.*}}: inline PTX is not supported on kperf's host target; guard it by #ifndef KPERF_HOST_TARGET
  if (o[0] == 0)
    asm volatile("bar.sync 1, 64;");
  else
    o[1] = 1;
  // CHECK-DAG: in.cu:[[@LINE+1]]:{{[0-9]+}}: error: call to {{.*}}inlinePtx
  BARRIER(3);
  // CHECK-DAG: in.cu:5:{{[0-9]+}}: error: call to {{.*}}inlinePtx
  o[2] = approximate(o[3]);
  // CHECK-DAG: in.cu:[[@LINE+1]]:{{[0-9]+}}: error: call to {{.*}}inlinePtx
  [&] { asm volatile("trap;"); }();
#endif
  o[4] = 1;
}
int main() {
  int *o;
  cudaMalloc(&o, 400);
  kernel<<<1, 64>>>(o);
  return cudaDeviceSynchronize();
}
//--- macro.cu
#define ARRIVE(o) do { (o)[0] = 1; asm volatile("bar.arrive 1, 64;"); } while (0)
#define LANE() ({ int x; asm("mov.u32 %0, %%laneid;" : "=r"(x)); x; })
__global__ void kernel(int *o) {
  // CHECK: macro.cu:[[@LINE+1]]:3: warning: inline PTX is not supported on kperf's host target, whose assembler will not know it; put it between
  ARRIVE(o);
  // CHECK: macro.cu:[[@LINE+1]]:10: warning: inline PTX
  o[0] = LANE();
}
