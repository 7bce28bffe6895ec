// A scope that would end at once, or that a jump passes by, is refused with the remedy.
// RUN: split-file %s %t
// RUN: not kperf-rewrite --strict %t/in.cu -o - 2>&1 | FileCheck %t/check.txt
// RUN: kperf-rewrite %t/fine.cu -o - | FileCheck %t/fine.txt

//--- in.cu
#include <kperf/annotate.h>
__global__ void k(int n) {
  if (n) KPERF_SCOPE("if");
  for (;;) KPERF_SCOPE("for");
  switch (n) {
  case 1:
    KPERF_SCOPE("case");
    n = 2;
    break;
  case 2:
    n = 3;
  }
  if (n) goto out;
  KPERF_SCOPE("goto");
  n = 4;
out:
  n = 5;
  switch (n) {
#pragma kperf region("switch body")
    {
    case 7: n = 1;
    }
  }
}
//--- check.txt
CHECK: in.cu:3:10: error: KPERF_SCOPE is the whole body of a statement and would end at once: put braces around the code to time, or use #pragma kperf region
CHECK: in.cu:4:12: error: KPERF_SCOPE is the whole body of a statement
CHECK: in.cu:7:5: error: a jump to a label further down in this block would pass by KPERF_SCOPE: put braces around the code to time
CHECK: in.cu:10:3: note: the label is here
CHECK: in.cu:14:3: error: a jump to a label further down in this block would pass by KPERF_SCOPE
CHECK: in.cu:16:1: note: the label is here
CHECK: in.cu:19:1: error: a jump into the statement behind #pragma kperf region would pass by its begin: put the pragma further in

//--- fine.cu
#include <kperf/annotate.h>
__global__ void k(int n) {
  switch (n) {
  case 1: {
    KPERF_SCOPE("braces");
    n = 2;
    break;
  }
  default:
    KPERF_SCOPE("last case");
    switch (n) { case 3: n = 1; }
  again:
    if (n--) goto again;
  }
}
//--- fine.txt
CHECK: KPERF_SCOPE("braces");
CHECK: const ::kperf::{{(Convergent|Divergent)?}}Scope kperf_scope_10_5({{(kperf_kernel, )?}}{{.*}} KPERF_SCOPE("last case");
