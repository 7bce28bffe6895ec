// What Clang refuses does not matter outside of the functions that are edited; inside of one its regions are left out, and
// named; with --strict it stops everything.
// RUN: rm -rf %t && split-file %s %t
// RUN: kperf-rewrite %t/outside.cu -o %t/out.cu 2>&1 | FileCheck %t/outside.txt
// RUN: grep -c 'Scope kperf_scope' %t/out.cu
// RUN: not kperf-rewrite --strict %t/outside.cu -o - 2>&1 | FileCheck %t/strict.txt
// RUN: kperf-rewrite %t/inside.cu -o %t/out.cu 2>&1 | FileCheck %t/inside.txt
// RUN: FileCheck %t/left.txt --input-file %t/out.cu
// RUN: not kperf-rewrite --strict %t/inside.cu -o - 2>&1 | FileCheck %t/inside-strict.txt
// RUN: kperf-rewrite --auto=kernels,loops --list-regions %t/shared.cu | FileCheck %t/shared.txt --implicit-check-not='left out'
// RUN: kperf-rewrite %t/both.cu --target=host -o - 2>&1 >/dev/null | FileCheck %t/both.txt
// RUN: not kperf-rewrite %t/braces.cu -o - 2>&1 | FileCheck %t/braces.txt
// RUN: not kperf-rewrite %t/missing.cu -o - 2>&1 | FileCheck %t/missing.txt
// RUN: not kperf-rewrite %t/misnamed.cu -o - 2>&1 | FileCheck %t/misnamed.txt
// RUN: kperf-rewrite %t/forgotten.cu -o - 2>&1 >/dev/null | FileCheck %t/forgotten.txt
// RUN: kperf-rewrite %t/forgotten-both.cu -o - 2>&1 >/dev/null | FileCheck %t/forgotten-both.txt
// RUN: not kperf-rewrite %t/nowhere.cu -o - 2> %t/said && FileCheck %t/nowhere.txt --input-file %t/said && count 1 < %t/said
// RUN: not kperf-rewrite --target=host %t -o - 2> %t/said && FileCheck %t/folder.txt --input-file %t/said && count 1 < %t/said
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(['kperf-rewrite', '%t/nowhere.cu', '-o', '-']).returncode != 2)"

//--- shared.cu
struct Barrier { __device__ Barrier(int n = 0) : count(n) {} __device__ void wait(); int count; };
__device__ void init(Barrier *, int);
__global__ void k(int n) {
  __shared__ Barrier barrier; // nvcc warns
  init(&barrier, 1);
  for (int i = 0; i < n; ++i) { barrier.wait(); }
}
//--- shared.txt
CHECK: automatic "k:3" in k
CHECK: automatic "for:6" in k
//--- outside.cu
#include <kperf/annotate.h>
__device__ void onlyNvccKnows() { __nv_something_new(1); }
__global__ void k() { KPERF_SCOPE("k"); }
//--- outside.txt
CHECK: warning: '{{.*}}outside.cu': clang found 1 error outside of the functions that are edited and the vendor's compiler may not, the first at {{.*}}outside.cu:2:35: use of undeclared identifier '__nv_something_new'
//--- strict.txt
CHECK: outside.cu:2:35: error: use of undeclared identifier '__nv_something_new'
CHECK: error: '{{.*}}outside.cu' does not parse (1 error from clang): give the flags that it is compiled with; if the compiler takes it with these, leave out --strict, and the functions that clang reads get their probes
//--- inside.cu
#include <kperf/annotate.h>
__global__ void k() {
  KPERF_SCOPE("k");
  int x = __nv_something_new(1);
}
__global__ void other() { KPERF_SCOPE("other"); }
//--- inside.txt
CHECK: inside.cu:3:3: warning: clang can't read all of 'k', so its statements can't be trusted and this is not instrumented: --strict shows the errors
CHECK: warning: '{{.*}}inside.cu': clang found 1 error inside of 'k', which was to be edited, and the vendor's compiler may not, the first at {{.*}}inside.cu:4:11: use of undeclared identifier '__nv_something_new'
//--- left.txt
CHECK: {{^}}  KPERF_SCOPE("k");
CHECK: void other() { ::kperf::Kernel<{{.*}}Scope
//--- inside-strict.txt
CHECK: inside.cu:4:11: error: use of undeclared identifier '__nv_something_new'
//--- both.cu
#include <kperf/annotate.h>
__device__ void onlyNvccKnows() { __nv_something_new(1); }
#define UNKNOWN __nv_something_new(2)
template <typename T> __global__ void t(T *p) { KPERF_SCOPE("t"); UNKNOWN; }
struct S { __device__ void m() { KPERF_SCOPE("m"); auto f = [] { __nv_something_new(3); }; } };
__global__ void plain() {}
int main() { plain<<<1, 1>>>(); __nv_something_new(4); }
//--- both.txt
CHECK: warning: '{{.*}}both.cu': clang found 4 errors, 3 of them inside of 'S::m', 'main', 't', which were to be edited, and the vendor's compiler may not, the first at {{.*}}both.cu:4:67: use of undeclared identifier '__nv_something_new'
//--- braces.cu
#include <kperf/annotate.h>
__global__ void k() { KPERF_SCOPE("k"); }
__device__ void open() { if (1) {
//--- braces.txt
CHECK: braces.cu:3:{{[0-9]+}}: error: expected '}'
CHECK: error: '{{.*}}braces.cu' does not parse ({{.*}} from clang): give the flags that it is compiled with{{$}}
//--- missing.cu
#include "not_there.h"
//--- missing.txt
CHECK: missing.cu:1:10: fatal error: 'not_there.h' file not found
CHECK: error: '{{.*}}missing.cu' does not parse (1 error from clang): give the folder of not_there.h by -I
//--- misnamed.cu
#include <kperf/nothing.h>
//--- misnamed.txt
CHECK: error: '{{.*}}misnamed.cu' does not parse (1 error from clang): sources include <kperf/annotate.h>, or <kperf/control.h> to start and stop recording
//--- forgotten.cu
__global__ void k() {
  KPERF_BEGIN("k");
  KPERF_END("k");
  KPERF_MARK("k", 1);
}
//--- forgotten.txt
CHECK: forgotten.cu:2:3: warning: KPERF_BEGIN is not declared: #include <kperf/annotate.h>
CHECK-NOT: {{.}}
//--- forgotten-both.cu
__device__ void onlyNvccKnows() { __nv_something_new(1); }
__global__ void k() { KPERF_SCOPE("k"); }
//--- forgotten-both.txt
CHECK: forgotten-both.cu:2:23: warning: KPERF_SCOPE is not declared: #include <kperf/annotate.h>
CHECK: clang found 2 errors outside of the functions that are edited and the vendor's compiler may not, the first at {{.*}}:1:35: use of undeclared identifier '__nv_something_new'
//--- nowhere.txt
CHECK: error: no such file or directory: '{{.*}}nowhere.cu': expected a CUDA or HIP source
//--- folder.txt
CHECK: error: '{{.*}}' is a folder: expected a CUDA or HIP source, or with -p a folder that holds compile_commands.json
