// A function that does nothing but call one that waits is that wait, however many such functions there are: it is recorded once, where it is
// called, with the barrier that the argument and what is added to it name. Overloads are told apart where Clang knows which is meant.
// RUN: kperf-rewrite --probes=sync --target=cuda %s -o - -- -std=c++17 | FileCheck %s --match-full-lines
// RUN: kperf-rewrite --probes=sync --target=cuda %s --list-regions -- -std=c++17 | FileCheck %s --check-prefix=LIST
#define DEVICE __device__ __forceinline__

enum class Reserved { First = 1, Users = 8 };

struct NamedBarrier {
  static const unsigned kReserved = static_cast<unsigned>(Reserved::Users);
  static DEVICE void wait_internal(unsigned threads, unsigned id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads)); }
  static DEVICE void arrive_internal(unsigned threads, unsigned id) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads)); }
  static DEVICE void between(unsigned threads, unsigned id) { wait_internal(threads, id); }
  static DEVICE void meet(unsigned threads, unsigned id) { between(threads, id + kReserved); }
  static DEVICE void meet(unsigned threads, Reserved id) { between(threads, static_cast<int>(id)); }
  static DEVICE void arrive_at(unsigned threads, unsigned id) { arrive_internal(threads, id + kReserved); }
  // What it waits at is not an argument and a number: calls of it can't be told apart, its own can.
  static DEVICE void turn(unsigned threads, unsigned id) { between(threads, id ^ 1); }
};
// CHECK: static DEVICE void between(unsigned threads, unsigned id) { wait_internal(threads, id); }
// CHECK: static DEVICE void turn(unsigned threads, unsigned id) { {{.*}}between(threads, id ^ 1);{{.*}}

// A member that is a number can't be named where the object's member is called, and is no address of a barrier.
struct Numbered {
  unsigned id;
  DEVICE void arrive() const { NamedBarrier::arrive_internal(128, id); }
};
struct Shared {
  unsigned long long word;
  DEVICE void arrive() const { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(&word)))); }
};
__device__ void both(Shared &shared, const Numbered &numbered) {
  shared.arrive();
  numbered.arrive();
}
// CHECK: {{[{ ]*}}::kperf::signal(::kperf::barrierAt(&(shared)), {{.*}}shared.arrive();{{.*}}
// CHECK-NEXT: {{[{ ]*}}::kperf::signal(0u, {{.*}}numbered.arrive();{{.*}}

__global__ void kernel(unsigned mine) {
  NamedBarrier::meet(128, mine);
  NamedBarrier::meet(128, Reserved::First);
  NamedBarrier::arrive_at(128, 2);
}
// CHECK: { const ::kperf::{{[A-Z][a-z]*}}Wait kperf_wait_{{[0-9_]*}}(kperf_kernel, (static_cast<unsigned>(mine) + 8u), {{.*}}NamedBarrier::meet(128, mine);{{.*}}
// CHECK: { const ::kperf::{{[A-Z][a-z]*}}Wait kperf_wait_{{[0-9_]*}}(kperf_kernel, static_cast<unsigned>(Reserved::First), {{.*}}NamedBarrier::meet(128, Reserved::First);{{.*}}
// CHECK: {{[{ ]*}}kperf_kernel.signal{{[A-Za-z]*}}((2u + 8u), {{.*}}NamedBarrier::arrive_at(128, 2);{{.*}}

// LIST-NOT: wait_internal(
// LIST: wait "between(id ^ 1)" in NamedBarrier::turn
// LIST: wait "meet(mine)" in kernel
// LIST: wait "meet(Reserved::First)" in kernel
// LIST: signal "arrive_at(2)" in kernel
