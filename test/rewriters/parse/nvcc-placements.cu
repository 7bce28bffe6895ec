// Annotations and automatic regions wherever device code can stand, and nvcc compiles what comes out.
// REQUIRES: long, nvcc
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-cc --strict nvcc %sm90a -std=c++17 --extended-lambda --expt-relaxed-constexpr -rdc=true -Xcicc -O1 -Xptxas -O0 -Werror all-warnings -c annotated.cu -o annotated.o
// RUN: kperf-cc --auto=kernels,functions,loops,barriers,async --auto-guard=0 nvcc %sm90a -std=c++17 --extended-lambda --expt-relaxed-constexpr -rdc=true -cubin -fdevice-syntax-only plain.cu -o plain.cubin 2>&1 | FileCheck %s --allow-empty --check-prefix=SAID
// RUN: kperf-cc --no-compare --strict nvcc %sm90a -std=c++17 -cubin votes.cu -o votes.cubin 2>&1 | count 0
// RUN: kperf-cc --no-compare --strict --probes=region,memory,sync --exact nvcc %sm90a -std=c++17 -cubin votes.cu -o votes.cubin 2>&1 | count 0
// RUN: kperf-cc --no-compare --strict --probes=region,memory,sync nvcc %sm90a -std=c++17 -cubin votes.cu -o votes.cubin 2>&1 | count 0
// RUN: kperf-cc --strict --probes=region,memory,sync nvcc %sm90a -std=c++17 -cubin sampled.cu -o sampled.cubin 2>&1 | FileCheck %s --check-prefix=COUNTED
// RUN: not kperf-cc --strict --probes=memory --sample=accesses:64 nvcc %sm90a -std=c++17 -cubin sampled.cu -o sampled.cubin 2>&1 | FileCheck %s --check-prefix=ASKED
// A module without regions has no kernel to calibrate them by.
// RUN: kperf-cc --probes=memory --exact nvcc %sm90a -std=c++17 -ptx sampled.cu -o counted.ptx && grep -q 'entry.*4copy' counted.ptx && not grep calibrationKernel counted.ptx
// RUN: kperf-cc --auto=kernels --auto-guard=0 nvcc %sm90a -std=c++17 -ptx sampled.cu -o timed.ptx && grep -q calibrationKernel timed.ptx
// RUN: kperf-rewrite --auto=kernels,functions,loops,barriers,async --auto-guard=0 --list-regions plain.cu -- -std=c++17 --extended-lambda --expt-relaxed-constexpr -rdc=true 2>&1 | FileCheck %s
// RUN: kperf-rewrite --list-regions annotated.cu -- -std=c++17 --extended-lambda --expt-relaxed-constexpr -rdc=true 2>&1 | FileCheck %s --check-prefix=BY-HAND

// What ptxas refuses for the code that samples is counted without, unless a sample was asked for.
// COUNTED: warning: every execution of memory accesses is counted, as with --exact: the compiler fails with the code that samples them
// ASKED: ptxas fatal
// ASKED-NOT: every execution
// SAID-NOT: error
//      CHECK: automatic "for:[[#]]" in space::
//      CHECK: automatic "method:{{.*}} in space::Tile::method
//      CHECK: automatic "operator():{{.*}} in space::Tile::operator()
//      CHECK: automatic "helperOf:{{.*}} in space::helperOf
//      CHECK: kernel "generic" in generic
//      CHECK: automatic "lambda:{{.*}} in generic::(lambda)
//  CHECK-NOT: error

// BY-HAND-DAG: scope "method" in space::Tile::method
// BY-HAND-DAG: scope "operator" in space::Tile::operator+
// BY-HAND-DAG: scope "friend" in space::operator-
// BY-HAND-DAG: scope "static member" in space::Tile::count
// BY-HAND-DAG: scope "constructor" in space::Tile::Tile
// BY-HAND-DAG: scope "static" in hidden
// BY-HAND-DAG: scope "declared elsewhere" in elsewhere
// BY-HAND-DAG: scope "variadic" in total
// BY-HAND-DAG: scope "specialised" in total<>
// BY-HAND-DAG: scope "taken" in arms
// BY-HAND-DAG: scope "not taken" in arms
// BY-HAND-DAG: scope "generic lambda" in generic::(lambda)
// BY-HAND-DAG: scope "bounds" in bounded
// BY-HAND-DAG: scope "cluster" in clustered
// BY-HAND-DAG: scope "constant" in constant
// BY-HAND-DAG: scope "C" in plainC
// BY-HAND-DAG: scope "static kernel" in quiet
// BY-HAND-DAG: scope "variadic kernel" in pack
// BY-HAND-DAG: scope "extended lambda" in main::(lambda)
// BY-HAND-NOT: error

