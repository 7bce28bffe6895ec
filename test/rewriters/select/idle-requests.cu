// What is asked for in vain is said in one true sentence.
// RUN: split-file %s %t
// RUN: kperf-rewrite --probes=memory %t/macros.cu -o %t/out.cu 2>&1 | FileCheck %t/macros.txt
// RUN: cmp %t/macros.cu %t/out.cu
// RUN: kperf-rewrite --probes=memory,region --auto=kernels,loops %t/macros.cu -o %t/out.cu 2>&1 | FileCheck %t/both.txt
// RUN: kperf-rewrite --probes=memory --auto=kernels,loops %t/plain.cu -o %t/out.cu 2>&1 | FileCheck %t/automatic.txt
// RUN: kperf-rewrite --probes=memory --select=%t/s.yaml %t/plain.cu -o %t/out.cu 2>&1 | FileCheck %t/selected.txt
// RUN: kperf-rewrite --probes=memory %t/empty.cu -o %t/out.cu 2>&1 | FileCheck %t/empty.txt
// RUN: kperf-rewrite --probes=region,sync --auto=kernels,loops %t/user.cu -o %t/out.cu 2>&1 | FileCheck %t/user.txt
// RUN: kperf-rewrite --probes=region,sync --auto=kernels,loops,barriers %t/small.cu -o %t/out.cu 2>&1 | FileCheck %t/small.txt

Kernels that macros write.
//--- macros.cu
#define KERNEL(name, op) \
  __global__ void name(float *a, const float *b, int n) { \
    for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = a[i] op b[i]; \
  }
KERNEL(add, +)
KERNEL(multiply, *)
//--- macros.txt
CHECK: warning: '{{.*}}macros.cu': none of its memory accesses can be counted, the first at {{.*}}macros.cu:5:1: a macro writes it
CHECK-NOT: {{.}}
//--- both.txt
CHECK: warning: '{{.*}}macros.cu': 4 selected places can't be timed, the first, 'add:5' at {{.*}}macros.cu:5:1: the body of its kernel is written by a macro;
CHECK: warning: '{{.*}}macros.cu': none of its memory accesses can be counted
CHECK-NOT: {{(warning|is to be recorded)}}
//--- plain.cu
#define INC(v) for (int i = 0; i < 8; ++i) v[i] = 1; v[9] = 1
__global__ void k(float *v, int n) { INC(v); for (int i = 0; i < n; ++i) v[i] = v[i] * v[i + 1] + v[i + 3] / (v[i + 2] + 1); }
//--- automatic.txt
CHECK: warning: '{{.*}}plain.cu': --auto has no effect with --probes=memory: add region, the probe of what it selects
CHECK-NOT: {{(warning|is to be recorded)}}
//--- s.yaml
guard: 0

auto: [loops]
//--- selected.txt
CHECK: warning: '{{.*}}plain.cu': 'auto' at {{.*}}s.yaml:3 has no effect with --probes=memory: add region, the probe of what it selects
CHECK-NOT: {{(warning|is to be recorded)}}
//--- empty.cu
__global__ void k(int n) {}
//--- empty.txt
CHECK: kperf-rewrite: nothing in '{{.*}}empty.cu' is to be recorded: its kernels have nothing that --probes=memory records
CHECK-NOT: {{.}}

Waits of a header that is not searched for what --auto times.
//--- kernel.cuh
template <class F> __global__ void each(F f, float *v, int n) {
  for (int i = 0; i < n; ++i) { v[i] = v[i] * v[i + 1] + v[i + 3] / (v[i + 2] + 1); __syncthreads(); f(i); }
}
//--- user.cu
#include "kernel.cuh"
void go(float *v, int n) { each<<<1, 32>>>([=] __device__ (int i) { v[i] = 1; }, v, n); }
//--- user.txt
CHECK: warning: '{{.*}}user.cu': --auto selects nothing in it: its kernels are in headers, which are searched where a file for --select, given beside --auto, says headers: ["*/kernel.cuh"]
CHECK-NOT: warning
//--- small.cu
#include "kernel.cuh"
__device__ void few(float *v) { for (int i = 0; i < 8; ++i) v[i] = 0; }
void go(float *v, int n) { each<<<1, 32>>>([=] __device__ (int i) { few(v); }, v, n); }
//--- small.txt
CHECK: --auto selects nothing in it: 1 place of its kind is too small, see --auto-guard; and its kernels are in headers
