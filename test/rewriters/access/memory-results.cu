// What a function of the user's gives a reference or a pointer to is an access where it is used; where it may lead to an automatic
// variable it is listed.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
template <typename T> struct View {
  T *data; int stride;
  __device__ T &at(int r, int c) const { return data[r * stride + c]; }
  __device__ T &operator()(int r) { return data[r]; }
  __device__ T &operator[](int r) { return data[r]; }
  __device__ T *row(int r) const { return data + r * stride; }
};
struct Own { float v[4]; __device__ float &operator[](int i) { return v[i]; } __device__ const float &get(int i) const { return v[i]; } };
__device__ float &pick(float *p, int i) { return p[i]; }
__device__ float &same(float &x) { return x; }
__global__ void k(View<float> a, View<float> b, float *p) {
  a.at(1, 2) = b.at(2, 1);
  a(3) += b(4);
  a[5]++;
  a.row(3)[2] = *b.row(4);
  Own o; o[1] = p[2]; p[3] = o.get(1) + o[2];
  pick(p, 3) = pick(p, 4) * 2;
  float l[4]; pick(l, 1) = same(p[1]) + same(l[2]);
  atomicAdd(&a.at(1, 1), 1.f);
  float &r = a.at(7, 7); r = 3;
  const float *q = &a.at(0, 0); p[0] = q[3];
}
template <typename T> __global__ void g(View<T> a, View<T> b, T *p) {
  a.at(1, 2) = b.at(2, 1);
  a(3) += b(4);
  a[5]++;
  a.row(3)[2] = *b.row(4) + T(1);
}
template __global__ void g(View<int>, View<int>, int *);
//--- check.txt
CHECK-LABEL: void k(
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, a.at(1, 2)) = ::kperf::load(0x{{[0-9a-f]+}}u, b.at(2, 1));
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, a(3)) += ::kperf::load(0x{{[0-9a-f]+}}u, b(4));
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, a[5])++;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, a.row(3)[2]) = ::kperf::load(0x{{[0-9a-f]+}}u, *b.row(4));
CHECK-NEXT: {{^}}  Own o; o[1] = ::kperf::load(0x{{[0-9a-f]+}}u, p[2]); ::kperf::store(0x{{[0-9a-f]+}}u, p[3]) = o.get(1) + o[2];
CHECK-NEXT: {{^}}  pick(p, 3) = pick(p, 4) * 2;
CHECK-NEXT: {{^}}  float l[4]; pick(l, 1) = same(p[1]) + same(l[2]);
CHECK-NEXT: {{^}}  atomicAdd(::kperf::atomicAt(0x{{[0-9a-f]+}}u, &a.at(1, 1)), 1.f);
CHECK-NEXT: {{^}}  float &r = a.at(7, 7); ::kperf::store(0x{{[0-9a-f]+}}u, r) = 3;
CHECK-NEXT: {{^}}  const float *q = &a.at(0, 0); ::kperf::store(0x{{[0-9a-f]+}}u, p[0]) = ::kperf::load(0x{{[0-9a-f]+}}u, q[3]);
CHECK-LABEL: void g(
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, a.at(1, 2)) = ::kperf::load(0x{{[0-9a-f]+}}u, b.at(2, 1));
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, a(3)) += ::kperf::load(0x{{[0-9a-f]+}}u, b(4));
CHECK-NEXT: {{^}}  a[5]++;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, a.row(3)[2]) = ::kperf::load(0x{{[0-9a-f]+}}u, *b.row(4)) + T(1);
CHECK-DAG: "o[1]", "the reference that a function gives may be bound to an automatic variable",
CHECK-DAG: "pick(p, 3)", "the reference that a function gives may be bound to an automatic variable",
CHECK-DAG: "a[5]", "what leads to it depends on template arguments, by which it may be no pointer",
