// A jump that leaves a range open is reported with its remedy where no path from it ends the range, and nowhere else.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/open.cu -o %t/out.cu 2>&1 | FileCheck %t/open.txt --implicit-check-not=warning:
// RUN: kperf-rewrite %t/ended.cu -o %t/out.cu 2>&1 | count 0

//--- open.cu
#include <kperf/annotate.h>
__global__ void skips(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("load");
    if (p[k] == 0)
      continue;
    p[k] = 1;
    KPERF_END("load");
  }
}
__global__ void leavesLoop(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("load");
    if (p[k] == 0) {
      p[0] = 1;
      break;
    }
    KPERF_END("load");
  }
}
__global__ void leavesCase(int *p, int n) {
  switch (n) {
  case 1:
    KPERF_BEGIN("load");
    if (p[0])
      break;
    KPERF_END("load");
    break;
  }
}
template <class T> __device__ void again(T *p) {
retry:
  KPERF_BEGIN("load");
  if (p[0])
    goto retry;
  KPERF_END("load");
}
__global__ void untilTheEnd(int *p) {
  while (true) {
    KPERF_BEGIN("load");
    if (p[0])
      break;
    KPERF_END("load");
  }
  p[1] = 1;
}
__global__ void afterEnds(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("load");
    if (p[k] == 0) {
      KPERF_END("load");
      continue;
    }
    if (p[k] == 1)
      continue;
    KPERF_END("load");
  }
}
__global__ void atReturn(int *p, int n) {
  switch (n) {
  case 1:
    KPERF_BEGIN("load");
  case 2:
    if (p[0])
      return;
    KPERF_END("load");
  }
}
//--- open.txt
CHECK: open.cu:6:7: warning: this 'continue' leaves KPERF_BEGIN("load") open, and nothing on its way ends it: put KPERF_END("load") before it, or use KPERF_SCOPE, which ends with its block
CHECK: open.cu:4:5: note: begun here
CHECK: open.cu:16:7: warning: this 'break' leaves KPERF_BEGIN("load") open, and nothing on its way ends it
CHECK: open.cu:13:5: note: begun here
CHECK: open.cu:26:7: warning: this 'break' leaves
CHECK: open.cu:35:5: warning: this 'goto' leaves
CHECK: open.cu:33:3: note: begun here
CHECK: open.cu:42:7: warning: this 'break' leaves KPERF_BEGIN("load") open until the function is left: put KPERF_END("load") before it
CHECK: open.cu:55:7: warning: this 'continue' leaves
CHECK: open.cu:65:7: warning: this 'return' leaves

//--- ended.cu
#include <kperf/annotate.h>
__global__ void behindLoop(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("x");
    if (p[k])
      break;
    KPERF_END("x");
  }
  if (p[0])
    KPERF_END("x");
}
__global__ void atHead(int *p, int n) {
  bool isOpen = false;
  for (int k = 0; k < n; ++k) {
    if (isOpen)
      KPERF_END("x");
    KPERF_BEGIN("x");
    isOpen = p[k];
    if (isOpen)
      continue;
    KPERF_END("x");
  }
}
__global__ void drained(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("x");
    if (k < 2)
      continue;
    KPERF_END("x");
  }
  for (int k = 0; k < 2; ++k)
    KPERF_END("x");
}
__global__ void drainedInLast(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("x");
    if (k < 1)
      continue;
    KPERF_END("x");
    if (k == n - 1)
      KPERF_END("x");
  }
}
__global__ void endedBefore(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("x");
    bool skips = p[k];
    if (skips)
      KPERF_END("x");
    if (skips)
      continue;
    KPERF_END("x");
  }
}
__global__ void innerLoops(int *p, int n) {
  KPERF_BEGIN("x");
  for (int k = 0; k < n; ++k) {
    if (p[k])
      continue;
    if (p[k + 1])
      break;
    switch (n) {
    case 1:
      break;
    }
  }
  [&] { return p[0]; }();
  KPERF_END("x");
}
__global__ void returns(int *p, int n) {
  for (int k = 0; k < n; ++k) {
    KPERF_BEGIN("x");
    if (p[k])
      return;
    KPERF_END("x");
  }
}
__global__ void nothingBehind(int *p) {
  while (true) {
    KPERF_BEGIN("x");
    if (p[0])
      break;
    if (p[1])
      goto out;
    KPERF_END("x");
  }
out:
  return;
}
__global__ void byCondition(int *p, bool c) {
  if (c)
    KPERF_BEGIN("x");
  if (!c)
    return;
  if (c)
    KPERF_END("x");
}
__global__ void once(int *p) {
  do {
    KPERF_BEGIN("x");
    if (p[0])
      break;
    p[0] = 1;
  } while (false);
  KPERF_END("x");
}
__global__ void notReached(int *p) {
  KPERF_BEGIN("x");
  KPERF_END("x");
  while (p[0]) {
    continue;
    KPERF_BEGIN("x");
    if (p[1])
      return;
  }
}
