// What the device's pass does not see still leads beside the original, wherever the copy lies: includes for the host's pass,
// __has_include, in the source and in copied headers; text in comments and strings stays.
// REQUIRES: nvcc
// RUN: rm -rf %t && split-file %s %t && mkdir %t/out && cd %t/out
// RUN: kperf-rewrite %t/src/main.cu -o main.cu -- -I %t/include
// RUN: FileCheck %t/main.txt --input-file=main.cu
// RUN: FileCheck %t/header.txt --input-file=main.cu.overlay/%t/include/annotated.h

//--- src/main.cu
#ifndef __CUDA_ARCH__
#include "host.h"
#include "nowhere.h"
#endif
#if !__has_include("host.h")
#error it lies beside this file
#endif
#include <annotated.h>
/*
#include "host.h"
*/
const char *text = R"(
#include "host.h"
)";
__global__ void k() { f(); }
//--- src/host.h
//--- include/annotated.h
#include <kperf/annotate.h>
#ifndef __CUDACC__
  #  include "deep/host_too.h"
#endif
__device__ inline void f() { KPERF_SCOPE("f"); }
//--- include/deep/host_too.h
//--- main.txt
CHECK: {{^}}#include "/{{.*}}/src/host.h"
CHECK-NEXT: {{^}}#include "nowhere.h"
CHECK: {{^}}#if !__has_include("/{{.*}}/src/host.h")
CHECK: {{^}}#include </{{.*}}/include/annotated.h>
CHECK: {{^}}#include "host.h"
CHECK: {{^}}#include "host.h"
//--- header.txt
CHECK: {{^}}  #  include "/{{.*}}/include/deep/host_too.h"
CHECK: Scope
