// What leads to memory has a probe, however it is written: pointers that parameters, other memory, functions and templates' members give. What may
// lead to an automatic variable has none, and is listed.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o %t/out.cu -- -std=c++17
// RUN: cat %t/out.cu | FileCheck %t/check.txt
// RUN: cat %t/out.cu | FileCheck %t/called.txt

//--- in.cu
#include <utility>
struct Pair { int x, y; };
struct Holder {
  int *data;
  int &one;
  int own[4];
  static __device__ int shared;
};
__device__ int Holder::shared;
__managed__ int managed;
__device__ int table[8];

__device__ int *next(int *p) { return p + 1; }
__device__ int &at(int *p, int i) { return p[i]; }
__device__ int *ofTable(int i) { auto unused = [] { return 0; }; return &table[i]; }
__device__ int *once(int *p) { return ofTable(1); }
__device__ int *twice(int *p) { return once(p); }
__device__ int *thrice(int *p) { return twice(p); }
__device__ int *fourTimes(int *p) { return thrice(p); }
__device__ int *elsewhere(int *p);
__device__ int &reference(int i) { return table[i]; }
__device__ int &again(int i) { return reference(i); }
struct Ring { int *base; __device__ int *slot(int i) { return base + i; } __device__ int &operator[](int i) { return base[i]; } };

