// What a kernel template's text leaves open, its instances say where the source has all of them: a region is a whole warp's where it is in
// each. Where other sources may have instances, or code for the CPU alone, or Clang can't make one, it stays open.
// RUN: rm -rf %t && split-file %s %t && cd %t && kperf-rewrite one.cu -o - | FileCheck one.cu
// RUN: kperf-rewrite one.cu -o relocatable.cu -- -rdc=true && FileCheck %s --check-prefix=OPEN --input-file=relocatable.cu
// RUN: kperf-rewrite many.cu -o - | FileCheck %s --check-prefix=OPEN
// RUN: kperf-rewrite other.cu -o other.kperf.cu && FileCheck %s --check-prefix=OPEN --input-file=other.kperf.cu.overlay%t/kernel.h
// RUN: kperf-rewrite hidden.cu -o - | FileCheck %s --check-prefix=OPEN
// RUN: kperf-rewrite broken.cu -o - 2> said | FileCheck %s --check-prefix=OPEN
// OPEN: {{stays\(.*Convergent|Divergent}}Scope {{.*}}"length"

#--- kernel.h
#include <kperf/annotate.h>
struct Parameters {
  int rows;
  __device__ int length() const { return rows; }
};
struct OfWarp {
  int length;
  template <typename P> __device__ OfWarp(const P &parameters) { length = parameters.length(); }
};
struct OfLane {
  int length;
  template <typename P> __device__ OfLane(const P &) { length = threadIdx.x; }
};
template <typename Variant, typename P> __global__ void repeat(P parameters, int *out) {
  Variant variant(parameters);
  for (int i = 0; i < variant.length; ++i) { KPERF_SCOPE("length"); out[i] = 1; }
}
template <typename Variant, typename P> void launch(P parameters, int *out) {
  auto kernel = &repeat<Variant, P>;
  kernel<<<1, 32>>>(parameters, out);
}

#--- other.cu
#include "kernel.h"
int main() { launch<OfWarp>(Parameters{3}, nullptr); }

#--- many.cu
#include <kperf/annotate.h>
template <typename Lanes> __global__ void repeat(Lanes lanes, int *out) {
  for (int i = 0; i < Lanes::first(); ++i) { KPERF_SCOPE("length"); out[i] = 1; }
}
struct Even { static __device__ int first() { return 4; } };
struct Odd { static __device__ int first() { return threadIdx.x; } };
int main() {
  repeat<<<1, 32>>>(Even(), nullptr);
  repeat<<<1, 32>>>(Odd(), nullptr);
}

#--- hidden.cu
#include <kperf/annotate.h>
template <typename Lanes> __global__ void repeat(Lanes lanes, int *out) {
  for (int i = 0; i < Lanes::first(); ++i) { KPERF_SCOPE("length"); out[i] = 1; }
}
struct Even { static __device__ int first() { return 4; } };
struct Odd { static __device__ int first() { return threadIdx.x; } };
int main() {
  repeat<<<1, 32>>>(Even(), nullptr);
#ifndef __CUDA_ARCH__
  repeat<<<1, 32>>>(Odd(), nullptr);
#endif
}

#--- broken.cu
#include <kperf/annotate.h>
struct Even { static __device__ int first() { return 4; } };
template <typename Lanes> __global__ void repeat(Lanes lanes, int *out) {
  for (int i = 0; i < Lanes::first(); ++i) { KPERF_SCOPE("length"); out[i] = Lanes::missing(); }
}
int main() { repeat<<<1, 32>>>(Even(), nullptr); }

#--- one.cu
#include <kperf/annotate.h>
struct Parameters {
  int rows;
  __device__ int length() const { return rows; }
};
struct Lane { int index = threadIdx.x; };
struct Row { int index = 3; };

