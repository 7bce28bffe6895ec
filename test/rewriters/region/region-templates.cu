// A template is edited once, however many instantiations there are, and also when there is none.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt --implicit-check-not=::kperf::

//--- in.cu
#include <kperf/annotate.h>
template <class T> __device__ T twice(T x) { KPERF_SCOPE("twice"); return x + x; }
template <class T> struct Functor {
  template <int N> __device__ T run(T x) { KPERF_SCOPE("run"); return twice(x) * N; }
};
template <class T, int N> __global__ void k(T *p) {
  KPERF_SCOPE("k");
  p[0] = Functor<T>().template run<N>(p[1]);
}
template <> __global__ void k<double, 7>(double *p) { KPERF_SCOPE("special"); }
template <class T> __global__ void never(T *p) { KPERF_SCOPE("never"); p->whatever(); }
template __global__ void k<int, 3>(int *);
void host() {
  k<float, 1><<<1, 1>>>(nullptr);
  k<float, 2><<<1, 1>>>(nullptr);
  k<double, 1><<<1, 1>>>(nullptr);
}
//--- check.txt
CHECK: T twice(T x) { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_2_46({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); KPERF_SCOPE("twice");
CHECK: T run(T x) { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_4_44({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); KPERF_SCOPE("run");
CHECK: void k(T *p) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u, __PRETTY_FUNCTION__);
CHECK-NEXT: const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_7_3({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); KPERF_SCOPE("k");
CHECK: void k<double, 7>(double *p) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u); const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_10_55({{(kperf_kernel, )?}}
CHECK: void never(T *p) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u, __PRETTY_FUNCTION__); const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_11_50({{(kperf_kernel, )?}}
CHECK: 0u, "k", "k",
CHECK: 0u, "k<double, 7>", "k<double, 7>",
CHECK: 0u, "never", "never",
