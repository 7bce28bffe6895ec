// The name of a region is a string literal with something in it.
// RUN: split-file %s %t
// RUN: not kperf-rewrite %t/in.cu -o - 2>&1 | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
#define EMPTY ""
__global__ void k(const char *name) {
  KPERF_SCOPE(name);
  KPERF_SCOPE("");
  KPERF_BEGIN(EMPTY);
  KPERF_SCOPE();
  KPERF_SCOPE("a", 1);
  KPERF_MARK("a", 1, 2);
  KPERF_MARK("mask" + 1);
  KPERF_SCOPE("adjacent" " literals are fine");
#pragma kperf region(name)
  ;
#pragma kperf region("")
  ;
#pragma kperf region
  ;
#pragma kperf region("x"
  ;
#pragma kperf region("x") y
  ;
#pragma kperf regoin("x")
  ;
#pragma kperf
  ;
}
//--- check.txt
CHECK-DAG: in.cu:4:3: error: the name in KPERF_SCOPE is a string literal, found 'name'
CHECK-DAG: in.cu:5:3: error: the name in KPERF_SCOPE is empty: say what the region does
CHECK-DAG: in.cu:6:3: error: the name in KPERF_BEGIN is empty: say what the region does
CHECK-DAG: in.cu:7:3: error: KPERF_SCOPE takes one name, found 0 arguments
CHECK-DAG: in.cu:8:3: error: KPERF_SCOPE takes one name, found 2 arguments
CHECK-DAG: in.cu:9:3: error: KPERF_MARK takes a name and at most one payload, found 3 arguments
CHECK-DAG: in.cu:10:3: error: the name in KPERF_MARK is a string literal, found '"mask" + 1'
CHECK-DAG: in.cu:12:15: error: the name in #pragma kperf region is a string literal, found 'name'
CHECK-DAG: in.cu:14:15: error: the name in #pragma kperf region is empty: say what the region does
CHECK-DAG: in.cu:16:15: error: malformed '#pragma kperf region', expected '#pragma kperf region("name")'
CHECK-DAG: in.cu:18:15: error: malformed '#pragma kperf region', expected '#pragma kperf region("name")'
CHECK-DAG: in.cu:20:27: error: malformed '#pragma kperf region', expected '#pragma kperf region("name")'
CHECK-DAG: in.cu:22:15: error: unknown '#pragma kperf regoin', expected '#pragma kperf region("name")'
CHECK-DAG: in.cu:24:9: error: unknown '#pragma kperf', expected '#pragma kperf region("name")'
