// A kernel with regions that whole warps come to, in loops or not, records frames: its object is a stream. Not where a region may be diverged,
// is only marked, is summed up or alone, where waits or functions record beside them, where the source launches it with narrower warps than
// a frame has words, and not in builds in which all goes through the kernel's object.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite in.cu -o - | FileCheck in.txt
// RUN: kperf-rewrite in.cu -o - -- -DKPERF_SWITCHABLE | FileCheck in.txt --check-prefix=OBJECT
// RUN: kperf-rewrite --sample=4 in.cu -o - 2>&1 | FileCheck in.txt --check-prefix=OBJECT
// RUN: kperf-rewrite --aggregate=sum in.cu -o - | FileCheck in.txt --check-prefix=OBJECT
// RUN: kperf-rewrite --probes=region,sync in.cu -o - | FileCheck in.txt --check-prefix=OBJECT
// RUN: kperf-rewrite --target=host in.cu -o - | FileCheck in.txt --check-prefix=OBJECT
// RUN: kperf-rewrite others.cu -o - | FileCheck others.txt
// RUN: kperf-rewrite called.cu -o - | FileCheck called.txt
// RUN: kperf-rewrite straight.cu -o - | FileCheck straight.txt

//--- in.cu
#include <kperf/annotate.h>
template <int N> __global__ void kernel(const float *a, float *out, int n) {
  __shared__ float stage[256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    KPERF_BEGIN("load");
    stage[threadIdx.x] = a[i * 256 + threadIdx.x];
    __syncthreads();
    KPERF_END("load");
    KPERF_BEGIN("sum");
    for (int k = 0; k < 256; ++k) sum += stage[k];
    KPERF_END("sum");
    if (i > N) { KPERF_SCOPE("late"); sum += 1; }
    __syncthreads();
  }
  KPERF_SCOPE("store");
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

//--- in.txt
CHECK: void kernel(const float *a, float *out, int n) { ::kperf::KernelStream<8u, ::kperf::MaxConvergent<~0u>> kperf_stream(0x{{[0-9a-f]+}}u, __PRETTY_FUNCTION__);
CHECK: for (int i = 0; i < n; ++i) { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream, 0x[[LOAD:[0-9a-f]+]]u, 0x18u);
CHECK-NEXT: {{^}}    kperf_frame.at<0u>(0x[[LOAD]]u); KPERF_BEGIN("load");
CHECK: __syncthreads(); kperf_stream.settle();
CHECK-NEXT: {{^}}    kperf_frame.at<1u>(0x[[LOAD]]u); KPERF_END("load");
CHECK-NEXT: {{^}}    KPERF_BEGIN("sum");
CHECK: {{^}}    kperf_frame.at<2u>(0x[[SUM:[0-9a-f]+]]u); KPERF_END("sum");
CHECK: { const ::kperf::FrameScope<3u, 4u, decltype(kperf_frame)> {{kperf_scope_[0-9_]+}}(kperf_frame, 0x{{[0-9a-f]+}}u); KPERF_SCOPE("late");
CHECK: {{^}}  const ::kperf::StreamScope<decltype(kperf_stream)> {{kperf_scope_[0-9_]+}}(kperf_stream, 0x{{[0-9a-f]+}}u); KPERF_SCOPE("store");
CHECK-NOT: kperf_kernel
OBJECT-NOT: Stream
OBJECT: ::kperf::Kernel<
OBJECT-NOT: Stream

//--- others.cu
#include <kperf/annotate.h>
__global__ void diverged(float *out, int n) {
  for (int i = threadIdx.x; i < n; i += 256) {
    { KPERF_SCOPE("a"); out[i] = 1; }
    { KPERF_SCOPE("b"); out[i] += 1; }
  }
}
__global__ void marked(float *out, int n) {
  for (int i = 0; i < n; ++i) {
    { KPERF_SCOPE("c"); out[i] = 1; }
    { KPERF_SCOPE("d"); out[i] += 1; }
    KPERF_MARK("here", i);
  }
}
__global__ void alone(float *out, int n) {
  for (int i = 0; i < n; ++i) { KPERF_SCOPE("e"); out[i] = 1; }
}
__global__ void left(float *out, int n) {
  for (int i = 0; i < n; ++i) {
    { KPERF_SCOPE("f"); out[i] = 1; }
    if (out[0] > 3)
      continue;
    { KPERF_SCOPE("g"); out[i] += 1; }
  }
}

//--- others.txt
CHECK: void diverged({{.*}} ::kperf::Kernel<
CHECK: void marked({{.*}} ::kperf::Kernel<
CHECK: void alone({{.*}} ::kperf::Kernel<
A jump may leave the pass: its clocks are stored at once.
CHECK: void left({{.*}} ::kperf::KernelStream<8u, ::kperf::MaxConvergent<~0u>> kperf_stream(
CHECK-NEXT: ::kperf::Frame<decltype(kperf_stream), true> kperf_frame(

//--- called.cu
#include <kperf/annotate.h>
__device__ void called(float *out) { KPERF_SCOPE("called"); out[0] = 1; }
__global__ void caller(float *out, int n) {
  for (int i = 0; i < n; ++i) {
    { KPERF_SCOPE("a"); called(out); }
    { KPERF_SCOPE("b"); out[i] += 1; }
  }
}

//--- called.txt
CHECK: void caller({{.*}} ::kperf::Kernel<
CHECK-NOT: Stream

//--- straight.cu
#include <kperf/annotate.h>
__global__ void straight(float *p) {
  { KPERF_SCOPE("a"); p[threadIdx.x] = 1; }
  { KPERF_SCOPE("b"); p[threadIdx.x] += 1; }
}
__global__ void single(float *p) { KPERF_SCOPE("c"); p[threadIdx.x] = 1; }
__global__ void thread(float *p) { { KPERF_SCOPE("d"); *p = 1; } { KPERF_SCOPE("e"); *p += 1; } }
__global__ void eight(float *p) { { KPERF_SCOPE("f"); *p = 1; } { KPERF_SCOPE("g"); *p += 1; } }
__global__ void ragged(float *p) { { KPERF_SCOPE("h"); *p = 1; } { KPERF_SCOPE("i"); *p += 1; } }
template <int N> __global__ void variable(float *p) { { KPERF_SCOPE("j"); *p = N; } { KPERF_SCOPE("k"); *p += 1; } }
__global__ void unknown(float *p) { { KPERF_SCOPE("l"); *p = 1; } { KPERF_SCOPE("m"); *p += 1; } }
#define TWICE(x) x x
__global__ void twice(float *p) { TWICE({ KPERF_SCOPE("n"); *p += 1; }) }
constexpr int kThreads = 2;
void launch(float *p, int n) {
  straight<<<n, 128>>>(p);
  thread<<<n, 128>>>(p);
  thread<<<1, 1>>>(p);
  eight<<<n, dim3(4, 2)>>>(p);
  ragged<<<n, 100>>>(p);
  const dim3 block(kThreads, 3);
  variable<7><<<n, block>>>(p);
  unknown<<<1, n>>>(p);
}

//--- straight.txt
A pass of two regions is a piece of two records at most for each, and has no more room.
CHECK: void straight(float *p) { ::kperf::KernelStream<8u, ::kperf::MaxConvergent<4u>> kperf_stream(0x{{[0-9a-f]+}}u); ::kperf::Frame<decltype(kperf_stream), false, true> kperf_frame(
CHECK: void single({{.*}} ::kperf::Kernel<
CHECK: void thread({{.*}} ::kperf::Kernel<
A frame of 8 words goes into a warp of 8 lanes, and into one of 4 it does not.
CHECK: void eight({{.*}} ::kperf::KernelStream<8u, ::kperf::MaxConvergent<4u>>
CHECK: void ragged({{.*}} ::kperf::Kernel<
CHECK: void variable({{.*}} ::kperf::Kernel<
CHECK: void unknown({{.*}} ::kperf::KernelStream<8u, ::kperf::MaxConvergent<4u>>
Text that is there twice can't be at two places of a frame.
CHECK: void twice({{.*}} ::kperf::Kernel<
