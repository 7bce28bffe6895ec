// What the language accesses on its own, or names by other than an element or a member, is counted, or listed with the reason.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
void *operator new(decltype(sizeof(0)), void *) noexcept;
struct Pair { float x, y; };
struct Bits { int low : 3; };
struct Base { float b; };
struct Derived : Base { float d; };
struct Range { float *b, *e; __device__ float *begin() const; __device__ float *end() const; };
struct Copies { float x; __device__ Copies(const Copies &o) : x(o.x) {} };
struct Holds { Copies c; };
__device__ float table[4];
struct Made {
  float *p; float v, w = table[1];
  __device__ Made(float *q) : p(q), v(q[2]) {}
};
template <class T> struct MadeOf { T v; __device__ MadeOf(T *q) : v(q[3]) {} };
typedef float Vector __attribute__((ext_vector_type(4)));
__device__ void given(float v = table[2]);

__global__ void bindings(Pair *p, float (*a)[2], Bits *bits) {
  auto &[x, y] = p[0];
  x += y;
  auto [u, v] = p[1];
  u += v;
  auto [e, f] = a[2];
  auto &[low] = bits[3];
  low = 1;
  Pair own = {};
  auto &[m, n] = own;
  m = n;
}
template <class T> __global__ void open(T *p) {
  auto &[x, y] = p[0];
  x = 1;
  auto f = [v = p[1]] { return v; };
}
__global__ void members(Pair *p, float Pair::*m, Pair own) {
  p[0].*m = 1;
  (p + 1)->*m += own.*m;
}
__global__ void ranges(float *p) {
  for (float x : Range{p, p + 3}) given();
}
__global__ void copies(Copies *c, Holds *h, Derived *d, int *p) {
  Copies own = c[0];
  Holds held = h[1];
  Base base = d[2];
  p[0] = p[3] ?: p[4];
  p[1] = __builtin_bit_cast(int, d[5].d);
}
__global__ void news(float *p, Pair *q, Copies *c) {
  new (p + 1) float(2);
  new (q) Pair{1, 2};
  new (c + 3) Copies(c[4]);
  float local;
  new (&local) float(2);
  new float(5);
}
__global__ void lambdas(float *p) {
  float &r = p[0];
  auto f = [r] { return r; };
  auto g = [=] { return r + 1; };
  auto h = [&] { return r + 2; };
}
__global__ void vectors(Vector *p, float *q) {
  q[0] = p[0].y + p[1][2];
  Vector own = p[2];
  own.x = own[1];
}
__device__ float behind(const float *p) { return p[9]; }
struct Taints { float v; __device__ Taints(const float *t) : v(behind(t)) {} __device__ Taints(const float *t, int) : v(t[8]) {} };
__global__ void tainted() {
  float local = 0;
  Taints one(&local), two(&local, 0);
}
//--- check.txt
CHECK: float *p; float v, w = table[1];
CHECK: : p(q), v(::kperf::load({{.*}}u, q[2])) {}
CHECK: : v(::kperf::load({{.*}}u, q[3])) {}
CHECK: void given(float v = table[2]);
CHECK: auto &[x, y] = p[0];
CHECK-NEXT: {{^}}  ::kperf::update({{.*}}u, x) += ::kperf::load({{.*}}u, y);
CHECK-NEXT: {{^}}  auto [u, v] = ::kperf::load({{.*}}u, p[1]);
CHECK-NEXT: {{^}}  u += v;
CHECK-NEXT: {{^}}  auto [e, f] = a[2];
CHECK-NEXT: {{^}}  auto &[low] = bits[3];
CHECK-NEXT: {{^}}  low = 1;
CHECK: {{^}}  m = n;
CHECK: {{^}}  x = 1;
CHECK-NEXT: {{^}}  auto f = [v = ::kperf::load({{.*}}u, p[1])] { return v; };
CHECK: {{^}}  ::kperf::store({{.*}}u, p[0].*m) = 1;
CHECK-NEXT: {{^}}  ::kperf::update({{.*}}u, (p + 1)->*m) += own.*m;
CHECK: {{^}}  for (float x : Range{p, p + 3}) given();
CHECK: {{^}}  Copies own = c[0];
CHECK-NEXT: {{^}}  Holds held = h[1];
CHECK-NEXT: {{^}}  Base base = d[2];
CHECK-NEXT: {{^}}  ::kperf::store({{.*}}u, p[0]) = ::kperf::load({{.*}}u, p[3]) ?: ::kperf::load({{.*}}u, p[4]);
CHECK-NEXT: {{^}}  ::kperf::store({{.*}}u, p[1]) = __builtin_bit_cast(int, ::kperf::load({{.*}}u, d[5].d));
CHECK: {{^}}  new (::kperf::storeBytesAt<4>({{.*}}u, p + 1)) float(2);
CHECK-NEXT: {{^}}  new (::kperf::storeBytesAt<8>({{.*}}u, q)) Pair{1, 2};
CHECK-NEXT: {{^}}  new (c + 3) Copies(c[4]);
CHECK: {{^}}  new (&local) float(2);
CHECK-NEXT: {{^}}  new float(5);
CHECK: {{^}}  auto f = [r] { return r; };
CHECK-NEXT: {{^}}  auto g = [=] { return r + 1; };
CHECK-NEXT: {{^}}  auto h = [&] { return ::kperf::load({{.*}}u, r) + 2; };
CHECK: {{^}}  ::kperf::store({{.*}}u, q[0]) = p[0].y + p[1][2];
CHECK-NEXT: {{^}}  Vector own = ::kperf::load({{.*}}u, p[2]);
CHECK-NEXT: {{^}}  own.x = own[1];
CHECK: return p[9]; }
CHECK: v(behind(t)) {}{{.*}}v(t[8]) {}
CHECK-DAG: {0x000000u, 4u, {{.*}}"o.x", "a reference may be bound to an automatic variable", 7u
CHECK-DAG: {0x000000u, 4u, {{.*}}"table[1]", "a member's default initialiser, which host code may run", 11u
CHECK-DAG: {0x000000u, 4u, {{.*}}"table[2]", "a default argument, which other calls evaluate too", 16u
CHECK-DAG: {0x000000u, 4u, {{.*}}"a[2]", "an array is copied as a whole", 23u
CHECK-DAG: {0x000000u, 4u, {{.*}}"low", "a bit-field has no address", 25u
CHECK-DAG: {0x000000u, 4u, {{.*}}"x", "a reference may be bound to an automatic variable", 32u
CHECK-DAG: {0x000000u, 4u, {{.*}}"Range{p, p + 3}", "a range-based for reads the elements", 40u
CHECK-DAG: {0x000000u, 4u, {{.*}}"h[1]", "its class copies itself", 44u
CHECK-DAG: {0x000000u, 4u, {{.*}}"d[2]", "its base class alone is accessed", 45u
CHECK-DAG: {0x000000u, 4u, {{.*}}"c + 3", "a constructor stores it", 52u
CHECK-DAG: {0x000000u, 4u, {{.*}}"new float(5)", "new has no expression of what it allocates", 55u
CHECK-DAG: {0x000000u, 4u, {{.*}}"r", "a lambda's capture copies it", 59u
CHECK-DAG: {0x000000u, 4u, {{.*}}"=", "a lambda's capture copies it", 60u
CHECK-DAG: {0x000000u, 4u, {{.*}}"p[0].y", "an element of a vector has no address", 64u
CHECK-DAG: {0x000000u, 4u, {{.*}}"p[1][2]", "an element of a vector has no address", 64u
