// --probes=sync: where some lanes of a warp branch off to signal first of all, the whole warp records who will, in front of the branch.
// What only the branch knows is recorded there: an object that differs between lanes or that the condition changes, a signal behind
// other work, one lane alone.
// RUN: split-file %s %t && kperf-rewrite --probes=sync %t/in.cu -o - | FileCheck %t/in.cu

//--- in.cu
__device__ void arrive(unsigned long long *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"((unsigned)__cvta_generic_to_shared(bar)) : "memory");
}
__device__ void release(unsigned long long &bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"((unsigned)__cvta_generic_to_shared(&bar)) : "memory");
}
__device__ void arriveAt(unsigned long long *bar, unsigned rank) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(rank));
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
}
__device__ bool elect() {
  unsigned chosen;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(chosen));
  return chosen;
}
#define IF_LEADS if (lane < 2)

// Each is a record of a whole warp, for which the loop makes room.
// CHECK: void before(int n) { ::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::StagingRoom<5u>, ::kperf::HasObjects> kperf_kernel(
__global__ void before(int n) {
  __shared__ unsigned long long bars[4];
  const unsigned lane = threadIdx.x % 32;
  int others = 0;
  // CHECK: for (int i = 0; i < n; ++i) { kperf_kernel.reserve<5u>();
  for (int i = 0; i < n; ++i) {
    __threadfence();
    // CHECK: {{^}}    if (kperf_kernel.signalIf(0u, 0x{{[0-9a-f]+}}u, static_cast<bool>(i > 0 && lane < 2))) arriveAt(&bars[i], lane);
    if (i > 0 && lane < 2) arriveAt(&bars[i], lane);
    // CHECK: {{^}}    if (kperf_kernel.signalIf(::kperf::barrierAt(&bars[i]), 0x{{[0-9a-f]+}}u, static_cast<bool>(lane < 2))) { { arrive(&bars[i]); } ++others; }
    if (lane < 2) { { arrive(&bars[i]); } ++others; }
    // CHECK: {{^}}    if (kperf_kernel.signalIf(::kperf::barrierAt(&(bars[i % 4])), 0x{{[0-9a-f]+}}u, static_cast<bool>(elect()))) release(bars[i % 4]);
    if (elect()) release(bars[i % 4]);
    // CHECK: {{^}}    if (kperf_kernel.signalIf(::kperf::barrierAt(&bars[i]), 0x{{[0-9a-f]+}}u, static_cast<bool>(elect(), lane < 3))) arrive(&bars[i]);
    if (elect(), lane < 3) arrive(&bars[i]);
    // CHECK: {{^}}    if (kperf_kernel.signalIf(::kperf::barrierAt(&bars[i]), 0x{{[0-9a-f]+}}u, static_cast<bool>(elect() && bars[i]))) arrive(&bars[i]);
    if (elect() && bars[i]) arrive(&bars[i]);
  }
}

// CHECK: void within(int n, unsigned long long **far) {
__global__ void within(int n, unsigned long long **far) {
  __shared__ unsigned long long bars[4];
  const unsigned lane = threadIdx.x % 32;
  int others = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: {{^}}    if (kperf_kernel.signalIf(::kperf::barrierAt(far[i]), 0x{{[0-9a-f]+}}u, static_cast<bool>(lane < 2))) arrive(far[i]);
    if (lane < 2) arrive(far[i]);
    // CHECK: {{^}}    if (lane < 2) { kperf_kernel.divergentSignal(
    if (lane < 2) arrive(&bars[lane]);
    int j = 0;
    // CHECK: {{^}}    if (lane < 2 && j++ < n) { kperf_kernel.divergentSignal(
    if (lane < 2 && j++ < n) arrive(&bars[j]);
    // CHECK: {{^}}    if (lane < 2) { ++others; { kperf_kernel.divergentSignal(
    if (lane < 2) { ++others; arrive(&bars[i]); }
    // CHECK: {{^}}    if (const bool comes = lane < 2) { kperf_kernel.divergentSignal(
    if (const bool comes = lane < 2) arrive(&bars[i]);
    // CHECK: {{^}}    IF_LEADS { kperf_kernel.divergentSignal(
    IF_LEADS arrive(&bars[i]);
    // CHECK: {{^}}    if (lane < 7) if (lane < 5) { kperf_kernel.divergentSignal(
    if (lane < 7) if (lane < 5) arrive(&bars[i]);
    // CHECK: {{^}}    if (lane > 7) ++others; else { kperf_kernel.divergentSignal(
    if (lane > 7) ++others; else arrive(&bars[i]);
    // CHECK: {{^}}    if (lane == 0) { kperf_kernel.firstSignal(
    if (lane == 0) arrive(&bars[i]);
    // CHECK: {{^}}    if (n > 3) { kperf_kernel.signal(
    if (n > 3) arrive(&bars[i]);
  }
}
