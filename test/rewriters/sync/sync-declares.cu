// A wait whose statement declares a variable gets no block of its own, which would hide the variable; the warning says what to write.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=sync %t/in.cu -o - 2>&1 >/dev/null | FileCheck %t/check.txt --implicit-check-not=warning

//--- in.cu
__device__ bool __mbarrier_test_wait(unsigned long long *barrier, unsigned long long token);
__global__ void k(int *p, unsigned long long *barrier) {
  bool done = __mbarrier_test_wait(barrier, 0);
  *p += done;
  bool all;
  all = __mbarrier_test_wait(barrier, 1);
  *p += all;
}
//--- check.txt
CHECK: warning: {{.*}}: 1 selected place can't be timed, '__mbarrier_test_wait' at {{.*}}in.cu:3:15: its statement declares what may be used behind it: declare that before, and assign in a statement of its own
