// Host target: launches become calls; where a template's arguments are deduced, or a macro launches, through a lambda.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)
#define CHECK(x) x
__global__ void plain(float *p) { p[0] = 1; }
template <class T> __global__ void typed(T *p, int n) {}
template <int N, class T = float> __global__ void sized(T *p) {}
template <class T> void dependent(T *p) {
  typed<<<dim3(1, 2), 32, 64>>>(p, 1);
  typed<T><<<1, 32>>>(p, 1);
  sized<4><<<1, 32,
             0, 0>>>(p);
}
int main() {
  float *p = nullptr;
  plain<<<1, 32>>>(p); typed<float><<<1, 32>>>(p, 3);
  typed<<<1, 32>>>(p, 3);
  LAUNCH(plain, p);
  CHECK((plain<<<1, 1>>>(p)));
  auto pointer = &plain;
  pointer<<<1, 1>>>(p);
  dependent(p);
}
//--- check.txt
CHECK: #define LAUNCH(k, ...) ::kperf::host::launch(k, 1, 32)(__VA_ARGS__)
CHECK: ::kperf::host::launch([](auto &&...kperf_a) { typed(static_cast<decltype(kperf_a)>(kperf_a)...); }, dim3(1, 2), 32, 64).named("typed")(p, 1);
CHECK-NEXT: ::kperf::host::launch(typed<T>, 1, 32).named("typed")(p, 1);
CHECK-NEXT: ::kperf::host::launch(sized<4>, 1, 32,
CHECK-NEXT: {{^}}             0, 0).named("sized")(p);
CHECK: ::kperf::host::launch(plain, 1, 32).named("plain")(p); ::kperf::host::launch(typed<float>, 1, 32).named("typed")(p, 3);
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { typed(static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 32).named("typed")(p, 3);
CHECK-NEXT: LAUNCH(plain, p);
CHECK-NEXT: CHECK((::kperf::host::launch(plain, 1, 1).named("plain")(p)));
CHECK-NEXT: auto pointer = &plain;
CHECK-NEXT: ::kperf::host::launch(pointer, 1, 1)(p);
CHECK-NOT: KPERF_REGIONS
