// An annotated header that can't be redirected to its copy is an error, not a region without effect.
// RUN: rm -rf %t && split-file %s %t
// RUN: not kperf-rewrite %t/forced.cu -o - -- -include %t/annotated.h 2>&1 | FileCheck %t/forced.txt

//--- forced.cu
__global__ void k() {}
//--- forced.txt
CHECK: error: annotated header '{{.*}}annotated.h' is included from the command line, where it can't be redirected to its copy: include it in the source, or build the source by itself with kperf-cc
//--- annotated.h
#include <kperf/annotate.h>
__device__ inline void f() { KPERF_SCOPE("f"); }
