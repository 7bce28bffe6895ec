// Headers are looked into when the selection names them; their copies go to the overlay like those of annotated ones.
// RUN: rm -rf %t && split-file %s %t && mkdir %t/out && cd %t
// RUN: kperf-rewrite --select=headers.yaml src/main.cu -o out/main.cu -- -I include -isystem system 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --input-file=out/main.cu.overlay/%t/include/lib/tile.cuh
// RUN: FileCheck %s --input-file=out/main.cu.overlay/%t/system/ext/outside.cuh --check-prefix=OUTSIDE
// RUN: not ls out/main.cu.overlay/%t/include/lib/plain.cuh
// RUN: not grep -r kperf:: include src system
// Without the file, --auto stays in the source itself.
// RUN: kperf-rewrite --auto=functions,loops src/main.cu -o out/auto.cu -- -I include -isystem system
// RUN: cmp src/main.cu out/auto.cu && not ls out/auto.cu.overlay

// Annotations in a system header are somebody else's, unless it is named; what its macros bring to the source is the source's.
// RUN: kperf-rewrite --list-regions src/marked.cu -- -isystem system > outside.txt 2>&1
// RUN: FileCheck %s --check-prefix=THEIRS --input-file=outside.txt --implicit-check-not='"theirs' --implicit-check-not=warning:
// RUN: kperf-rewrite --select=marked.yaml --list-regions src/marked.cu -- -isystem system 2>&1 | FileCheck %s --check-prefix=NAMED --implicit-check-not=warning:

// THEIRS-DAG: system/ext/marked.cuh:4:51: warning: annotations in a system header are not instrumented: name the header under 'headers:' in a file for --select, or give its folder with -I instead of -isystem
// THEIRS-DAG: scope "ours" in k
// NAMED: scope "ours" in k
// NAMED: scope "theirs" in marked
// NAMED: pragma "theirs too" in marked
// SAID-NOT: warning
// SAID: rewritten headers are in
// CHECK: void tile(T *p, int n) { const ::kperf::Scope kperf_scope_2_36(0x{{[0-9a-f]+}}u); { const ::kperf::Scope kperf_scope_2_56(0x{{[0-9a-f]+}}u); for
// OUTSIDE: void outside(T *p, int n) { { const ::kperf::Scope kperf_scope_2_59(0x{{[0-9a-f]+}}u); for

//--- src/main.cu
#include <lib/plain.cuh>
#include <lib/tile.cuh>
#include <ext/outside.cuh>
__global__ void k(float *p, int n) { tile(p, n); plain(p, n); outside(p, n); }
//--- include/lib/tile.cuh
#pragma once
template <class T> __device__ void tile(T *p, int n) { for (int i = 0; i < n; ++i) p[i] = 1; }
//--- include/lib/plain.cuh
#pragma once
template <class T> __device__ void plain(T *p, int n) { for (int i = 0; i < n; ++i) p[i] = 1; }
//--- system/ext/outside.cuh
#pragma once
template <class T> __device__ void outside(T *p, int n) { for (int i = 0; i < n; ++i) p[i] = 1; }
//--- headers.yaml
headers: [lib/tile.cuh, "*.tmp/system/ext/*"]
auto: [loops]
rules:
  - functions: tile
    files: "*.cuh"
  - lines: 2
    files: outside.cuh
    name: far away
//--- src/marked.cu
#include <ext/marked.cuh>
__global__ void k(float *p) { THEIR_SCOPE("ours"); marked(p); }
//--- system/ext/marked.cuh
#pragma once
#include <kperf/annotate.h>
#define THEIR_SCOPE(name) KPERF_SCOPE(name)
template <class T> __device__ void marked(T *p) { KPERF_SCOPE("theirs");
  #pragma kperf region("theirs too")
  p[0] = 1;
}
//--- marked.yaml
headers: ["ext/*"]
