// Bodies in system headers of which nothing is edited and nothing learned are not parsed, so that Clang need not know what they
// call; those that a selection looks into are, for their annotations too.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite --auto=kernels user.cu -o out.cu -- -isystem system 2>&1 | count 0
// RUN: not kperf-rewrite --strict --select=look.yaml user.cu -o out.cu -- -isystem system 2>&1 | FileCheck %s --check-prefix=READ
// READ-DAG: lib.h:2:{{[0-9]+}}: error: use of undeclared identifier 'unknown_to_clang'
// READ-DAG: lib.h:3:{{[0-9]+}}: error: use of undeclared identifier '__unknown_too'
// RUN: kperf-rewrite --auto=kernels user.cu -o out.cu -- -I system 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: clang found 2 errors outside of the functions that are edited
// RUN: kperf-rewrite --select=annotations.yaml user.cu -o out.cu -- -isystem annotated
// RUN: cat out.cu.overlay%t/annotated/lib.h | FileCheck %s --check-prefix=ANNOTATED
// ANNOTATED: float __on_the_gpu(float x) { const ::kperf::Scope

//--- system/lib.h
#pragma once
inline void on_the_cpu() { unknown_to_clang(); }
__device__ inline void __reserved() { __unknown_too(); }
__device__ inline float on_the_gpu(float x) { return x + 1; }
//--- annotated/lib.h
#pragma once
#include <kperf/annotate.h>
__device__ inline float __on_the_gpu(float x) { KPERF_SCOPE("hidden"); return x + 1; }
__device__ inline float on_the_gpu(float x) { return __on_the_gpu(x); }
//--- look.yaml
headers: ["lib.h"]
auto: [kernels]
//--- annotations.yaml
headers: ["lib.h"]
//--- user.cu
#include <lib.h>
__global__ void kernel(float *p) { *p = on_the_gpu(*p); }