//--- elsewhere.h
#pragma once
__device__ int elsewhere(int n);
//--- annotated.cu
#include "elsewhere.h"
#include <cooperative_groups.h>
#include <kperf/annotate.h>
#define BODY(n) { KPERF_SCOPE("in a macro"); n += 1; }
#define TWICE(x) x; KPERF_MARK("in a macro"); x
namespace space {
template <class T> struct Tile {
  T data[4];
  __device__ Tile() { KPERF_SCOPE("constructor"); data[0] = T(); }
  __device__ T method(int n) const { KPERF_SCOPE("method"); return data[n & 3]; }
  __device__ Tile operator+(const Tile &other) const { KPERF_SCOPE("operator"); Tile r = *this; r.data[0] += other.data[0]; return r; }
  __device__ friend Tile operator-(const Tile &left, const Tile &right) { KPERF_SCOPE("friend"); Tile r = left; r.data[0] -= right.data[0]; return r; }
  static __device__ int count(int n) { KPERF_SCOPE("static member"); return n + 4; }
  template <int N> __device__ __noinline__ int unrolled() {
    int s = 0;
    KPERF_BEGIN("unrolled");
#pragma unroll
    for (int i = 0; i < N; ++i) s += data[i & 3];
    KPERF_END("unrolled");
    return s;
  }
};
inline namespace v1 { __device__ inline int inInline(int n) { KPERF_MARK("inline namespace", n); return n; } }
} // namespace space
namespace { __device__ int unnamed(int n) { KPERF_SCOPE("unnamed"); return n * 2; } }
static __device__ int hidden(int n) { KPERF_SCOPE("static"); BODY(n) return n * 3; }
__device__ int elsewhere(int n) { KPERF_SCOPE("declared elsewhere"); return n * 5; }
template <class... T> __device__ int total(T... values) { KPERF_SCOPE("variadic"); return (values + ... + 0); }
template <> __device__ int total<>() { KPERF_SCOPE("specialised"); return 0; }
template <bool B> __device__ int arms(int n) {
  if constexpr (B) { KPERF_SCOPE("taken"); return n; }
  else { KPERF_SCOPE("not taken"); return n + 1; }
}
__device__ constexpr int squared(int n) { return n * n; }
__global__ void generic(int *out, int n) {
  auto f = [&](auto value) { KPERF_SCOPE("generic lambda"); return value + n; };
  space::Tile<int> a, b;
  out[0] = f(1) + int(f(2.0f)) + (a + b).method(n) + (a - b).method(n) + a.template unrolled<4>() + space::Tile<int>::count(n);
  if constexpr (squared(2) == 4) { KPERF_SCOPE("constexpr branch"); out[1] = space::inInline(n) + unnamed(n); }
  else { KPERF_SCOPE("arm not taken"); out[1] = 0; }
  int k = n;
  BODY(k)
  BODY(k)
  TWICE(out[2] += hidden(k));
  TWICE(out[2] += elsewhere(k));
  out[3] = total(1, 2, 3) + total<>() + arms<true>(n) + arms<false>(n);
#pragma kperf region("switch")
  switch (n) { case 1: out[4] = 1; break; default: out[4] = 2; }
  switch (n) {
  case 2:
    #pragma kperf region("case")
    for (int i = 0; i < n; ++i) out[i] = 1;
    [[fallthrough]];
  default: KPERF_MARK("default", n);
  }
}
__global__ void __launch_bounds__(128, 2) bounded(int *out) { KPERF_SCOPE("bounds"); out[0] = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(int *out) {
  KPERF_SCOPE("cluster");
  cooperative_groups::this_cluster().sync();
  out[0] = 1;
}
struct Big { int v[16]; };
__global__ void constant(const __grid_constant__ Big big, int *out) { KPERF_SCOPE("constant"); out[0] = big.v[threadIdx.x & 15]; }
extern "C" __global__ void plainC(int *out) { KPERF_SCOPE("C"); out[0] = 1; }
static __global__ void quiet(int *out) { KPERF_SCOPE("static kernel"); out[0] = 1; }
template <class... T> __global__ void pack(int *out, T... values) { KPERF_SCOPE("variadic kernel"); out[0] = total(values...); }
template <class F> __global__ void apply(F f, int n) { KPERF_SCOPE("apply"); f(n); }
int main() {
  int *out = nullptr;
  generic<<<1, 32>>>(out, 1);
  bounded<<<1, 32>>>(out);
  clustered<<<2, 32>>>(out);
  constant<<<1, 32>>>(Big(), out);
  plainC<<<1, 32>>>(out);
  quiet<<<1, 32>>>(out);
  pack<<<1, 32>>>(out, 1, 2);
  apply<<<1, 32>>>([=] __device__(int i) { KPERF_SCOPE("extended lambda"); out[i] = i; }, 3);
  apply<<<1, 32>>>([=] __host__ __device__(int i) { KPERF_SCOPE("both sides"); out[i] = i; }, 3);
}
//--- plain.cu
#include <cooperative_groups.h>
#include <cuda/barrier>
#define EACH(i, n) for (int i = 0; i < (n); ++i)
#define PASS(...) __VA_ARGS__
#define KERNEL(name) __global__ void name(int *out, int n)
namespace space {
template <class T> struct Tile {
  T data[4];
  __device__ Tile() { EACH(i, 4) data[i] = T(); }
  template <class U> __device__ T method(U n) const { T s = 0; for (U i = 0; i < n; ++i) s += data[i & 3]; return s; }
  __device__ T &operator()(int i) { return data[i]; }
  friend __device__ bool operator<(const Tile &l, const Tile &r) { for (int i = 0; i < 4; ++i) if (l.data[i] >= r.data[i]) return false; return true; }
};
template <class T> __host__ __device__ inline T helperOf(T v) { while (v > 100) v /= 2; return v; }
struct Local { template <int N> struct Inner { static __device__ __forceinline__ int go(int n) { do { n -= N; } while (n > 0); return n; } }; };
} // namespace space
template <class T, int N> __device__ void unrolled(T (&values)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i)
#pragma unroll 4
    for (int j = 0; j < 8; ++j)
      values[i] += j;
  if constexpr (N > 4) {
    for (auto &value : values) value *= 2;
  } else
    for (auto &value : values) value *= 3;
}
template <class T> __global__ void __launch_bounds__(128) generic(T *out, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  auto f = [&](auto v) { EACH(i, n) v += i; return v; };
  space::Tile<T> tile;
  out[0] = f(T(1)) + tile.method(n) + tile(2) + T(space::helperOf(n)) + space::Local::Inner<3>::go(n);
  int values[8] = {};
  unrolled(values);
  PASS(EACH(i, n) { out[i] = values[i & 7]; })
  bar.arrive_and_wait();
  for (int i = 0; i < n; ++i) {
    if (i == 3) continue;
    if (i == 5) break;
    switch (i) { case 1: for (int j = 0; j < i; ++j) out[j] = 1; break; case 2: return; default: __syncwarp(); }
  }
  if (n > 2) for (int i = 0; i < n; ++i) out[i] = 2; else while (n-- > 0) out[n] = 3;
#if __CUDA_ARCH__ >= 900
  for (int i = 0; i < n; ++i) { out[i] += 4; }
#else
  for (int i = 0; i < n; ++i) { out[i] += 5; }
#endif
  auto group = cooperative_groups::this_thread_block();
  auto token = bar.arrive();
  bar.wait(std::move(token));
  group.sync();
}
KERNEL(macroHead) { EACH(i, n) out[i] = i; }
int main() { generic<<<1, 32>>>((int *)nullptr, 3); generic<<<1, 32>>>((float *)nullptr, 3); macroHead<<<1, 1>>>(nullptr, 1); }
//--- sampled.cu
__global__ void copy(float *out, const float *in) {
#if defined(__CUDA_ARCH__) && KPERF_ACCESSES_SAMPLED > 1
  asm volatile("ld.nothing;");
#endif
  out[threadIdx.x] = in[threadIdx.x];
}
//--- votes.cu
// Votes as CUB's match_any. Had the warp diverged for all that ptxas knows, it would need an eighth predicate, and has seven.
#include <kperf/annotate.h>
__device__ __forceinline__ unsigned matching(unsigned label) {
  KPERF_SCOPE("votes");
  unsigned lanes = 0;
#pragma unroll
  for (int bit = 0; bit < 8; ++bit) {
    unsigned voters;
    asm("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
        : "=r"(voters) : "r"(label), "r"(1 << bit));
    lanes = bit == 0 ? voters : lanes & voters;
  }
  return lanes;
}
__global__ void voting(unsigned *out, int n) { out[threadIdx.x] = matching(out[threadIdx.x] >> n); }
