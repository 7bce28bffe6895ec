// What an object of a type that a template leaves open is made of may be bound to a reference: shared memory that a block's threads work in is
// not read there. What its functions take by value is.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --probes=memory %t/constructed.cu -o - | FileCheck %t/check.txt

//--- constructed.cu
#include "library.h"
template <typename T> struct Pair {
  T a, b;
  __device__ Pair(T a, T b) : a(a), b(b) {}
};
template <typename T, int N> __global__ void made(const T *in, T *out) {
  using Sums = Block<T, N>;
  __shared__ typename Sums::Storage storage;
  Sums named(storage);
  T sum = Sums(storage).sum(in[threadIdx.x]) + Sums{storage}.sum(in[1]);
  Sums(storage).scan(in[2], out[2]);
  out[3] = Pair<T>(in[3], in[4]).a + T{in[5]};
  Pair<T> pair(in[6], in[7]);
  Forwarding<T> kept(in[8], out[9]);
  kept.pass(in[10], out[11]);
}
template __global__ void made<float, 128>(const float *, float *);
//--- library.h
#pragma GCC system_header
template <typename T, int N> struct Block {
  struct Storage { T words[N]; };
  Block(Storage &storage);
  T sum(T input);
  template <int Items> T sum(T (&inputs)[Items]);
  void scan(T input, T &output);
};
template <typename T> struct Forwarding {
  template <typename... Arguments> Forwarding(Arguments &&...arguments);
  template <typename... Arguments> void pass(Arguments &&...arguments);
};
//--- check.txt
CHECK:      {{^}}  Sums named(storage);
CHECK-NEXT: {{^}}  T sum = Sums(storage).sum(::kperf::load(0x{{[0-9a-f]+}}u, in[threadIdx.x])) + Sums{storage}.sum(::kperf::load(0x{{[0-9a-f]+}}u, in[1]));
CHECK-NEXT: {{^}}  Sums(storage).scan(::kperf::load(0x{{[0-9a-f]+}}u, in[2]), out[2]);
CHECK-NEXT: {{^}}  ::kperf::store(0x{{[0-9a-f]+}}u, out[3]) = Pair<T>(::kperf::load(0x{{[0-9a-f]+}}u, in[3]), ::kperf::load(0x{{[0-9a-f]+}}u, in[4])).a + T{::kperf::load(0x{{[0-9a-f]+}}u, in[5])};
CHECK-NEXT: {{^}}  Pair<T> pair(::kperf::load(0x{{[0-9a-f]+}}u, in[6]), ::kperf::load(0x{{[0-9a-f]+}}u, in[7]));
CHECK-NEXT: {{^}}  Forwarding<T> kept(in[8], out[9]);
CHECK-NEXT: {{^}}  kept.pass(in[10], out[11]);
