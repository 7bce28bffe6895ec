// --auto=loops times every loop that is worth it, in kernels and in what they call, each where its own lines are.
// RUN: split-file %s %t
// RUN: kperf-rewrite --auto=loops %t/in.cu -o - | FileCheck %t/check.txt --match-full-lines --strict-whitespace
// RUN: kperf-rewrite --auto=loops --list-regions %t/in.cu | FileCheck %t/list.txt

//--- in.cu
#define EACH(i, n) for (int i = 0; i < n; ++i)
__device__ float sum(const float *p, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += p[i];
  return s;
}
template <class T> __device__ T all(T v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1)
    v += __shfl_xor_sync(~0u, v, o) + __shfl_sync(~0u, v, o);
  return v;
}
__global__ void k(float *p, int n) {
  if (n > 1)
    while (n-- > 0)
      p[n] = 0;
  EACH(i, n) { p[i] = sum(p, i); }
outer:
  do {
    for (int i = 0; i < n; ++i) p[i] += 1;
    p[n] = p[2 * n] + p[3 * n] * p[4 * n] + p[5 * n] * p[6 * n];
  } while (--n);
  p[1] = all(p[1]);
  auto f = [=](int m) { for (int i = 0; i < m; ++i) p[i] *= 2; };
  f(3);
}
void host(int n) { for (int i = 0; i < n; ++i) n += i; }
//--- check.txt
      CHECK:__device__ float sum(const float *p, int n) {
 CHECK-NEXT:  float s = 0;
 CHECK-NEXT:  { const ::kperf::Scope kperf_scope_4_3(0x{{[0-9a-f]+}}u); for (int i = 0; i < n; ++i) s += p[i]; }
      CHECK:template <class T> __device__ T all(T v) { { const ::kperf::Scope kperf_scope_9_3(0x{{[0-9a-f]+}}u); 
 CHECK-NEXT:#pragma unroll
 CHECK-NEXT:  for (int o = 16; o > 0; o >>= 1)
 CHECK-NEXT:    v += __shfl_xor_sync(~0u, v, o) + __shfl_sync(~0u, v, o); }
      CHECK:__global__ void k(float *p, int n) { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u);
 CHECK-NEXT:  if (n > 1)
 CHECK-NEXT:    { const ::kperf::ConvergentScope kperf_scope_15_5(kperf_kernel, 0x{{[0-9a-f]+}}u); while (n-- > 0)
 CHECK-NEXT:      p[n] = 0; }
 CHECK-NEXT:  { const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_17_3({{(kperf_kernel, )?}}0x{{[0-9a-f]+}}u); EACH(i, n) { p[i] = sum(p, i); } }
 CHECK-NEXT:outer:
 CHECK-NEXT:  { const ::kperf::ConvergentScope kperf_scope_19_3(kperf_kernel, 0x{{[0-9a-f]+}}u); do {
 CHECK-NEXT:    { const ::kperf::ConvergentScope kperf_scope_20_5(kperf_kernel, 0x{{[0-9a-f]+}}u); for (int i = 0; i < n; ++i) p[i] += 1; }
 CHECK-NEXT:    p[n] = p[2 * n] + p[3 * n] * p[4 * n] + p[5 * n] * p[6 * n];
 CHECK-NEXT:  } while (--n); }
 CHECK-NEXT:  p[1] = all(p[1]);
 CHECK-NEXT:  auto f = [=](int m) { { const ::kperf::Scope kperf_scope_24_25(0x{{[0-9a-f]+}}u); for (int i = 0; i < m; ++i) p[i] *= 2; } };
      CHECK:void host(int n) { for (int i = 0; i < n; ++i) n += i; }
//--- list.txt
      CHECK: in.cu:4:3: automatic "for:4" in sum
 CHECK-NEXT: in.cu:9:3: automatic "for:9" in all
 CHECK-NEXT: in.cu:13:17: kernel "k" in k
 CHECK-NEXT: in.cu:15:5: automatic "while:15" in k
 CHECK-NEXT: in.cu:17:3: automatic "for:17" in k
 CHECK-NEXT: in.cu:19:3: automatic "do:19" in k
 CHECK-NEXT: in.cu:20:5: automatic "for:20" in k
 CHECK-NEXT: in.cu:24:25: automatic "for:24" in k::(lambda)
  CHECK-NOT: host
