// A header that includes the next one of its name: both get copies, and the way between them stays.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite main.cu -o out.cu -- -I wrap -I real
// RUN: FileCheck way.txt --input-file=out.cu.overlay/%t/wrap/vec.h
// RUN: FileCheck vec.txt --input-file=out.cu.overlay/%t/real/vec.h

//--- main.cu
#include <vec.h>
__global__ void k(float *p) { *p = vec(*p); }
//--- wrap/vec.h
#pragma once
#include_next <vec.h>
//--- real/vec.h
#pragma once
#include <kperf/annotate.h>
__device__ inline float vec(float x) { KPERF_SCOPE("vec"); return x + x; }
//--- way.txt
CHECK: {{^}}#include_next </{{.*}}/out.cu.overlay/{{.*}}/real/vec.h>
//--- vec.txt
CHECK: float vec(float x) { const ::kperf::Scope
