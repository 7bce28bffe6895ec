// Host target: a launch that leaves out default arguments, or names one of several kernels, calls the kernel by its name, as the source does.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-cc host %t/run.cu -o %t/run && env KPERF=0 %t/run | FileCheck %t/run.txt
// RUN: not kperf-rewrite --target=host %t/computed.cu -o - 2>&1 | FileCheck %t/computed.txt

//--- in.cu
#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)
namespace n { __global__ void filled(int *p, int with = 3) {} }
__global__ void overloaded(int *p) {}
__global__ void overloaded(float *p) {}
template <class T> __global__ void typed(T *p, T with = T(4)) {}
template <class T, class... All> void dependent(T *p, All... all) {
  typed<T><<<1, 32>>>(p);
  n::filled<<<1, 32>>>(p);
  n::filled<<<1, 32>>>(all...);
  overloaded<<<1, 32>>>(p);
}
int main() {
  int *p = nullptr;
  n::filled<<<1, 32, 64>>>(p); n::filled<<<1, 32>>>(p, 4);
  n::filled // in two lines
      <<<1, 32>>>(p);
  typed<<<1, 32>>>(p);
  overloaded<<<1, 32>>>(p);
  LAUNCH(n::filled, p);
  dependent(p, p);
}
//--- check.txt
CHECK: #define LAUNCH(k, ...) ::kperf::host::launch([](auto &&...kperf_a) { k(static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 32)(__VA_ARGS__)
CHECK: ::kperf::host::launchFirst<1>([](auto &&...kperf_a) { typed<T>(static_cast<decltype(kperf_a)>(kperf_a)...); }, typed<T>, 1, 32).named(::kperf::host::launchName<typed<T>>("typed"))(p);
CHECK-NEXT: ::kperf::host::launchFirst<1>([](auto &&...kperf_a) { n::filled(static_cast<decltype(kperf_a)>(kperf_a)...); }, n::filled, 1, 32).named("n::filled")(p);
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { n::filled(static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 32).named("n::filled")(all...);
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { overloaded(static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 32).named("overloaded")(p);
CHECK: ::kperf::host::launchFirst<1>([](auto &&...kperf_a) { n::filled(static_cast<decltype(kperf_a)>(kperf_a)...); }, n::filled, 1, 32, 64).named("n::filled")(p); ::kperf::host::launch(n::filled, 1, 32).named("n::filled")(p, 4);
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { n::filled // in two lines
CHECK-NEXT: (static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 32).named("n::filled")(p);
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { typed(
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { overloaded(
CHECK-NEXT: LAUNCH(n::filled, p);
//--- run.cu
#include <cstdio>
struct Pair { int a, b; };
namespace n { constexpr int kTen = 10; __global__ void add(int *p, Pair pair, int *none, int with = kTen) { *p = pair.a + pair.b + with + (none != nullptr); } }
__global__ void all(int with = 1, dim3 blocks = dim3(2)) { printf("all %d %u\n", with, blocks.x); }
__global__ void which(int *p) { *p = 1; }
__global__ void which(float *p) { *p = 2; }
template <class T> __global__ void several(T *p) { *p = 3; }
template <class T> __global__ void several(T *p, int with) { *p = with; }
int main() {
  int *p = nullptr;
  cudaMalloc(&p, sizeof(int));
  n::add<<<1, 1>>>(p, {1, 2}, NULL);
  printf("add %d\n", *p);
  all<<<1, 1>>>();
  which<<<1, 1>>>(p);
  printf("which %d\n", *p);
  several<int><<<1, 1>>>(p);
  printf("several %d\n", *p);
  several<int><<<1, 1>>>(p, 4);
  printf("several %d\n", *p);
}
//--- run.txt
CHECK: add 13
CHECK-NEXT: all 1 2
CHECK-NEXT: which 1
CHECK-NEXT: several 3
CHECK-NEXT: several 4
//--- computed.cu
int next();
__global__ void seeded(int *p, int seed = next()) {}
int main() {
  seeded<<<1, 1>>>(nullptr, 4);
  seeded<<<1, 1>>>(nullptr);
}
//--- computed.txt
CHECK-NOT: computed.cu:4
CHECK: computed.cu:5:3: error: a default argument of this launch is computed: the host target would do so in each thread; pass the argument
