// What a function of a library does with a reference, by its declaration: one that it forwards or that is const it reads, another it changes;
// std::move() and the like give what they are given; std::tie() keeps it. An operand "+r" of assembly is read and written. An argument that
// a macro reads in one place and writes in another has one text for both, and is listed.
// RUN: split-file %s %t && cd %t
// RUN: kperf-rewrite --probes=memory in.cu -o - -- -isystem library | FileCheck check.txt

//--- library/pair.h
namespace library {
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T &> { using type = T; };
template <class T> __device__ typename remove_reference<T>::type &&move(T &&t) { return static_cast<typename remove_reference<T>::type &&>(t); }
template <class T, class U> struct pair { T first; U second; };
template <class T, class U> __device__ pair<float, float> make_pair(T &&t, U &&u) { return {t, u}; }
template <class... T> __device__ int tie(T &...t) { return sizeof...(t); }
template <class T, class U> __device__ T exchange(T &old, U &&made) { T was = old; old = made; return was; }
template <class... T> __device__ float sum(T &&...t) { return (t + ...); }
}

//--- in.cu
#include <pair.h>
#define EXCHANGE(a, b) do { float held = a; a = b; b = held; } while (0)
#define SQUARE(a) ((a) * (a))
__global__ void k(float *v, int *n) {
  auto both = library::make_pair(v[1], v[2]);
  float moved = library::move(v[3]);
  float old = library::exchange(v[4], v[5]);
  float all = library::sum(v[6], both.first, v[7]);
  library::tie(v[8]);
  asm volatile("add.s32 %0, %0, 1;" : "+r"(n[9]));
  EXCHANGE(v[10], v[11]);
  v[12] = SQUARE(v[13]) + moved + old + all;
}
template <typename T> __global__ void t(T *v) { T moved = library::move(v[14]); v[15] = moved; }
namespace own { template <typename T> __device__ T move(T &from) { T was = from; from = T(); return was; } }
template <typename T> __global__ void u(T *v) { T moved = own::move(v[16]); v[17] = moved; }

//--- check.txt
CHECK: library::make_pair(::kperf::load(0x{{[0-9a-f]+}}u, v[1]), ::kperf::load(0x{{[0-9a-f]+}}u, v[2]))
CHECK: library::move(::kperf::load(0x{{[0-9a-f]+}}u, v[3]))
CHECK: library::exchange(::kperf::update(0x{{[0-9a-f]+}}u, v[4]), ::kperf::load(0x{{[0-9a-f]+}}u, v[5]))
CHECK: library::sum(::kperf::load(0x{{[0-9a-f]+}}u, v[6]), both.first, ::kperf::load(0x{{[0-9a-f]+}}u, v[7]))
CHECK: library::tie(v[8]);
CHECK: "+r"(::kperf::update(0x{{[0-9a-f]+}}u, n[9]))
CHECK: EXCHANGE(v[10], v[11]);
CHECK: SQUARE(::kperf::load(0x{{[0-9a-f]+}}u, v[13]))
CHECK: library::move(::kperf::load(0x{{[0-9a-f]+}}u, v[14]))
CHECK: T moved = own::move(v[16]); ::kperf::store(
CHECK-DAG: "v[8]", "a function of a library keeps a reference to it"
CHECK-DAG: "v[10]", "its macro reads it in one place and writes it in another"
CHECK-DAG: "v[11]", "its macro reads it in one place and writes it in another"
