// ptxas keeps an array that is indexed by a variable in registers, as long as nothing that a kernel stores to by a generic address can be it:
// with the probes of a kernel it does so as without (gatings of mixtures of experts have such arrays).
// REQUIRES: nvcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: nvcc -O3 %sm90a -I%kperf_include -Xptxas -v -cubin %s -o plain.cubin 2>&1 | FileCheck %s
// RUN: kperf-cc --no-compare nvcc -O3 %sm90a -Xptxas -v -cubin %s -o regions.cubin 2>&1 | FileCheck %s
// RUN: kperf-cc --no-compare '--aggregate=*' nvcc -O3 %sm90a -Xptxas -v -cubin %s -o sums.cubin 2>&1 | FileCheck %s
// RUN: kperf-cc --no-compare nvcc -O3 %sm90a -DKPERF_SHARED_BUFFER=16 -Xptxas -v -cubin %s -o shared.cubin 2>&1 | FileCheck %s
// RUN: kperf-cc nvcc -O3 %sm90a -Xptxas -v -cubin %s -o both.cubin 2>&1 | FileCheck %s
// CHECK: Compiling entry function '_Z4best
// CHECK-NEXT: Function properties
// CHECK-NEXT: 0 bytes stack frame
#include <kperf/annotate.h>

__global__ void best(const float *in, int *out, int count) {
  float values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = in[threadIdx.x * 8 + i];
  for (int round = 0; round < count; ++round) {
    KPERF_BEGIN("best");
    int at = 0;
#pragma unroll
    for (int i = 1; i < 8; ++i)
      at = values[i] > values[0] ? i : at;
    KPERF_END("best");
    out[round * blockDim.x + threadIdx.x] = at;
    values[(at + round) % 8] = -1e9f;
  }
}
