// A begin of a range that is open already is reported where its begins outnumber its ends for certain, and not where ranges overlap themselves.
// RUN: split-file %s %t
// RUN: not kperf-rewrite %t/twice.cu -o - 2>&1 | FileCheck %t/twice.txt --implicit-check-not=error:
// RUN: kperf-rewrite %t/doubtful.cu -o %t/out.cu 2>&1 | FileCheck %t/doubtful.txt --implicit-check-not=warning:
// RUN: kperf-rewrite %t/overlapping.cu -o %t/out.cu 2>&1 | count 0

//--- twice.cu
#include <kperf/annotate.h>
__global__ void straight() {
  KPERF_BEGIN("x");
  KPERF_BEGIN("x");
  KPERF_END("x");
}
__global__ void persistent() {
  for (;;) {
    KPERF_BEGIN("y");
    KPERF_BEGIN("y");
    KPERF_END("y");
  }
}
//--- twice.txt
CHECK: twice.cu:4:3: error: KPERF_BEGIN("x") begins a range that is already open on every path to it, and only one KPERF_END ends it: end it before, or remove one of the two
CHECK: twice.cu:3:3: note: begun here before
CHECK: twice.cu:10:5: error: KPERF_BEGIN("y") begins a range
CHECK: twice.cu:9:5: note: begun here before

//--- doubtful.cu
#include <kperf/annotate.h>
__global__ void oneOfTwoEnds(bool c) {
  KPERF_BEGIN("x");
  KPERF_BEGIN("x");
  if (c)
    KPERF_END("x");
  else
    KPERF_END("x");
}
__global__ void inLoop(int n) {
  KPERF_BEGIN("x");
  for (int i = 0; i < n; ++i)
    KPERF_BEGIN("x");
  KPERF_END("x");
}
//--- doubtful.txt
CHECK: doubtful.cu:4:3: warning: KPERF_BEGIN("x") begins a range that is already open on every path to it, and not every begin has its end: end it before, or give this one a name of its own
CHECK: doubtful.cu:3:3: note: begun here before
CHECK: doubtful.cu:13:5: warning: KPERF_BEGIN("x") begins a range

//--- overlapping.cu
#include <kperf/annotate.h>
__global__ void nested() {
  KPERF_BEGIN("x");
  KPERF_BEGIN("x");
  KPERF_END("x");
  KPERF_END("x");
}
__global__ void prefetch(int n) {
  KPERF_BEGIN("x");
  for (int i = 0; i < n; ++i) {
    KPERF_BEGIN("x");
    KPERF_END("x");
  }
  KPERF_END("x");
}
__global__ void stages(int n) {
  KPERF_BEGIN("x");
  KPERF_BEGIN("x");
  for (int i = 0; i < n; ++i) {
    KPERF_END("x");
    if (i + 2 < n)
      KPERF_BEGIN("x");
  }
}
__global__ void stagesByGoto(int n) {
  KPERF_BEGIN("x");
  KPERF_BEGIN("x");
again:
  KPERF_END("x");
  if (--n)
    goto again;
}
__global__ void sometimes(bool c) {
  if (c)
    KPERF_BEGIN("x");
  KPERF_BEGIN("x");
  KPERF_END("x");
  if (c)
    KPERF_END("x");
}
__global__ void leavesEarly(bool c) {
  KPERF_BEGIN("x");
  if (c)
    return;
  KPERF_BEGIN("x");
  KPERF_END("x");
  KPERF_END("x");
}
