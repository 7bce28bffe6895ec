// A macro of the command that has the name of a parameter in headers which Clang reads and nvcc does not: they stay as they
// are, and the source gets the macro. Nor does one hurt our own headers, whatever is recorded and whoever compiles.
// REQUIRES: long, nvcc
// DEFINE: %{ours} = -DIndex=7 -DBytes=8 -DCount=9 -DOwner=10 -DMost=11 -Dlanes=12
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite --strict in.cu -o out.cu -- -DN=1024 -D V=2 -DX=3,Y=4 -DX1=5 -DNAMED_SO=6 %{ours} 2>&1 | count 0
// RUN: FileCheck check.txt --input-file=out.cu
// RUN: kperf-cc --strict nvcc %sm90a -Xcicc -O1 -Xptxas -O0 -DN=1024 -D V=2 -DX=3,Y=4 -DX1=5 -DNAMED_SO=6 %{ours} -c in.cu -o out.o 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// QUIET-NOT: {{warning|error}}:
// RUN: kperf-cc --strict --probes=region,memory --aggregate='*' nvcc %sm90a -Xcicc -O1 -Xptxas -O0 -DN=1024 -DV=2 -DX=3,Y=4 -DX1=5 -DNAMED_SO=6 %{ours} -c in.cu -o out.o 2>&1 | count 0
// RUN: kperf-cc --strict --probes=region,memory --aggregate='*' host -O0 -DN=1024 -DV=2 -DX=3 -DY=4 -DX1=5 -DNAMED_SO=6 -DIndex=7 -c in.cu -o out.o 2>&1 | count 0

//--- in.cu
#include <kperf/annotate.h>
#include "values.h"
static_assert(N == 1024 && V == 2 && X == 3 && Y == 4 && X1 == 5 && NAMED_SO == 6 && Index == 7, "");
#ifdef lanes
static_assert(Count == 9 && Owner == 10 && Most == 11 && lanes == 12, "");
#endif
__global__ void k(float *p) { KPERF_SCOPE("body"); p[N] = values[X]; }
//--- values.h
__device__ float values[V * X];
//--- check.txt
CHECK: KPERF_SCOPE("body"); p[N] = values[X];
