// Host target, from HIP's spelling: what HIP's own macros write is left to kperf's header, what the source writes is edited.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host %t/in.hip -o - | FileCheck %t/check.txt
// RUN: not kperf-rewrite --target=host %t/wrapped.hip -o - 2>&1 | FileCheck %t/wrapped.txt

//--- in.hip
#include <hip/hip_runtime.h>
#include <kperf/annotate.h>
#define LAUNCH(k, ...) hipLaunchKernelGGL(k, 1, 32, 0, 0, __VA_ARGS__)
template <class T> __global__ void __launch_bounds__(64) sum(T *p) {
  HIP_DYNAMIC_SHARED(T, tile)
  HIP_DYNAMIC_SHARED(int, more);
  extern __shared__ int last[];
  KPERF_SCOPE("sum");
  tile[0] = more[0] + last[0] + __shfl_down(p[0], 1) + (__ballot(1) >> 32);
}
void run(float *p) {
  hipLaunchKernelGGL(HIP_KERNEL_NAME(sum<float>), dim3(1), dim3(64), 256, nullptr, p);
  hipLaunchKernelGGL(sum, dim3(1), dim3(64), 256, 0, p);
  sum<<<1, 64, 256>>>(p);
  LAUNCH(sum, p);
}
//--- check.txt
      CHECK: #define LAUNCH(k, ...) hipLaunchKernelGGL(k, 1, 32, 0, 0, __VA_ARGS__)
      CHECK: sum(T *p) { ::kperf::Kernel<
 CHECK-NEXT: {{^}}  auto &tile = *reinterpret_cast<T (*)[]>(::kperf::host::dynamicShared());{{$}}
 CHECK-NEXT: {{^}}  auto &more = *reinterpret_cast<int (*)[]>(::kperf::host::dynamicShared());;{{$}}
 CHECK-NEXT: {{^}}  auto &last = *reinterpret_cast<int (*)[]>(::kperf::host::dynamicShared());{{$}}
      CHECK: {{^}}  hipLaunchKernelGGL(HIP_KERNEL_NAME(sum<float>), dim3(1), dim3(64), 256, nullptr, p);
 CHECK-NEXT: {{^}}  hipLaunchKernelGGL(sum, dim3(1), dim3(64), 256, 0, p);
 CHECK-NEXT: {{^}}  ::kperf::host::launch([](auto &&...kperf_a) { sum({{.*}} 1, 64, 256).named("sum<float>")(p);
 CHECK-NEXT: {{^}}  LAUNCH(sum, p);
//--- wrapped.hip
#include <hip/hip_runtime.h>
#define TILES HIP_DYNAMIC_SHARED(float, tile) HIP_DYNAMIC_SHARED(int, more)
__global__ void k(float *p) {
  TILES
  p[0] = tile[0] + more[0];
}
//--- wrapped.txt
CHECK: wrapped.hip:4:3: error: this extern __shared__ array is written by a macro
