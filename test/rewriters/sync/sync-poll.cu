// --probes=sync: tries that a loop makes until one succeeds are one wait, also where the user's own function makes the try. What tries again
// by itself is a wait each time; a try whose result the loop does not go by is one, too. Behind the loop the warp is together again.
// RUN: split-file %s %t && kperf-rewrite --probes=sync %t/in.cu -o - | FileCheck %t/in.cu

//--- in.cu
__device__ bool ready(unsigned long long *bar, int parity) {
  unsigned done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(parity));
  return done;
}
__device__ void note(bool);
__global__ void k(int n) {
  __shared__ unsigned long long bars[4];
  bool done;
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&bars[0]), 0x{{.*}}u); for (;;) { if (ready(&bars[0], 0)) break; } }
  for (;;) { if (ready(&bars[0], 0)) break; }
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&bars[1]), 0x{{.*}}u); while (true) {
  while (true) {
    if (ready(&bars[1], 0)) { break; }
    __nanosleep(20);
  }
  // CHECK: {{^}}  { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&bars[2]), 0x{{.*}}u); do { done = ready(&bars[2], 0); } while (!done); }
  do { done = ready(&bars[2], 0); } while (!done);
  unsigned bar = __cvta_generic_to_shared(&bars[3]);
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(bar), 0x{{.*}}u); asm volatile("{.reg .pred p; LAB_WAIT:
    asm volatile("{.reg .pred p; LAB_WAIT: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra DONE; bra LAB_WAIT; DONE: }" ::"r"(bar), "r"(i & 1));
  }
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}    { const ::kperf::ConvergentWait {{.*}}(kperf_kernel, ::kperf::barrierAt(&bars[i]), 0x{{.*}}u); done = ready(&bars[i], 0); }
    done = ready(&bars[i], 0);
    note(done);
  }
  // One of several is not what is waited for.
  for (int i = 0; i < n; ++i)
    // CHECK: {{^}}    if (ready(&bars[i], 0)) break;
    if (ready(&bars[i], 0)) break;
}
