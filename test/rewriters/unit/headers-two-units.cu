// Two translation units make the same copy of a header, also when only one of them makes its kernels' objects needed.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t && kperf-rewrite a.cu -o a.out.cu && kperf-rewrite b.cu -o b.out.cu
// RUN: cmp a.out.cu.overlay/%t/both.h b.out.cu.overlay/%t/both.h
// RUN: FileCheck %t/check.txt --input-file=a.out.cu.overlay/%t/both.h
// RUN: kperf-rewrite a.cu b.cu -o . && cmp overlay/%t/both.h a.out.cu.overlay/%t/both.h

//--- a.cu
#include "both.h"
//--- b.cu
#define SOMETHING 1
#include <cstddef>
#include "both.h"
__device__ void local() { KPERF_SCOPE("local"); }
__global__ void user() { local(); with(); }
//--- both.h
#pragma once
#include <kperf/annotate.h>
__global__ inline void with() { KPERF_SCOPE("with"); }
__global__ inline void without() {}
//--- check.txt
CHECK: void with() { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u); const ::kperf::{{(Convergent|Divergent)?}}Scope
CHECK: void without() { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u);}
