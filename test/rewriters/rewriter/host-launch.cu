// Host target: launches become calls; where a template's arguments are deduced, or a macro launches, through a lambda.
// RUN: split-file %s %t
// RUN: kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt
// RUN: kperf-rewrite --target=host %t/named.cu -o - -- -DKERNEL=plain -DNAMED=TYPED | FileCheck %t/named.txt
// RUN: kperf-rewrite --target=host %t/instances.cu -o - | FileCheck %t/instances.txt
// RUN: not kperf-rewrite --target=host %t/torn.cu -o - 2>&1 | FileCheck %t/torn.txt

//--- in.cu
#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)
#define CHECK(x) x
#define NULL __null
__global__ void plain(float *p) { p[0] = 1; }
template <class T> __global__ void typed(T *p, int n) {}
template <int N, class T = float> __global__ void sized(T *p) {}
template <class T> __global__ void paired(T *p, int *q) {}
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
  paired<<<1, 32>>>(p, NULL), paired<<<1, 32>>>(p, 0), paired<<<1, 32>>>(p, nullptr), typed<float><<<1, 32>>>(NULL, 0);
  LAUNCH(plain, p);
  CHECK((plain<<<1, 1>>>(p)));
  auto pointer = &plain;
  pointer<<<1, 1>>>(p);
  dependent(p);
}
//--- check.txt
CHECK: #define LAUNCH(k, ...) ::kperf::host::launch(k, 1, 32)(__VA_ARGS__)
CHECK: ::kperf::host::launch([](auto &&...kperf_a) { typed(static_cast<decltype(kperf_a)>(kperf_a)...); }, dim3(1, 2), 32, 64).named("typed")(p, 1);
CHECK-NEXT: ::kperf::host::launch(typed<T>, 1, 32).named(::kperf::host::launchName<typed<T>>("typed"))(p, 1);
CHECK-NEXT: ::kperf::host::launch(sized<4>, 1, 32,
CHECK-NEXT: {{^}}             0, 0).named(::kperf::host::launchName<sized<4>>("sized"))(p);
CHECK: ::kperf::host::launch(plain, 1, 32).named("plain")(p); ::kperf::host::launch(typed<float>, 1, 32).named("typed<float>")(p, 3);
CHECK-NEXT: ::kperf::host::launch([](auto &&...kperf_a) { typed(static_cast<decltype(kperf_a)>(kperf_a)...); }, 1, 32).named("typed<float>")(p, 3);
CHECK-NEXT: {{.*}}(p, (decltype(nullptr))NULL), {{.*}}(p, (decltype(nullptr))0), {{.*}}(p, nullptr), ::kperf::host::launch(typed<float>, 1, 32).named("typed<float>")(NULL, 0);
CHECK-NEXT: LAUNCH(plain, p);
CHECK-NEXT: CHECK((::kperf::host::launch(plain, 1, 1).named("plain")(p)));
CHECK-NEXT: auto pointer = &plain;
CHECK-NEXT: ::kperf::host::launch(pointer, 1, 1)(p);
CHECK-NOT: KPERF_REGIONS

Macros that name the kernel.
//--- named.cu
#define CHECK(x) x
#define TYPED typed<float>
__global__ void plain(float *p) { p[0] = 1; }
template <class T> __global__ void typed(T *p) {}
void go(float *p) {
  KERNEL<<<1, 32>>>(p);
  CHECK((KERNEL<<<1, 32>>>(p)));
  NAMED<<<1, 32>>>(p);
}
//--- named.txt
CHECK: {{^}}  ::kperf::host::launch(KERNEL, 1, 32).named("plain")(p);
CHECK-NEXT: {{^}}  CHECK((::kperf::host::launch(KERNEL, 1, 32).named("plain")(p)));
CHECK-NEXT: {{^}}  ::kperf::host::launch(NAMED, 1, 32).named("typed<float>")(p);
Instances have their arguments in their names, unless two may be written alike: types of functions and of files, and lambdas.
//--- instances.cu
namespace n { struct Held {}; template <int... N, class T> __global__ void kernel(T t) {} }
namespace { struct OfFile {}; }
template <char C, bool B> __global__ void quoted() {}
int main() {
  struct Local {};
  n::kernel<1, -2><<<1, 32>>>(n::Held());
  n::kernel<<<1, 32>>>(Local());
  n::kernel<<<1, 32>>>(OfFile());
  n::kernel<<<1, 32>>>([] {});
  quoted<'"', true><<<1, 32>>>();
}
//--- instances.txt
CHECK: .named("n::kernel<1, -2, n::Held>")(n::Held());
CHECK-NEXT: .named("n::kernel")(Local());
CHECK-NEXT: .named("n::kernel")(OfFile());
CHECK-NEXT: .named("n::kernel")([] {});
CHECK-NEXT: .named("quoted<'\"', true>")();
//--- torn.cu
#define BEGIN int i = 0; plain
__global__ void plain(float *p) { p[0] = 1; }
void go(float *p) { BEGIN<<<1, 32>>>(p); }
//--- torn.txt
CHECK: torn.cu:3:21: error: this launch is put together by several macros: the host target needs the kernel and its <<<…>>> in one place: write out what they bring
