// Annotations that the preprocessor dropped are named; those that another reading of the file kept are not, nor those that the user's own macros
// switch off, which no reading has.
// RUN: rm -rf %t && split-file %s %t
// RUN: cd %t && kperf-rewrite in.cu 2>&1 | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
#include "guarded.h"
#include "guarded.h"
#if __CUDA_ARCH__ == 1
#  define OTHER_GPU
#  define KPERF_SCOPE(name)
#endif
__global__ void k(int n) {
#ifdef OTHER_GPU
  KPERF_SCOPE("other");
#pragma kperf region("other loop")
  while (n) --n;
  // KPERF_SCOPE("comment");
#endif
  KPERF_SCOPE("this");
#if defined(WANTED) && LEVEL > 2
  KPERF_MARK("off");
#elif defined FINER
  KPERF_MARK("finer");
#elif 0
  KPERF_MARK("never");
#endif
#if defined(WANTED) || defined __CUDA_NEVER__
  KPERF_MARK("either");
#endif
}
//--- guarded.h
int outside_of_the_guard();
#ifndef GUARDED_H
#define GUARDED_H
__device__ inline void f() { KPERF_MARK("f"); }
#endif
//--- check.txt
CHECK-NOT: guarded.h
CHECK: in.cu:10:3: warning: the preprocessor dropped this annotation for {{sm_90a|host}}: it is not instrumented
CHECK: in.cu:11:9: warning: the preprocessor dropped this annotation for {{sm_90a|host}}: it is not instrumented
CHECK: in.cu:24:3: warning: the preprocessor dropped this annotation for {{sm_90a|host}}: it is not instrumented
CHECK-NOT: warning
