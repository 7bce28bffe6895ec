// --auto=kernels and --auto=functions time whole bodies.
// RUN: split-file %s %t
// RUN: kperf-rewrite --auto=kernels,functions %t/in.cu -o - | FileCheck %t/both.txt
// RUN: kperf-rewrite --auto=kernels %t/in.cu -o - | FileCheck %t/kernels.txt --implicit-check-not=kperf_scope_2

//--- in.cu
struct Tile { float *p; __device__ Tile(float *q, int n) : p(q) { for (int i = 0; i < n; ++i) p[i] = 0; } };
template <class T> __device__ T fill(T *p, int n) { for (int i = 0; i < n; ++i) p[i] = 1; return p[0]; }
template <class T> __global__ void k(T *p, int n) {
  if (n == 0) return;
  Tile tile(p, n);
  p[0] = fill(p, n);
}
//--- both.txt
CHECK: : p(q) { const ::kperf::Scope kperf_scope_1_36(0x{{[0-9a-f]+}}u); for (
CHECK-NEXT: fill(T *p, int n) { const ::kperf::Scope kperf_scope_2_33(0x{{[0-9a-f]+}}u); for (
CHECK-NEXT: __global__ void k(T *p, int n) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u, __PRETTY_FUNCTION__); const ::kperf::ConvergentScope kperf_scope_3_36(kperf_kernel, 0x{{[0-9a-f]+}}u);{{$}}
CHECK: 5u, "Tile:1", "Tile::Tile",
CHECK: 5u, "fill:2", "fill",
CHECK: 0u, "k", "k",
CHECK: 5u, "k:3", "k", {{.*}} 3u, 36u, 7u, 0u}
//--- kernels.txt
CHECK: k(T *p, int n) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u, __PRETTY_FUNCTION__); const ::kperf::ConvergentScope kperf_scope_3_36(kperf_kernel,
