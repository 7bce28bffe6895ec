// Braces may be spelled <% and %>: what goes behind one goes behind both characters. A text that begins with a colon stays apart from one in
// front of it.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt --check-prefix=HOST

//--- in.cu
#include <kperf/annotate.h>
__global__ void k(int *o) <% KPERF_SCOPE("a"); o<:threadIdx.x:> = 1; %>
__device__ void f(int *o, int n) <%
  for (int i = 0; i < n; ++i) <%
    KPERF_BEGIN("b"); o[0] += i; KPERF_END("b");
    KPERF_BEGIN("c"); o[1] += i; KPERF_END("c");
  %>
%>
int main(int c, char **) {
  switch (c) { case 1:k<<<1, 1>>>(nullptr); break; default:k<<<2, 2>>>(nullptr); }
  c > 1?k<<<1, 1>>>(nullptr):k<<<2, 2>>>(nullptr);
}

//--- check.txt
CHECK: __global__ void k(int *o) <% ::kperf::{{.*}}::kperf::ConvergentScope
CHECK: __device__ void f(int *o, int n) <% ::kperf::FunctionStream<8u> kperf_stream(
CHECK-NEXT: for (int i = 0; i < n; ++i) <% ::kperf::Frame
HOST: switch (c) { case 1: ::kperf::host::launch(k, {{.*}} default: ::kperf::host::launch(k,
HOST-NEXT: c > 1?::kperf::host::launch(k, {{.*}}): ::kperf::host::launch(k,
