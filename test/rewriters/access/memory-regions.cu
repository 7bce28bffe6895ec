// Both rewriters at once, in whichever order they are named: edits at one byte nest, and a site knows its innermost region.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=region,memory %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-rewrite --cuda-path=none --probes=memory,region %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-rewrite --cuda-path=none --target=host --probes=memory %t/in.cu -o - | FileCheck %t/host.txt
// RUN: kperf-rewrite --list-rewriters | FileCheck %t/list.txt

//--- in.cu
#include <kperf/annotate.h>
struct Node { Node *next; float value; };
__global__ void kernel(float *a, Node *node) {
  a[0] = 1;
  for (int i = 0; i < 4; ++i) {
    KPERF_SCOPE("pass");
#pragma kperf region("store")
    a[i] = node->next->value;
  }
  while (a[1] > 0)
    a[1] -= 1;
}
//--- check.txt
CHECK:      {{^}}  ::kperf::store({{0x[0-9a-f]+}}u, a[0]) = 1;
CHECK:      {{^}}    { const ::kperf::{{(Convergent|Frame)?}}Scope{{.*}}; ::kperf::store({{[{]}}[[STORE:0x[0-9a-f]+]]u, int(i)}, a[i]) = ::kperf::load({{[{]}}[[VALUE:0x[0-9a-f]+]]u, int(i)}, ::kperf::load({{[{]0x[0-9a-f]+}}u, int(i)}, node->next)->value); }
CHECK:      {{^}}  { ::kperf::SampledLoop kperf_loop_0; while (::kperf::load({{0x[0-9a-f]+}}u, a[1]) > 0)
CHECK-NEXT: {{^}}    { {{.*}}::kperf::update({kperf_sample, {{0x[0-9a-f]+}}u}, a[1]) -= 1;
CHECK:      {[[STORE]]u, 1u, [[REGION:0x[0-9a-f]+]]u, 4u, "kernel"
CHECK-NEXT: {[[VALUE]]u, 0u, [[REGION]]u, 4u, "kernel"
CHECK:      {[[REGION]]u, 4u, "store", "kernel"
//--- host.txt
CHECK: for (int i = 0; i < 4; ++i) { const ::kperf::Iteration kperf_iteration(9);
CHECK: while (::kperf::load({{0x[0-9a-f]+}}u, a[1]) > 0)
CHECK-NEXT: {{^}}    { const ::kperf::Iteration kperf_iteration(11); ::kperf::update({{0x[0-9a-f]+}}u, a[1]) -= 1; }
//--- list.txt
CHECK: memory  counts what loads, stores and atomics cost
