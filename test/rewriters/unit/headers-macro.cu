// A header that a macro names is redirected where the macro is used; what is not copied is found beside the original.
// RUN: rm -rf %t && split-file %s %t && mkdir %t/out && cd %t/out
// RUN: kperf-rewrite %t/src/main.cu -o main.cu -- -I %t/include
// RUN: FileCheck %t/main.txt --input-file=main.cu

//--- src/main.cu
#define HEADER <annotated.h>
#define QUOTED(name) #name
#include HEADER // whose functions are timed
  #include QUOTED(beside.h)
__global__ void k() { f(beside); }
//--- src/beside.h
constexpr int beside = 1;
//--- include/annotated.h
#include <kperf/annotate.h>
__device__ inline void f(int) { KPERF_SCOPE("f"); }
//--- main.txt
CHECK: {{^}}#define HEADER <annotated.h>
CHECK: {{^}}#include </{{.*}}/out/main.cu.overlay/{{.*}}/include/annotated.h> // whose functions are timed
CHECK-NEXT: {{^}}  #include "/{{.*}}/src/beside.h"
