// In a template Clang may not know which side of a subscript, or of a +, is the index: the array's own type says what is read.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/in.cu -o - | FileCheck %t/check.txt

//--- in.cu
template <int N> __global__ void lookUp(const float *code, const unsigned char *in, float *out) {
  __shared__ float table[4][256];
  unsigned char own[N];
  own[0] = in[threadIdx.x];
  out[0] = code[own[0]];
  out[1] = table[threadIdx.y][own[0]];
  out[2] = __ldg(&code[own[0]]);
}
template __global__ void lookUp<4>(const float *, const unsigned char *, float *);

struct Half { short bits; };
__device__ Half operator+(Half, Half);
__device__ Half operator-(Half, Half);
template <class I> __device__ int count(int *from, int *bins, I bin) {
  atomicAdd(bins + bin, 1);
  return from[0];
}
template <class I> __global__ void move(int *p, int *bins, I index) {
  p[0] = count(p + index, bins, index) + count(index + p, bins, index) + count(p - index, bins, index);
}
template __global__ void move<int>(int *, int *, int);
//--- check.txt
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, out[0]) = ::kperf::load(0x{{[0-9a-f]+}}u, code[own[0]]);
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, out[1]) = ::kperf::load(0x{{[0-9a-f]+}}u, table[threadIdx.y][own[0]]);
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, out[2]) = __ldg(::kperf::loadAt(0x{{[0-9a-f]+}}u, &code[own[0]]));
CHECK: atomicAdd(::kperf::atomicAt(0x{{[0-9a-f]+}}u, bins + bin), 1);
CHECK-NEXT: return ::kperf::load(0x{{[0-9a-f]+}}u, from[0]);
CHECK-NOT: it may be
