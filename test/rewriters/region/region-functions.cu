// Regions may stand in any function that runs on the device, and are named after it.
// RUN: split-file %s %t
// RUN: kperf-rewrite %t/in.cu --list-regions -- --extended-lambda | FileCheck %t/check.txt

//--- in.cu
#include <kperf/annotate.h>
namespace outer { namespace inner {
struct Tile {
  float x;
  __device__ void load() { KPERF_SCOPE("load"); x = 1; }
  __device__ Tile operator+(const Tile &o) const { KPERF_SCOPE("plus"); return {x + o.x}; }
  __device__ ~Tile() { KPERF_SCOPE("drop"); }
  __device__ static float zero() { KPERF_SCOPE("zero"); return 0; }
  __device__ float outline() const;
  friend __device__ float peek(const Tile &t) { KPERF_SCOPE("peek"); return t.x; }
};
__device__ float Tile::outline() const { KPERF_SCOPE("outline"); return x; }
namespace { __host__ __device__ float both(float x) { KPERF_SCOPE("both"); return x; } }
} }
__global__ void k(float *p) {
  auto generic = [=](auto x) { KPERF_SCOPE("generic"); return x; };
  struct Local { __device__ float get() { KPERF_SCOPE("local"); return 1; } };
  p[0] = generic(1.f) + Local().get() + outer::inner::both(2);
}
template <class F> __global__ void apply(F f) { f(); }
void host(float *p) {
  auto extended = [=] __device__ { KPERF_SCOPE("extended"); p[0] = 1; };
  apply<<<1, 1>>>(extended);
}
//--- check.txt
CHECK: scope "load" in outer::inner::Tile::load
CHECK: scope "plus" in outer::inner::Tile::operator+
CHECK: scope "drop" in outer::inner::Tile::~Tile
CHECK: scope "zero" in outer::inner::Tile::zero
CHECK: scope "peek" in outer::inner::peek
CHECK: scope "outline" in outer::inner::Tile::outline
CHECK: scope "both" in outer::inner::(anonymous namespace)::both
CHECK: kernel "k" in k
CHECK: scope "generic" in k::(lambda)
CHECK: scope "local" in k(float *)::Local::get
CHECK: kernel "apply" in apply
CHECK: scope "extended" in host::(lambda)
CHECK-NOT: {{.}}
