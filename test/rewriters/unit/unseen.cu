// Annotations that the preprocessor dropped are named; those that another reading of the file kept are not.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t && kperf-rewrite in.cu 2>&1 | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
#include "guarded.h"
#include "guarded.h"
__global__ void k(int n) {
#ifdef OTHER_GPU
  KPERF_SCOPE("other");
#pragma kperf region("other loop")
  while (n) --n;
  // KPERF_SCOPE("comment");
#endif
  KPERF_SCOPE("this");
}
//--- guarded.h
int outside_of_the_guard();
#ifndef GUARDED_H
#define GUARDED_H
__device__ inline void f() { KPERF_MARK("f"); }
#endif
//--- check.txt
CHECK-NOT: guarded.h
CHECK: in.cu:6:3: warning: the preprocessor dropped this annotation for {{sm_90a|host}}: it is not instrumented
CHECK: in.cu:7:9: warning: the preprocessor dropped this annotation for {{sm_90a|host}}: it is not instrumented
CHECK-NOT: warning
