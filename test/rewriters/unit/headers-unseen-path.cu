// A header that only the host's pass reads leads to copies too, not to originals beside them: a copy and its original are two files, of which
// #pragma once would let both in. Its own copy has no other change; what leads to no copy stays where it is.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite main.cu -o out.cu -- -I include
// RUN: FileCheck main.txt --input-file=out.cu
// RUN: FileCheck log.txt --input-file=out.cu.overlay/%t/include/host/log.h
// RUN: FileCheck print.txt --input-file=out.cu.overlay/%t/include/host/print.h
// RUN: FileCheck check.txt --input-file=out.cu.overlay/%t/include/check.h
// RUN: not ls out.cu.overlay/%t/include/host/alone.h
// RUN: clang++-22 -E -P -x c++ -I include -I %S/../../../runtime/include out.cu | FileCheck once.txt

//--- main.cu
#include "check.h"
#include "number.h"
#ifndef __CUDA_ARCH__
#include <host/alone.h>
#include <host/print.h>
#endif
__global__ void k(float *p) { *p = twice(*p); }
//--- include/check.h
#pragma once
#ifndef __CUDA_ARCH__
#  include "host/log.h"
#endif
//--- include/number.h
#pragma once
#include <kperf/annotate.h>
struct Number {};
__device__ inline float twice(float x) { KPERF_SCOPE("twice"); return x + x; }
//--- include/host/log.h
#pragma once
#include "print.h"
#include "alone.h"
//--- include/host/print.h
#pragma once
#include "number.h"
//--- include/host/alone.h
#pragma once
//--- main.txt
CHECK: {{^}}#include "/{{.*}}/out.cu.overlay/{{.*}}/include/check.h"
CHECK: {{^}}#include "/{{.*}}/out.cu.overlay/{{.*}}/include/number.h"
CHECK: {{^}}#include <host/alone.h>
CHECK: {{^}}#include </{{.*}}/out.cu.overlay/{{.*}}/include/host/print.h>
//--- log.txt
CHECK: {{^}}#include "print.h"
CHECK: {{^}}#include "/{{.*}}/include/host/alone.h"
CHECK-NOT: overlay
//--- print.txt
CHECK: {{^}}#include "/{{.*}}/out.cu.overlay/{{.*}}/include/number.h"
//--- check.txt
CHECK: {{^}}#  include "host/log.h"
//--- once.txt
CHECK: struct Number
CHECK-NOT: struct Number
