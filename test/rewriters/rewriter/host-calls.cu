// The host target says, in front of each statement that may come to a probe in another function, which lines it has, and puts an object
// into the functions in question: with their last line where there is more than one way through.
// RUN: split-file %s %t && kperf-rewrite --target=host %t/in.cu -o - | FileCheck %t/check.txt
//--- in.cu
#include <kperf/annotate.h>
#define WORK(x) probed(x); x = plain(x)
__device__ int plain(int x) { return x < 0 ? 0 : x; }
__device__ int probed(int x) { KPERF_SCOPE("work"); return x + 1; }
__device__ int between(int x) {
  return x > 0 ? probed(x) : 0;
}
__device__ constexpr int atCompileTime(int x) { return x > 0 ? 1 : 0; }
struct Tile {
  __device__ Tile(int x) { KPERF_SCOPE("make"); if (x) x = 1; }
  __device__ int at(int x) const { KPERF_MARK("at"); return x; }
  __device__ int of(int x) const { return x; }
};
template <typename T> __device__ int ofTile(T tile) { return tile.at(1); }
template <typename T> __device__ int notOfTile(T tile) { return tile.of(1); }
template <typename F> __device__ int run(F f) { return f(1); }
__global__ void k(int *o, int n) {
  int x = plain(n);
  switch (n) {
  case 0: x = between(n); break;
  case 1: WORK(x); break;
  }
  if (n > 2)
    x = probed(2);
  else
    x = plain(2);
  for (int i = 0; i < n; ++i)
    x += probed(i);
  Tile tile(x);
  x += ofTile(tile) +
       notOfTile(tile);
  run([&](int i) { return probed(i); });
  o[0] = x + atCompileTime(n);
}
//--- check.txt
CHECK: __device__ int plain(int x) { return x < 0 ? 0 : x; }
CHECK-NEXT: __device__ int probed(int x) { const ::kperf::FunctionBody kperf_body(0); {{.*}}return x + 1; }
CHECK-NEXT: __device__ int between(int x) { const ::kperf::FunctionBody kperf_body(7);
CHECK-NEXT: {{^}}  ::kperf::calling(6, 6); return x > 0 ? probed(x) : 0;
CHECK-NEXT: }
CHECK-NEXT: __device__ constexpr int atCompileTime(int x) { return x > 0 ? 1 : 0; }
CHECK: __device__ Tile(int x) { const ::kperf::FunctionBody kperf_body(10);
CHECK: __device__ int at(int x) const { const ::kperf::FunctionBody kperf_body(0);
CHECK: __device__ int of(int x) const { return x; }
CHECK: int ofTile(T tile) { const ::kperf::FunctionBody kperf_body(0); ::kperf::calling(14, 14); return tile.at(1); }
CHECK-NEXT: int notOfTile(T tile) { return tile.of(1); }
CHECK-NEXT: int run(F f) { const ::kperf::FunctionBody kperf_body(0); ::kperf::calling(16, 16); return f(1); }
CHECK-NEXT: __global__ void k(int *o, int n) {
CHECK-NOT: FunctionBody
CHECK: {{^}}  int x = plain(n);
CHECK-NEXT: {{^}}  ::kperf::calling(19, 22); switch (n) {
CHECK-NEXT: {{^}}  case 0: ::kperf::calling(20, 20); x = between(n); break;
CHECK-NEXT: {{^}}  case 1: ::kperf::calling(21, 21); WORK(x); break;
CHECK: {{^}}  ::kperf::calling(23, 26); if (n > 2)
CHECK-NEXT: {{^}}    x = probed(2);
CHECK: ::kperf::calling(27, 28); for (int i = 0; i < n; ++i)
CHECK-NEXT: {{^}}    { const ::kperf::Iteration kperf_iteration(28); x += probed(i); }
CHECK-NEXT: ::kperf::calling(29, 29); Tile tile(x);
CHECK-NEXT: ::kperf::calling(30, 31); x += ofTile(tile) +
CHECK-NEXT: notOfTile(tile);
CHECK-NEXT: ::kperf::calling(32, 32); run([&](int i) { const ::kperf::FunctionBody kperf_body(0); ::kperf::calling(32, 32); return probed(i); });
CHECK-NEXT: o[0] = x + atCompileTime(n);
