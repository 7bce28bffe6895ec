// A function that only arrives is recorded where it is called, also where it works the barrier's number out, which callers can't say: the
// object is then some barrier of the block's (13), in a library's function around the instruction too. No other function's argument is
// taken for the number. One that does more than that is recorded within.
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
      Named::arrive(256, other + 3);
    }
  }
  __device__ void chosen(int number) {
    const int other = after(number);
    // CHECK: {{^}}    asm volatile("bar.arrive %0, 256;"
    asm volatile("bar.arrive %0, 256;" ::"r"(other));
  }
  __device__ void count(int *calls) {
    if constexpr (Groups == 2) {
      const int other = counted(calls);
      // CHECK: {{^}}      { ::kperf::signal(static_cast<unsigned>(other + 3), 0x{{[0-9a-f]+}}u); Named::arrive(256, other + 3); }
      Named::arrive(256, other + 3);
    }
  }
  __device__ void take(int *calls) {
    // CHECK: {{^}}    { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); next(); }
    next();
    // CHECK: {{^}}    { ::kperf::signal(0u, 0x{{[0-9a-f]+}}u); chosen(2); }
    chosen(2);
    // CHECK: {{^}}    count(calls);
    count(calls);
  }
};
__global__ void kernel(int *calls) { Turns<2>().take(calls); }
// Operation 3 with object 13, and with object 2.
// CHECK-DAG: 8u, "next", "Turns::take", {{.*}}u, 3331u}
// CHECK-DAG: 8u, "chosen", "Turns::take", {{.*}}u, 3331u}
// CHECK-DAG: 8u, "arrive(other + 3)", "Turns::count", {{.*}}u, 515u}
