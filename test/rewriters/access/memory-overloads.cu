// Somebody has overloaded operators, as cuda_fp16.h does: in a template, Clang leaves also those on pointers open. They are what
// they are without.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
struct Half { short bits; };
__device__ Half operator+(const Half &, const Half &);
__device__ Half operator-(const Half &, const Half &);
__device__ Half operator*(const Half &, const Half &);
__device__ Half &operator+=(Half &, const Half &);
__device__ Half &operator++(Half &);
__device__ Half operator++(Half &, int);
__device__ Half operator-(const Half &);
template <class T> __device__ void by(const T *pointer);
template <class T> __global__ void kernel(const T *in, T *out, int n) {
  T local[4];
  *out = *in + T(1);
  *(out + n) = *(in + n) * T(2);
  T x = __ldg(in + n), *q = out + 2 * n;
  *q++ = x;
  *q += -in[n];
  ++*q;
  auto r = n + in;
  x += *(r - 1);
  *(local + 1) = x;
  T *mine = local + n;
  *mine = *(&in[n] + 1);
}
template __global__ void kernel<Half>(const Half *, Half *, int);
template <class T> __global__ void arrays(int n) {
  __shared__ T tile[64];
  by(tile + n), by(tile);
}
//--- check.txt
CHECK:      {{^}}  T local[4];
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, *out) = ::kperf::load(0x{{[0-9a-f]+}}u, *in) + T(1);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, *(out + n)) = ::kperf::load(0x{{[0-9a-f]+}}u, *(in + n)) * T(2);
CHECK-NEXT: {{^}}  T x = __ldg(::kperf::loadAt(0x{{[0-9a-f]+}}u, in + n)), *q = out + 2 * n;
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, *q++) = x;
CHECK-NEXT: {{^}}  ::kperf::update(0x{{[0-9a-f]+}}u, *q) += - ::kperf::load(0x{{[0-9a-f]+}}u, in[n]);
CHECK-NEXT: {{^}}  ++ ::kperf::update(0x{{[0-9a-f]+}}u, *q);
CHECK-NEXT: {{^}}  auto r = n + in;
CHECK-NEXT: {{^}}  x += ::kperf::load(0x{{[0-9a-f]+}}u, *(r - 1));
CHECK-NEXT: {{^}}  *(local + 1) = x;
CHECK-NEXT: {{^}}  T *mine = local + n;
CHECK-NEXT: {{^}}  *mine = ::kperf::load(0x{{[0-9a-f]+}}u, *(&in[n] + 1));
CHECK:      {{^}}  by(tile + n), by(tile);
CHECK:      0x000000u, 4u, {{.*}}"*mine", "it may be an automatic variable,
