// --probes=launches registers the translation unit and changes nothing else.
// RUN: kperf-rewrite --probes=launches %s -o - | not diff -u %s - | FileCheck %s
// RUN: kperf-rewrite --probes=launches %s -o - > %t.cu
// RUN: not kperf-rewrite --probes=launches %t.cu -o - 2>&1 | FileCheck %s --check-prefix=TWICE
// CHECK-NOT: {{^[-+][^-+]}}
// CHECK: {{^[+]}}KPERF_NO_REGIONS
// CHECK-NOT: {{^[-+]}}
// TWICE: error: '{{.*}}' is instrumented already: give the original
__global__ void kernel(float *p) { p[threadIdx.x] = 1; }
void start(float *p) { kernel<<<1, 32>>>(p); }
