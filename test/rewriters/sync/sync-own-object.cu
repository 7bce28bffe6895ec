// An object of the thread's own that waits is no barrier in shared memory: its address is not asked for, which would take it out of registers.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
struct Barrier {
  unsigned long long state;
  __device__ void wait(unsigned phase) {
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again; }" ::"r"((unsigned)__cvta_generic_to_shared(&state)), "r"(phase));
  }
};
struct Order {
  Barrier *barriers;
  unsigned stage;
  __device__ void wait(unsigned phase) { barriers[stage].wait(phase); }
};
template <class T> __global__ void kernel() {
  __shared__ Barrier shared;
  Barrier *const pointer = &shared;
  Order order{pointer, 0};
  T other{pointer, 1};
  order.wait(0);
  other.wait(0);
  shared.wait(0);
  pointer->wait(1);
}
template __global__ void kernel<Order>();
// CHECK: __global__ void kernel(
// CHECK: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); order.wait(0);
// CHECK-NEXT: (kperf_kernel, 0u, 0x{{[0-9a-f]+}}u); other.wait(0);
// CHECK-NEXT: (kperf_kernel, ::kperf::barrierAt(&(shared)), 0x{{[0-9a-f]+}}u); shared.wait(0);
// CHECK-NEXT: (kperf_kernel, ::kperf::barrierAt({{.*}}pointer{{.*}}), 0x{{[0-9a-f]+}}u); pointer->wait(1);
