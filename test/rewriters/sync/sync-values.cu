// A barrier whose value initialises a variable, or decides on a branch, is timed around its call alone: once evaluated, with its value.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=sync %t/in.cu -o - 2>&1 | FileCheck %t/check.txt
// RUN: kperf-rewrite --cuda-path=none --probes=sync %t/in.cu -o %t/out.cu 2>/dev/null && kperf-rewrite --cuda-path=none --probes=sync,memory %t/in.cu -o - 2>/dev/null | FileCheck %t/both.txt

//--- in.cu
__device__ int anyOf(int x) { int any = __syncthreads_or(x); return any; }
__global__ void k(int *p) {
  if (__syncthreads_and(*p)) *p += 1;
  else if (__syncthreads_or(*p)) *p += 2;
  int n = __syncthreads_count(*p > 3), m = 2 * __syncthreads_count(n);
  const bool any = n > 3 && __syncthreads_or(m);
  switch (__syncthreads_count(n)) { case 1: *p = any; }
  for (int i = 0; i < n; ++i) { const int all = __syncthreads_and(i); p[i] = all; }
#define COUNT(x) __syncthreads_count(x)
  int counted = COUNT(n);
  p[9] = counted;
  __syncthreads();
}
//--- check.txt
CHECK: warning: {{.*}}: 1 selected place can't be timed, '__syncthreads_count' at {{.*}}in.cu:10:17
CHECK: int any = __extension__ ({ const ::kperf::{{.*}}Wait kperf_wait_1_41({{.*}}0u, 0x{{[0-9a-f]+}}u); __syncthreads_or(x); }); return any; }
CHECK: if (__extension__ ({ const ::kperf::ConvergentWait kperf_wait_3_7(kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); __syncthreads_and(*p); })) *p += 1;
CHECK: else if (__extension__ ({ const ::kperf::{{.*}}Wait kperf_wait_4_12({{.*}}); __syncthreads_or(*p); })) *p += 2;
CHECK: int n = __extension__ ({ {{.*}} __syncthreads_count(*p > 3); }), m = 2 * __extension__ ({ {{.*}} __syncthreads_count(n); });
A warp may come to the second operand in part.
CHECK: const bool any = n > 3 && __extension__ ({ const ::kperf::Wait kperf_wait_6_29({{.*}}); __syncthreads_or(m); });
CHECK: switch (__extension__ ({ {{.*}} __syncthreads_count(n); })) { case 1: *p = any; }
CHECK: { const int all = __extension__ ({ {{.*}} __syncthreads_and(i); }); p[i] = all; }
CHECK: int counted = COUNT(n);
CHECK: { const ::kperf::ConvergentWait kperf_wait_12_3({{.*}}); __syncthreads(); }
//--- both.txt
CHECK: if (__extension__ ({ {{.*}} __syncthreads_and(::kperf::load(0x{{[0-9a-f]+}}u, *p)); })) ::kperf::update
