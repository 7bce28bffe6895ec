// A reference that a library's function gives to a part of an object is an access where it is used: counted where the object is in memory,
// listed where the part may lie elsewhere, neither where the object is an automatic variable that holds its parts.
// RUN: split-file %s %t && cd %t
// RUN: kperf-rewrite --probes=memory in.cu -o - -- -isystem library | FileCheck check.txt

//--- library/parts.h
namespace library {
template <class T, int N> struct array {
  T held[N];
  __device__ T &operator[](int i) { return held[i]; }
  __device__ const T &operator[](int i) const { return held[i]; }
  __device__ T &front() { return held[0]; }
  __device__ T *data() { return held; }
};
template <class T> struct span {
  T *begin; int size;
  __device__ T &operator[](int i) const { return begin[i]; }
  __device__ T &operator()(int i) const { return begin[i]; }
  __device__ span &operator=(const span &other) { begin = other.begin; size = other.size; return *this; }
};
template <class T, class U> struct pair { T first; U second; };
template <int I, class T, class U> __device__ T &get(pair<T, U> &whole) { return whole.first; }
template <class T> __device__ const T &larger(const T &a, const T &b) { return a < b ? b : a; }
struct half { unsigned short bits; __device__ half &operator+=(half other) { bits += other.bits; return *this; } };
}

//--- in.cu
#include <parts.h>
struct Two { library::array<float, 2> rows[2]; };
__global__ void k(library::array<float, 4> *a, library::span<float> s, library::pair<float, int> *p, Two *two, library::half *h, float *o) {
  o[0] = a[1][2];
  a[3].front() = 1;
  (a + 4)->front() += 2;
  o[1] = two->rows[1][0];
  o[2] = s[5];
  s(6)++;
  o[3] = library::get<0>(p[7]);
  o[4] = library::larger(o[5], 1.f);
  h[8] += h[9];
  library::array<float, 4> own = a[10];
  o[6] = own[3] + own.front();
  library::span<float> view;
  view = s;
  o[7] = view[11];
  float *from = &a[12][0];
}

//--- check.txt
CHECK: __global__ void k(
CHECK-NEXT: o[0]) = ::kperf::load(0x{{[0-9a-f]+}}u, a[1][2]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, a[3].front()) = 1;
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, (a + 4)->front()) += 2;
CHECK-NEXT: o[1]) = ::kperf::load(0x{{[0-9a-f]+}}u, two->rows[1][0]);
CHECK-NEXT: o[2]) = s[5];
CHECK-NEXT: {{^}}  s(6)++;
CHECK-NEXT: o[3]) = ::kperf::load(0x{{[0-9a-f]+}}u, library::get<0>(p[7]));
CHECK-NEXT: o[4]) = library::larger(::kperf::load(0x{{[0-9a-f]+}}u, o[5]), 1.f);
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, h[8]) += ::kperf::load(0x{{[0-9a-f]+}}u, h[9]);
CHECK-NEXT: own = ::kperf::load(0x{{[0-9a-f]+}}u, a[10]);
CHECK-NEXT: o[6]) = own[3] + own.front();
CHECK-NEXT: view;
CHECK-NEXT: {{^}}  view = s;
CHECK-NEXT: o[7]) = view[11];
CHECK-NEXT: from = &a[12][0];
CHECK: 4u, "k", {{.*}}"a[1][2]", "",
CHECK: "s[5]", "the reference that a function gives may be bound to an automatic variable",
CHECK: "s(6)", "the reference that a function gives may be bound to an automatic variable",
CHECK-NOT: "own
CHECK: "view[11]", "the reference that a function gives may be bound to an automatic variable",
