// What Clang refuses does not matter outside of the functions that are edited, inside of them or with --strict it does.
// RUN: rm -rf %t && split-file %s %t
// RUN: kperf-rewrite %t/outside.cu -o %t/out.cu 2>&1 | FileCheck %t/outside.txt
// RUN: grep -c 'Scope kperf_scope' %t/out.cu
// RUN: not kperf-rewrite --strict %t/outside.cu -o - 2>&1 | FileCheck %t/strict.txt
// RUN: not kperf-rewrite %t/inside.cu -o - 2>&1 | FileCheck %t/inside.txt
// RUN: not kperf-rewrite %t/braces.cu -o - 2>&1 | FileCheck %t/braces.txt
// RUN: not kperf-rewrite %t/missing.cu -o - 2>&1 | FileCheck %t/missing.txt
// RUN: not kperf-rewrite %t/nowhere.cu -o - 2>&1 | FileCheck %t/nowhere.txt

//--- outside.cu
#include <kperf/annotate.h>
__device__ void onlyNvccKnows() { __nv_something_new(1); }
__global__ void k() { KPERF_SCOPE("k"); }
//--- outside.txt
CHECK: warning: '{{.*}}outside.cu': clang found 1 error outside of the functions that are edited and the vendor's compiler may not, the first at {{.*}}outside.cu:2:35: use of undeclared identifier '__nv_something_new'
//--- strict.txt
CHECK: outside.cu:2:35: error: use of undeclared identifier '__nv_something_new'
CHECK: error: '{{.*}}outside.cu' does not parse (1 error from clang): give the flags that it is compiled with
//--- inside.cu
#include <kperf/annotate.h>
__global__ void k() {
  KPERF_SCOPE("k");
  int x = __nv_something_new(1);
}
//--- inside.txt
CHECK: inside.cu:4:11: error: use of undeclared identifier '__nv_something_new'
CHECK: inside.cu:3:3: error: clang can't read all of 'k', so its statements can't be trusted: mend the errors above, or pass the flags the file is compiled with
//--- braces.cu
#include <kperf/annotate.h>
__global__ void k() { KPERF_SCOPE("k"); }
__device__ void open() { if (1) {
//--- braces.txt
CHECK: braces.cu:3:{{[0-9]+}}: error: expected '}'
CHECK: error: '{{.*}}braces.cu' does not parse ({{.*}} from clang): give the flags that it is compiled with
//--- missing.cu
#include "not_there.h"
//--- missing.txt
CHECK: missing.cu:1:10: fatal error: 'not_there.h' file not found
CHECK: error: '{{.*}}missing.cu' does not parse (1 error from clang): give the flags that it is compiled with
//--- nowhere.txt
CHECK: error: no such file or directory: '{{.*}}nowhere.cu'