__global__ void pointers(int *a, int *b, Pair *pairs, int n) {
  *(&a[0] + 1) = 1;
  (n, a)[2] = 2;
  int *p = a;
  (p = b)[3] = 3;
  (p += 4)[0] = 4;
  *p++ = 5;
  *--p = 6;
  *(n ? a : b) = 7;
  (n ? a[1] : b[1]) = 8;
  1[a] = 9;
  int Pair::*member = &Pair::y;
  pairs->*member = 10;
  pairs[1].*member = 11;
  (n, a[5]) = 14;
  *reinterpret_cast<int *>(0x1000) = 15;
  next(a)[0] = 16;
  at(a, 1) = 17;
  reference(2) = 18;
  again(3) = 19;
}
__global__ void objects(Holder holder, Ring ring, int n) {
  holder.data[n] = 1;
  holder.one = 2;
  holder.own[n] = 3;
  Holder::shared = 4;
  holder.shared = 5;
  managed = 6;
  ring.slot(n)[0] = 7;
  ring[n] = 8;
}
__global__ void automatic(int *a, int n) {
  int local[4] = {};
  int *p = local;
  p[1] = 1;
  next(local)[0] = 2;
  at(local, 1) = 3;
  int *either = n ? a : local;
  either[0] = 4;
  int &r = local[2];
  r = 5;
  int &s = a[2];
  s = 6;
  Pair pair{};
  Pair *q = &pair;
  q->x = 7;
  constexpr int numbers[] = {1, 2};
  a[0] = numbers[n];
}
__global__ void bindings(Pair *pairs, int n) {
  auto &[x, y] = pairs[n];
  x = 1;
  auto [u, v] = pairs[n];
  u = 2;
  auto &&[f, s] = std::pair<int *, int>(&pairs->x, 1);
  f[0] = 3;
  Pair local{};
  auto &[k, l] = local;
  k = 4;
}
template <class T> struct Box { T *data; T *row[2]; T flat[2]; T value; };
template <class T> __device__ T *made(T *p, int i) { return p + i; }
template <class T> struct View {
  T *base;
  __device__ void set(int i) { base[i] = T(1); this->base[i] = T(2); }
};
template <class T> __global__ void dependent(T *a, T *b, void *raw, Box<T> box, Box<T> *boxes, int n) {
  static_cast<T *>(raw)[n] = T(1);
  ((T *)raw)[n] = T(2);
  (n ? a : b)[n] = T(3);
  *(n ? a : b) = T(4);
  box.data[n] = T(5);
  boxes->data[n] = T(6);
  boxes[n].value = T(7);
  box.row[1][n] = T(8);
  box.flat[n] = T(9);
  boxes->flat[n] = T(10);
  made(a, n)[0] = T(11);
  auto *q = a + n;
  q[0] = T(12);
  auto open = b;
  *open = T(13);
  T *ends[2] = {a, b};
  ends[n][0] = T(14);
  *(b - n) = T(15);
  a[b - a] = T(16);
  *q++ = T(17);
  View<T>{a}.set(n);
}
template __global__ void dependent<int>(int *, int *, void *, Box<int>, Box<int> *, int);
__global__ void results(int *a) {
  *ofTable(1) = 1;
  *fourTimes(a) = 2;
  *elsewhere(a) = 3;
  Ring ring{a};
  *ring.slot(1) = 4;
}
// References, and objects of member functions, are in memory where every call says so.
struct Grid {
  float cells[64], first;
  __device__ float &at(int i) { return cells[i]; }
  __device__ float get(int i) const { return cells[i] + at2(i); }
  __device__ float at2(int i) const { return this->cells[i + 1]; }
};
template <int N> struct Rows {
  float cells[64];
  __device__ float &operator()(int i) { return cells[i * N]; }
  __device__ float sum(int n) const { return cells[n]; }
};
struct Mixed { float own[4]; __device__ float get(int i) const { return own[i]; } };
struct Given { float own[4]; __device__ float get(int i) const { return own[i]; } };
struct Copied { float own[4]; __device__ float get(int i) const { return own[i]; } };
struct Opened { float own[4]; __device__ float open(int i) const { return own[i]; } };
struct Functor { float own; __device__ float operator()(float &x) const { return x * own; } };
__device__ void set(float &r) { r = 1; }
__device__ void forward(float &f) { set(f); }
__device__ void mixed(float &m) { m = 2; }
__device__ void nobody(float &n) { n = 3; }
__device__ float fixed(const float &c) { return c; }
__device__ float captured(float &r) { return [r] { return r; }(); }
template <class T> __device__ void put(T &t) { t.first = 4; }
template <class T> __global__ void overlaid(int n) {
  __shared__ unsigned char bytes[sizeof(Box<T>)];
  auto &box = *reinterpret_cast<Box<T> *>(bytes);
  box.flat[n] = T(9);
  box.row[1][n] = T(10);
  auto *same = reinterpret_cast<Box<T> *>(bytes);
  same->flat[n] = T(11);
}
template __global__ void overlaid<float>(int);
template <class T> __device__ float opened(T t) { return t.open(1); }
__global__ void members(float *out, Given given, int n) {
  __shared__ Grid grid;
  __shared__ Rows<3> rows;
  __shared__ Mixed memory;
  __shared__ Opened sharedOpened;
  __shared__ Copied copied;
  grid.at(n) = 5;
  rows(n) = 6;
  out[0] = grid.get(n) + rows.sum(n) + sharedOpened.open(n) + copied.get(n);
  Mixed local{};
  out[1] = memory.get(n) + local.get(n) + given.get(n) + opened(Opened{}) + Copied(copied).get(n);
  set(out[2]);
  forward(out[3]);
  float own = 0;
  mixed(out[4]);
  mixed(own);
  out[5] = fixed(out[6]) + fixed(1) + Functor{1}(out[7]);
  put(grid);
  out[8] = captured(out[9]);
}
//--- check.txt
CHECK: __global__ void pointers(
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *(&a[0] + 1)) = 1;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, (n, a)[2]) = 2;
CHECK-NEXT: {{^ +}}int *p = a;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, (p = b)[3]) = 3;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, (p += 4)[0]) = 4;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *p++) = 5;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *--p) = 6;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *(n ? a : b)) = 7;
CHECK-NEXT: {{^ +}}(n ? ::kperf::store(0x{{[0-9a-f]+}}u, a[1]) : ::kperf::store(0x{{[0-9a-f]+}}u, b[1])) = 8;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, 1[a]) = 9;
CHECK-NEXT: {{^ +}}int Pair::*member = &Pair::y;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, pairs->*member) = 10;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, pairs[1].*member) = 11;
CHECK-NEXT: {{^ +}}(n, ::kperf::store(0x{{[0-9a-f]+}}u, a[5])) = 14;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *reinterpret_cast<int *>(0x1000)) = 15;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, next(a)[0]) = 16;
CHECK-NEXT: {{^ +}}at(a, 1) = 17;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, reference(2)) = 18;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, again(3)) = 19;
CHECK: __global__ void objects(
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, holder.data[n]) = 1;
CHECK-NEXT: {{^ +}}holder.one = 2;
CHECK-NEXT: {{^ +}}holder.own[n] = 3;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, Holder::shared) = 4;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, holder.shared) = 5;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, managed) = 6;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, ring.slot(n)[0]) = 7;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, ring[n]) = 8;
CHECK: __global__ void automatic(
CHECK-NEXT: {{^ +}}int local[4] = {};
CHECK-NEXT: {{^ +}}int *p = local;
CHECK-NEXT: {{^ +}}p[1] = 1;
CHECK-NEXT: {{^ +}}next(local)[0] = 2;
CHECK-NEXT: {{^ +}}at(local, 1) = 3;
CHECK-NEXT: {{^ +}}int *either = n ? a : local;
CHECK-NEXT: {{^ +}}either[0] = 4;
CHECK-NEXT: {{^ +}}int &r = local[2];
CHECK-NEXT: {{^ +}}r = 5;
CHECK-NEXT: {{^ +}}int &s = a[2];
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, s) = 6;
CHECK-NEXT: {{^ +}}Pair pair{};
CHECK-NEXT: {{^ +}}Pair *q = &pair;
CHECK-NEXT: {{^ +}}q->x = 7;
CHECK-NEXT: {{^ +}}constexpr int numbers[] = {1, 2};
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, a[0]) = numbers[n];
CHECK: __global__ void bindings(
CHECK-NEXT: {{^ +}}auto &[x, y] = pairs[n];
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, x) = 1;
CHECK-NEXT: {{^ +}}auto [u, v] = ::kperf::load(0x{{[0-9a-f]+}}u, pairs[n]);
CHECK-NEXT: {{^ +}}u = 2;
CHECK-NEXT: {{^ +}}auto &&[f, s] = std::pair<int *, int>(&pairs->x, 1);
CHECK-NEXT: {{^ +}}f[0] = 3;
CHECK-NEXT: {{^ +}}Pair local{};
CHECK-NEXT: {{^ +}}auto &[k, l] = local;
CHECK-NEXT: {{^ +}}k = 4;
CHECK: template <class T> __global__ void dependent(
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, static_cast<T *>(raw)[n]) = T(1);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, ((T *)raw)[n]) = T(2);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, (n ? a : b)[n]) = T(3);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *(n ? a : b)) = T(4);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, box.data[n]) = T(5);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, boxes->data[n]) = T(6);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, boxes[n].value) = T(7);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, box.row[1][n]) = T(8);
CHECK-NEXT: {{^ +}}box.flat[n] = T(9);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, boxes->flat[n]) = T(10);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, made(a, n)[0]) = T(11);
CHECK-NEXT: {{^ +}}auto *q = a + n;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, q[0]) = T(12);
CHECK-NEXT: {{^ +}}auto open = b;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *open) = T(13);
CHECK-NEXT: {{^ +}}T *ends[2] = {a, b};
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, ends[n][0]) = T(14);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *(b - n)) = T(15);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, a[b - a]) = T(16);
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *q++) = T(17);
CHECK-NEXT: {{^ +}}View<T>{a}.set(n);
CHECK: __global__ void results(
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *ofTable(1)) = 1;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *fourTimes(a)) = 2;
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *elsewhere(a)) = 3;
CHECK-NEXT: {{^ +}}Ring ring{a};
CHECK-NEXT: {{^ +}}::kperf::store(0x{{[0-9a-f]+}}u, *ring.slot(1)) = 4;
CHECK: "Ring::slot", {{.*}}"base", "the object of a member function may be an automatic variable",
CHECK: "Ring::operator[]", {{.*}}"base", "the object of a member function may be an automatic variable",
CHECK: "pointers", {{.*}}"at(a, 1)", "the reference that a function gives may be bound to an automatic variable",
CHECK: "objects", {{.*}}"holder.one", "it may be an automatic variable, which would have to leave its registers",
CHECK: "automatic", {{.*}}"p[1]", "it may be an automatic variable, which would have to leave its registers",
CHECK: "automatic", {{.*}}"next(local)[0]", "it may be an automatic variable, which would have to leave its registers",
CHECK: "automatic", {{.*}}"at(local, 1)", "the reference that a function gives may be bound to an automatic variable",
CHECK: "automatic", {{.*}}"either[0]", "it may be an automatic variable, which would have to leave its registers",
CHECK: "automatic", {{.*}}"q->x", "it may be an automatic variable, which would have to leave its registers",
CHECK: "bindings", {{.*}}"f[0]", "it may be an automatic variable, which would have to leave its registers",
CHECK: "bindings", {{.*}}"f", "a reference may be bound to an automatic variable",
//--- called.txt
CHECK: struct Grid {
CHECK: { return cells[i]; }
CHECK-NEXT: { return ::kperf::load(0x{{[0-9a-f]+}}u, cells[i]) + at2(i); }
CHECK-NEXT: { return ::kperf::load(0x{{[0-9a-f]+}}u, this->cells[i + 1]); }
CHECK: struct Rows {
CHECK: { return cells[i * N]; }
CHECK-NEXT: { return ::kperf::load(0x{{[0-9a-f]+}}u, cells[n]); }
CHECK: struct Mixed {{.*}} { return own[i]; }
CHECK-NEXT: struct Given {{.*}} { return own[i]; }
CHECK-NEXT: struct Copied {{.*}} { return own[i]; }
CHECK-NEXT: struct Opened {{.*}} { return own[i]; }
CHECK-NEXT: struct Functor {{.*}} { return x * own; }
CHECK-NEXT: void set(float &r) { ::kperf::store(0x{{[0-9a-f]+}}u, r) = 1; }
CHECK-NEXT: void forward(float &f) { set(f); }
CHECK-NEXT: void mixed(float &m) { m = 2; }
CHECK-NEXT: void nobody(float &n) { n = 3; }
CHECK-NEXT: float fixed(const float &c) { return c; }
CHECK-NEXT: float captured(float &r) { return [r] { return r; }(); }
CHECK-NEXT: put(T &t) { ::kperf::store(0x{{[0-9a-f]+}}u, t.first) = 4; }
CHECK: void overlaid(
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, box.flat[n]) = T(9);
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, box.row[1][n]) = T(10);
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, same->flat[n]) = T(11);
CHECK: __global__ void members(
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, grid.at(n)) = 5;
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, rows(n)) = 6;
