// A wait whose statement declares a variable gets no block of its own, which would hide the variable; the warning says what to write.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=sync %t/in.cu -o - 2>&1 >/dev/null | FileCheck %t/check.txt --implicit-check-not=warning

//--- in.cu
__global__ void k(int *p) {
  int done = __syncthreads_count(*p);
  done += *p;
  int all;
  all = __syncthreads_count(done);
  *p = all;
}
//--- check.txt
CHECK: warning: {{.*}}: 1 selected place can't be timed, '__syncthreads_count' at {{.*}}in.cu:2:14: its statement declares what may be used behind it: declare that before, and assign in a statement of its own
