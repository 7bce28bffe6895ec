// A kernel that records nothing and comes to no function that does stays as it is. Where that can't be told it gets what such functions need.
// RUN: kperf-rewrite %s -o - | FileCheck %s
// RUN: kperf-rewrite --target=host %s -o - | FileCheck %s
#include <kperf/annotate.h>
#include <initializer_list>
__device__ float step(float x) { KPERF_SCOPE("step"); return x + 1; }
__device__ float twice(float x) { return x * 2; }
__device__ float through(float x) { return twice(step(x)); }
__device__ float elsewhere(float x);
struct Half {
  __device__ float operator()(float x) const { return x / 2; }
};
struct Stepped {
  float x;
  __device__ Stepped(float x) : x(step(x)) {}
};

// CHECK: {{^}}__global__ void none(float *p) { p[0] = twice(p[1]) + __fdividef(p[2], 3) + Half()(p[3]); __syncthreads(); }
__global__ void none(float *p) { p[0] = twice(p[1]) + __fdividef(p[2], 3) + Half()(p[3]); __syncthreads(); }
// CHECK: {{^}}template <class T> __global__ void noneOf(T *p) { p[0] = 1; }
template <class T> __global__ void noneOf(T *p) { p[0] = 1; }
// CHECK: {{^}}__global__ void first(float *p) { {{.*}} kperf_kernel({{.*}} p[0] = through(p[1]); }
__global__ void first(float *p) { p[0] = through(p[1]); }
// CHECK: {{^}}__global__ void built(float *p) { {{.*}} kperf_kernel({{.*}} Stepped stepped(p[1]); p[0] = stepped.x; }
__global__ void built(float *p) { Stepped stepped(p[1]); p[0] = stepped.x; }
// CHECK: {{^}}__global__ void unknown(float *p) { {{.*}} kperf_kernel({{.*}} p[0] = elsewhere(p[1]); }
__global__ void unknown(float *p) { p[0] = elsewhere(p[1]); }
// CHECK: {{^}}__global__ void pointed(float *p, float (*f)(float)) { {{.*}} kperf_kernel({{.*}} p[0] = f(p[1]); }
__global__ void pointed(float *p, float (*f)(float)) { p[0] = f(p[1]); }
// CHECK: {{^}}template <class F> __global__ void given(float *p, F f) { {{.*}} kperf_kernel({{.*}} p[0] = f(p[1]); }
template <class F> __global__ void given(float *p, F f) { p[0] = f(p[1]); }
void go(float *p) { noneOf<<<1, 1>>>(p); given<<<1, 1>>>(p, Half()); }
