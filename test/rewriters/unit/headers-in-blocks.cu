// A system header that is included within `extern "C++" { … }`, or within a namespace, stays somebody else's.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite --cuda-path=none --probes=region,sync --auto=kernels --list-regions main.cu -- -isystem lib | FileCheck check.txt

//--- main.cu
extern "C++" {
#include <theirs.h>
__global__ void mine() { __syncthreads(); }
}
namespace scope {
#include <more.h>
__global__ void own() { __syncthreads(); }
}
//--- lib/theirs.h
__device__ inline void theirs() { __syncthreads(); }
//--- lib/more.h
__device__ inline void more() { __syncthreads(); }
//--- check.txt
CHECK-NOT: theirs
CHECK-NOT: more
CHECK: main.cu:3:{{.*}}wait "__syncthreads" in mine
CHECK-NOT: theirs
CHECK-NOT: more
CHECK: main.cu:7:{{.*}}wait "__syncthreads" in scope::own
CHECK-NOT: theirs
CHECK-NOT: more
