// What is counted by warpSize is known to be of whole warps and of their first lanes, however many lanes those have; where AMD's may
// have 64, what is counted by 32 is not.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/in.cu --check-prefixes=CHECK,CUDA
// RUN: kperf-rewrite %t/in.cu -o - -- -x hip | FileCheck %t/in.cu --check-prefixes=CHECK,HIP

//--- in.cu
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif
#include <kperf/annotate.h>
__global__ void kernel(float *p, int warpSizes) {
  const int lanes = warpSize, warp = threadIdx.x / lanes;
  // CHECK: const ::kperf::ConvergentScope {{.*}}("a warp");
  if (warp == 1) { KPERF_SCOPE("a warp"); p[0] = 1; }
  // CHECK: const ::kperf::ConvergentScope {{.*}}("the first warp");
  if (threadIdx.x < warpSize) { KPERF_SCOPE("the first warp"); p[0] = 2; }
  // CHECK: const ::kperf::FirstScope {{.*}}("its first lane");
  if (threadIdx.x % warpSize == 0) { KPERF_SCOPE("its first lane"); p[0] = 3; }
  // CUDA: const ::kperf::ConvergentScope {{.*}}("by 32");
  // HIP: const ::kperf::DivergentScope {{.*}}("by 32");
  if (threadIdx.x / 32 == 1) { KPERF_SCOPE("by 32"); p[0] = 4; }
  // CHECK: const ::kperf::DivergentScope {{.*}}("half a warp");
  if (threadIdx.x < warpSize / 2) { KPERF_SCOPE("half a warp"); p[0] = 5; }
  // CHECK: const ::kperf::DivergentScope {{.*}}("another number");
  if (threadIdx.x < warpSizes) { KPERF_SCOPE("another number"); p[0] = 6; }
  // CHECK: const ::kperf::DivergentScope {{.*}}("the second lane");
  if (threadIdx.x % warpSize == 1) { KPERF_SCOPE("the second lane"); p[0] = 7; }
}
