// In a template Clang may not know which side of a subscript is the index: the array's own type says what is read.
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
//--- check.txt
CHECK: ::kperf::store(0x{{[0-9a-f]+}}u, out[0]) = ::kperf::load(0x{{[0-9a-f]+}}u, code[own[0]]);
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, out[1]) = ::kperf::load(0x{{[0-9a-f]+}}u, table[threadIdx.y][own[0]]);
CHECK-NEXT: ::kperf::store(0x{{[0-9a-f]+}}u, out[2]) = __ldg(::kperf::loadAt(0x{{[0-9a-f]+}}u, &code[own[0]]));
CHECK-NOT: it may be