struct Uniform {
  Row row;
  int length;
  template <typename P> __device__ Uniform(const P &parameters) { length = parameters.length(); }
  __device__ int first() { return length - row.index; }
  template <typename T> __device__ T scaled(T value) { return value * first(); }
};
// CHECK-LABEL: void same(
template <typename Variant, typename P> __global__ void same(P parameters, int *out) {
  Variant variant(parameters);
  // CHECK: ConvergentScope {{.*}}"length"
  for (int i = 0; i < variant.length; ++i) { KPERF_SCOPE("length"); out[i] = 1; }
  out[1] = variant.scaled(threadIdx.x); // which reads the object only
  // CHECK: ConvergentScope {{.*}}"twice"
  if (variant.first() > 3) { KPERF_SCOPE("twice"); out[0] = 1; }
  if constexpr (sizeof(Variant) == 1)
    // CHECK: ConvergentScope {{.*}}"in no instance"
    if (threadIdx.x == 5) { KPERF_SCOPE("in no instance"); out[0] = 2; }
}

struct Member {
  Lane lane;
  int length;
  template <typename P> __device__ Member(const P &parameters) { length = parameters.length(); }
};
// CHECK-LABEL: void member(
template <typename Variant, typename P> __global__ void member(P parameters, int *out) {
  Variant variant(parameters);
  // CHECK: DivergentScope {{.*}}"made of a lane"
  if (variant.lane.index) { KPERF_SCOPE("made of a lane"); out[0] = 1; }
}

struct Changing {
  int length = 0;
  __device__ Changing() {}
  template <typename T> __device__ void set(T value) { length = value; }
  template <typename T> __device__ int *place(T) { return &length; }
};
// CHECK-LABEL: void changed(
template <typename Variant> __global__ void changed(Variant, int *out) {
  Variant variant, other;
  variant.set(threadIdx.x);
  // CHECK: DivergentScope {{.*}}"set by a member"
  if (variant.length) { KPERF_SCOPE("set by a member"); out[0] = 1; }
  *other.place(threadIdx.x) = threadIdx.x;
  // CHECK: DivergentScope {{.*}}"through what a member gave"
  if (other.length) { KPERF_SCOPE("through what a member gave"); out[0] = 1; }
}

template <typename... T> __device__ void unused(T &&...) {}
template <typename T> __device__ T reads(T &value) { return value + 1; }
template <typename T> __device__ void writes(T &value) { value = threadIdx.x; }
struct Writer {
  template <typename T> __device__ void operator()(T &value) const { value = threadIdx.x; }
};
// CHECK-LABEL: void referred(
template <typename T> __global__ void referred(T rows, T cols, T lanes, int *out) {
  unused(rows, cols);
  out[0] = reads(cols);
  // CHECK: ConvergentScope {{.*}}"read by reference"
  if (rows + cols > 3) { KPERF_SCOPE("read by reference"); out[0] = 1; }
  writes(lanes);
  // CHECK: DivergentScope {{.*}}"written by reference"
  if (lanes) { KPERF_SCOPE("written by reference"); out[0] = 1; }
  T other = 0;
  Writer()(other);
  // CHECK: DivergentScope {{.*}}"written by an object"
  if (other) { KPERF_SCOPE("written by an object"); out[0] = 1; }
}

// CHECK-LABEL: void called(
__global__ void called(int *out) {
  int value = 0;
  const Writer writer;
  writer(value);
  // CHECK: DivergentScope {{.*}}"by an object that is called"
  if (value) { KPERF_SCOPE("by an object that is called"); out[0] = 1; }
}

template <typename Variant, typename P> void launch(P parameters, int *out) {
  auto kernel = &same<Variant, P>;
  kernel<<<1, 32>>>(parameters, out);
}
template __global__ void changed<Changing>(Changing, int *);
int main() {
  launch<Uniform>(Parameters{3}, nullptr);
  member<Member><<<1, 32>>>(Parameters{3}, nullptr);
  referred<<<1, 32>>>(1, 2, 3, nullptr);
}
