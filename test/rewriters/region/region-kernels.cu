// A kernel gets its object when it holds regions; every kernel does once some function holds one.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/kernels.cu -o - | FileCheck %t/kernels.txt
// RUN: kperf-rewrite %t/functions.cu -o - | FileCheck %t/functions.txt

//--- kernels.cu
#include <kperf/annotate.h>
__device__ void f();
__global__ void with() { KPERF_SCOPE("s"); f(); }
__global__ void inside() { auto g = [] { KPERF_SCOPE("s"); }; g(); }
__global__ void without() { f(); }
//--- kernels.txt
CHECK: void with() { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(
CHECK: void inside() { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(
CHECK: void without() { f(); }
CHECK: 0u, "with", "with",
CHECK: 0u, "inside", "inside",
CHECK-NOT: "without"

//--- functions.cu
#include <kperf/annotate.h>
__device__ void f() { KPERF_SCOPE("s"); }
__global__ void first() { f(); }
__global__ void
__launch_bounds__(128)
second()
{
  f();
}
//--- functions.txt
CHECK: void first() { ::kperf::Kernel<{{[^(]*}}> kperf_kernel(
CHECK: {{^}}{ ::kperf::Kernel<{{[^(]*}}> kperf_kernel(0x{{[0-9a-f]+}}u);{{$}}
CHECK: 0u, "first", "first",
CHECK: 0u, "second", "second", "{{.*}}functions.cu", "second()", 6u, 1u, 9u, 0u}
