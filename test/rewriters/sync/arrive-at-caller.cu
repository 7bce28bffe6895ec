// A function that only arrives is recorded where it is called. Where it computes the barrier's number itself, a generated function with the
// same body returns the number to callers; where none can be generated, the object is some barrier of the block's (13). No other function's
// argument is taken for the number. A function that does more, or arrives at a barrier that only it can name, is recorded in its own body.
// RUN: kperf-rewrite --probes=sync %s -o - | FileCheck %s
struct Named {
  __device__ static void arrive(int threads, int number) { asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads)); }
  __device__ void arrive() const {}
};
__device__ int group() { return threadIdx.x / 128; }
__device__ int after(int number) { return number + 1; }
__device__ int counted(int *calls) { return ++*calls; }
template <int Groups> struct Turns {
  __device__ void next() {
    if constexpr (Groups == 2) {
      const int own = group() - 1;
      const int other = 1 - own;
      // CHECK: {{^}}      Named::arrive(256, other + 3);
      Named::arrive(256, other + 3); // of the other group
    }
    // CHECK: {{^}}  } __device__ __forceinline__ unsigned kperf_number_of_next() { unsigned kperf_number = 255u; { if constexpr (Groups == 2) {
    // CHECK-SAME: const int own = group() - 1; const int other = 1 - own;
    // CHECK-SAME: { (void)own; (void)other; kperf_number = static_cast<unsigned>(other + 3) + 0u; } } } return kperf_number; }
  }
  // CHECK: {{^}}  __device__ void chosen(int number, int threads = 256) const {
  __device__ void chosen(int number, int threads = 256) const {
    const int other = after(number);
    if (number > 1) {
      int early = number;
      asm volatile("bar.arrive %0, %1;" ::"r"(other), "r"(threads));
      int late = early;
    } else {
      int never = 0;
    }
    // CHECK: {{^}}  } __device__ __forceinline__ unsigned kperf_number_of_chosen(int number, int threads = 256) const {
    // CHECK-SAME: { const int other = after(number); if (number > 1) { int early = number;
    // CHECK-SAME: { (void)other; (void)early; kperf_number = static_cast<unsigned>(other) + 0u; } int late = early; } else { int never = 0; } }
  }
  template <int Number> __device__ void ofTemplate() {
    // CHECK: {{^}}    asm volatile("bar.arrive %0, 256;" ::"r"(after(Number)));
    asm volatile("bar.arrive %0, 256;" ::"r"(after(Number)));
  }
  // CHECK-NEXT: {{^}}  }{{$}}
  __device__ void count(int *calls) {
    if constexpr (Groups == 2) {
      const int other = counted(calls);
      // CHECK: {{^}}      { ::kperf::signal(static_cast<unsigned>(other + 3), 0x{{[0-9a-f]+}}u); Named::arrive(256, other + 3); }
      Named::arrive(256, other + 3);
    }
  }
  __device__ void take(int *calls) {
    // CHECK: {{^}}    { ::kperf::signal(kperf_number_of_next(), 0x{{[0-9a-f]+}}u); next(); }
    next();
    // CHECK: {{^}}    { ::kperf::signal(this->kperf_number_of_chosen(2), 0x{{[0-9a-f]+}}u); this->chosen(2); }
    this->chosen(2);
    // CHECK: {{^}}    { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); chosen(++*calls); }
    chosen(++*calls);
    // CHECK: {{^}}    { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); ofTemplate<3>(); }
    ofTemplate<3>();
    // CHECK: {{^}}    count(calls);
    count(calls);
  }
};
__global__ void kernel(int *calls) { Turns<2>().take(calls); }
// Which barrier of a ring's it is, callers don't say.
using __mbarrier_t = unsigned long long;
__device__ unsigned long long __mbarrier_arrive(__mbarrier_t *barrier);
struct Ring {
  __mbarrier_t full[2], whole;
  // CHECK: {{^}}  __device__ void fill(int i) { { ::kperf::signal(::kperf::barrierAt(&full[i]), 0x{{[0-9a-f]+}}u); __mbarrier_arrive(&full[i]); } }
  __device__ void fill(int i) { __mbarrier_arrive(&full[i]); }
  __device__ void fillAll() { __mbarrier_arrive(&whole); }
};
__global__ void rings(int i) {
  __shared__ Ring ring;
  // CHECK: {{^}}  ring.fill(i);
  ring.fill(i);
  // CHECK: {{^}}  { kperf_kernel.signal(::kperf::barrierAt(&(ring)), 0x{{[0-9a-f]+}}u); ring.fillAll(); }
  ring.fillAll();
}
// Operation 3 with object 2, and with object 13.
// CHECK-DAG: 8u, "next", "Turns::take", {{.*}}u, 515u}
// CHECK-DAG: 8u, "chosen", "Turns::take", {{.*}}u, 515u}
// CHECK-DAG: 8u, "chosen", "Turns::take", {{.*}}u, 3331u}
// CHECK-DAG: 8u, "ofTemplate", "Turns::take", {{.*}}u, 3331u}
// CHECK-DAG: 8u, "arrive(other + 3)", "Turns::count", {{.*}}u, 515u}
