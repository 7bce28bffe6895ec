// A function with regions in loops or in lambdas, or with four and more that all of its lanes come to, keeps its warp's place itself. Ranges and scopes that follow each other on one path
// are clocks at places of a frame; what the path may leave out is zeroed first, and where one range ends and the next begins stands one clock.
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: kperf-rewrite frames.cu -o - | FileCheck frames.txt
// RUN: kperf-rewrite records.cu -o - | FileCheck records.txt
// RUN: kperf-rewrite --probes=region,sync frames.cu -o - | FileCheck frames.txt
// RUN: kperf-rewrite --probes=region,sync waits.cu -o - | FileCheck waits.txt
// RUN: kperf-rewrite --probes=region,sync rows.cu -o - | FileCheck rows.txt
// RUN: kperf-rewrite --probes=region,sync rows.cu -o - -- -rdc=true | FileCheck rows.txt --check-prefix=RELOCATABLE
// RUN: kperf-rewrite --target=host frames.cu -o - | FileCheck frames.txt --check-prefix=HOST
// RUN: kperf-rewrite shared.cu -o - | FileCheck shared.txt
// RUN: kperf-rewrite straight.cu -o - | FileCheck straight.txt
// RUN: kperf-rewrite branches.cu -o - | FileCheck branches.txt

//--- frames.cu
#include <kperf/annotate.h>
template <int N> struct Main {
  __device__ void multiply(float *out, int n) {
    auto step = [&](int i, auto) {
      KPERF_BEGIN("a"); out[i] = N; KPERF_END("a");
      KPERF_BEGIN("b"); out[i] *= 2; KPERF_END("b");
      { KPERF_SCOPE("c"); out[i] += 3; }
      if (i & 1) { KPERF_SCOPE("d"); out[i] += 4; }
    };
    for (int i = 0; i < n; ++i)
      step(i, 1);
  }
};
template <int N> __global__ void kernel(float *out, int n) { Main<N>().multiply(out, n); }

//--- frames.txt
CHECK: __device__ void multiply(float *out, int n) { ::kperf::FunctionStream<16u> kperf_stream(0x[[B:[0-9a-f]+]]u, 0u);
CHECK-NEXT: auto step = [&](int i, auto) __attribute__((always_inline)) { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream, 0x[[A:[0-9a-f]+]]u, 0x60u);
CHECK-NEXT: {{^      }}kperf_frame.at<0u>(0x[[A]]u); KPERF_BEGIN("a"); out[i] = N; kperf_frame.at<1u>(0x[[A]]u); KPERF_END("a");
CHECK-NEXT: {{^      }}KPERF_BEGIN("b"); out[i] *= 2; kperf_frame.at<2u>(0x[[#%x,SECOND:]]u); KPERF_END("b");
CHECK-NEXT: { const ::kperf::FrameScope<3u, 4u, decltype(kperf_frame)> {{kperf_scope_[0-9_]+}}(kperf_frame, 0x[[B]]u); KPERF_SCOPE("c");
CHECK-NEXT: if (i & 1) { const ::kperf::FrameScope<5u, 6u, decltype(kperf_frame)>
CHECK: __global__ void kernel(float *out, int n) { ::kperf::CalledKernel kperf_kernel(0x{{[0-9a-f]+}}u, __PRETTY_FUNCTION__); Main
CHECK: KPERF_REGIONS({0x[[A]]u, 2u, "a", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x100u, 0x[[#SECOND]]u},
CHECK-NEXT: "b", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x201u, 0x[[B]]u},
CHECK-NEXT: "c", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x403u, 0x
CHECK-NEXT: "d", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x605u},
HOST-NOT: Stream
HOST: ::kperf::begin(0x
HOST-NOT: Stream

//--- waits.cu
#include <kperf/annotate.h>
__device__ void ring(float *out, unsigned barrier, int n) {
  for (int i = 0; i < n; ++i) {
    KPERF_BEGIN("turn"); __syncthreads(); KPERF_END("turn");
    KPERF_BEGIN("use"); out[i] = 1; KPERF_END("use");
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier));
    if (i & 1)
      __syncthreads();
  }
  __syncthreads();
}
__global__ void kernel(float *out, int n) { ring(out, 0, n); }

//--- waits.txt
A wait that is all of a range has the range's clocks, and what a wait or a signal is for has a word; where a wait may be passed, its words are
zeroed. Outside of the loop it has a record, as long as a frame.
CHECK: __device__ void ring({{.*}}) { ::kperf::FunctionStream<8u> kperf_stream(0x[[STREAM:[0-9a-f]+]]u, 0u);
CHECK-NEXT: { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream, 0x[[TURN:[0-9a-f]+]]u, 0x[[#%x,ZEROED:]]u);
CHECK-NEXT: kperf_frame.at<0u>(0x[[TURN]]u); KPERF_BEGIN("turn"); { __syncthreads(); kperf_frame.at<1u>(0x[[WAIT:[0-9a-f]+]]u); } KPERF_END("turn");
CHECK-NEXT: {{^    }}KPERF_BEGIN("use"); out[i] = 1; kperf_frame.at<2u>(0x[[USE:[0-9a-f]+]]u); KPERF_END("use");
CHECK-NEXT: { kperf_frame.put<3u>(::kperf::barrierAt(barrier)); asm volatile(
CHECK-NEXT: if (i & 1)
CHECK-NEXT: { kperf_frame.at<4u>(0x[[ODD:[0-9a-f]+]]u); __syncthreads(); kperf_frame.at<5u>(0x[[ODD]]u); }
CHECK: { const ::kperf::StreamWait<decltype(kperf_stream)> {{.*}}(kperf_stream, 0u, 0x{{[0-9a-f]+}}u); __syncthreads(); }
CHECK: KPERF_REGIONS({0x[[TURN]]u, 2u, "turn", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x100u, 0x[[WAIT]]u},
CHECK-NEXT: {0x[[WAIT]]u, 7u, "__syncthreads", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x100u, 0x[[USE]]u},
CHECK-NEXT: {0x[[USE]]u, 2u, "use", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x201u, 0x[[SIGNAL:[0-9a-f]+]]u},
CHECK-NEXT: {0x[[SIGNAL]]u, 8u, "mbarrier.arrive{{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x30202u, 0x[[ODD]]u},
CHECK-NEXT: {0x[[ODD]]u, 7u, "__syncthreads", {{.*}}, KPERF_IN_STREAM | KPERF_IN_FRAME | 0x504u},

//--- rows.cu
#include <kperf/annotate.h>
__device__ void flat(float *out) {
  KPERF_SCOPE("flat");
  __syncthreads();
  KPERF_MARK("here", 3);
}
__device__ void loop(float *out, int n) {
  auto mask = [&](int i) { __syncthreads(); out[i] *= 2; };
  for (int i = 0; i < n; ++i) {
    KPERF_BEGIN("a"); out[i] = 1; KPERF_END("a");
    mask(i);
    KPERF_BEGIN("b"); out[i] = 2; KPERF_END("b");
  }
}
__global__ void kernel(float *out, int n) {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
  flat(out);
  loop(out, n);
}

//--- rows.txt
A kernel of another source, which opens no row, may call what is compiled to be linked.
RELOCATABLE-NOT: {{kperf::(Row|row|EventRow)}}
RELOCATABLE: const ::kperf::Scope {{kperf_scope_[0-9_]+}}(0x{{[0-9a-f]+}}u); KPERF_SCOPE("flat");
RELOCATABLE-NOT: {{kperf::(Row|row|EventRow)}}
Where warps give registers away, what is in no frame goes into the warp's row in device memory, which the kernel opens: no register of the
function's is taken for long, and no shared memory. That is so for what a lambda records that is called within a frame.
CHECK: const ::kperf::RowScope {{kperf_scope_[0-9_]+}}(0x{{[0-9a-f]+}}u); KPERF_SCOPE("flat");
CHECK-NEXT: { const ::kperf::RowWait {{kperf_wait_[0-9_]+}}(0u, 0x{{[0-9a-f]+}}u); __syncthreads(); }
CHECK-NEXT: ::kperf::rowMark(0x{{[0-9a-f]+}}u, (3)); KPERF_MARK
CHECK: __device__ void loop({{.*}}) { ::kperf::FunctionStream<8u> kperf_stream(
CHECK-NEXT: auto mask = [&](int i) __attribute__((always_inline)) { { const ::kperf::RowWait
CHECK-NEXT: { ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream,
CHECK: __global__ void kernel(float *out, int n) { ::kperf::CalledKernel kperf_kernel(0x{{[0-9a-f]+}}u); const ::kperf::EventRow kperf_row;

//--- records.cu
#include <kperf/annotate.h>
#define LOOPS KPERF_SCOPE("in a macro")
struct Ring {
  __device__ void fill(float *out, int n) {
    auto one = [&] (int i) -> int { KPERF_SCOPE("produce"); out[i] = i; return 1; };
    for (int i = 0; i < n; ++i)
      one(i);
  }
};
__device__ void nested(float *out, int n) {
  for (int i = 0; i < n; ++i) {
    KPERF_SCOPE("outer");
    for (int j = 0; j < n; ++j) {
      KPERF_SCOPE("inner");
      out[j] += i;
      KPERF_MARK("at", j);
    }
  }
}
__device__ void early(float *out, int n) {
  for (int i = 0; i < n; ++i) {
    KPERF_BEGIN("first");
    if (out[i] == 0)
      continue;
    KPERF_END("first");
    KPERF_BEGIN("second"); out[i] = 0; KPERF_END("second");
  }
}
__global__ void kernel(float *out, int n) {
  KPERF_SCOPE("own");
  Ring().fill(out, n);
  nested(out, n);
  early(out, n);
}

//--- records.txt
A record of four words for each where a frame would be no larger, where regions hold others that loop, and where one is left in its middle.
CHECK: __device__ void fill(float *out, int n) { ::kperf::FunctionStream<4u> kperf_stream(
CHECK-NEXT: auto one = [&] (int i) __attribute__((always_inline)) -> int { const ::kperf::StreamScope<decltype(kperf_stream)>
CHECK: __device__ void nested(float *out, int n) { ::kperf::FunctionStream<4u> kperf_stream(
CHECK: const ::kperf::StreamScope<decltype(kperf_stream)> {{.*}} KPERF_SCOPE("outer");
CHECK: const ::kperf::StreamScope<decltype(kperf_stream)> {{.*}} KPERF_SCOPE("inner");
CHECK: kperf_stream.mark(0x{{[0-9a-f]+}}u, (j)); KPERF_MARK
CHECK: __device__ void early(float *out, int n) { ::kperf::FunctionStream<4u> kperf_stream(0x{{[0-9a-f]+}}u, 2u);
CHECK: kperf_stream.begin(0x{{[0-9a-f]+}}u); KPERF_BEGIN("first");
CHECK: {{^}}    ::kperf::StreamRange [[R:kperf_range_[0-9_]+]]; [[R]].begin(kperf_stream, [[SECOND:0x[0-9a-f]+u]]); KPERF_BEGIN("second"); out[i] = 0; [[R]].end(kperf_stream, [[SECOND]]); KPERF_END("second");
A kernel with regions of its own has its object, and no part in shared memory.
CHECK: __global__ void kernel(float *out, int n) { ::kperf::forgetStreams(); ::kperf::Kernel<::kperf::MaxConvergent<1u>> kperf_kernel(

//--- shared.cu
#include <kperf/annotate.h>
#define TIMED(name) for (int i = 0; i < n; ++i) { KPERF_SCOPE("macro"); out[i] = 1; }
__device__ void flat(float *out) { KPERF_SCOPE("flat"); out[0] = 1; }
__device__ void macro(float *out, int n) { TIMED(x) }
__device__ void copies(float *out, int n) {
  auto one = [=](int i) { KPERF_SCOPE("copy"); out[i] = 1; };
  for (int i = 0; i < n; ++i)
    one(i);
}
__global__ void kernel(float *out, int n) { flat(out); macro(out, n); copies(out, n); }

//--- shared.txt
What runs straight through, what a macro holds, and a lambda that copies go through shared memory, as any function can.
CHECK-NOT: Stream
CHECK: ::kperf::Kernel<::kperf::MaxShared<~0u>, ::kperf::IsCalled> kperf_kernel(
CHECK-NOT: Stream

//--- straight.cu
#include <kperf/annotate.h>
__device__ void step(float *out) {
  KPERF_BEGIN("first"); out[0] = 1; KPERF_END("first");
  KPERF_BEGIN("second"); out[1] = 1; KPERF_END("second");
  KPERF_BEGIN("third"); out[2] = 1; KPERF_END("third");
  KPERF_BEGIN("fourth"); out[3] = 1; KPERF_END("fourth");
}
__device__ void few(float *out) {
  KPERF_BEGIN("one"); out[0] = 1; KPERF_END("one");
  KPERF_BEGIN("two"); out[1] = 1; KPERF_END("two");
  KPERF_BEGIN("three"); out[2] = 1; KPERF_END("three");
}
__global__ void kernel(float *out, int n) {
  for (int i = 0; i < n; ++i)
    step(out), few(out);
}

//--- straight.txt
CHECK: __device__ void step(float *out) { ::kperf::FunctionStream<8u> kperf_stream(0x[[F:[0-9a-f]+]]u, 0u); ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream, 0x[[F]]u);
CHECK: __device__ void few(float *out) {{{$}}
CHECK: __global__ void kernel(float *out, int n) { ::kperf::forgetStreams();

//--- branches.cu
#include <kperf/annotate.h>
__device__ void either(float *out) {
  if (threadIdx.x & 1) { KPERF_SCOPE("odd"); out[0] = 1; }
  { KPERF_SCOPE("all"); out[1] = 1; }
  { KPERF_SCOPE("still all"); out[2] = 1; }
  { KPERF_SCOPE("all to the end"); out[3] = 1; }
}
__device__ void leave(float *out) {
  { KPERF_SCOPE("before"); out[0] = 1; }
  { KPERF_SCOPE("just before"); out[2] = 1; }
  if (threadIdx.x == 0)
    return;
  { KPERF_SCOPE("after"); out[1] = 1; }
  { KPERF_SCOPE("long after"); out[3] = 1; }
}
template <bool isTwice> __device__ void chosen(float *out) {
  { KPERF_SCOPE("once"); out[0] = 1; }
  { KPERF_SCOPE("then"); out[2] = 1; }
  { KPERF_SCOPE("last"); out[3] = 1; }
  if constexpr (isTwice) { KPERF_SCOPE("twice"); out[1] = 1; }
}
__global__ void kernel(float *out) { either(out); leave(out); chosen<true>(out); }

//--- branches.txt
Where some lanes come without the one that would write, no record may be lost to that.
CHECK: __device__ void either(float *out) {{{$}}
CHECK: ::kperf::Scope {{.*}} KPERF_SCOPE("odd");
CHECK: __device__ void leave(float *out) {{{$}}
CHECK: ::kperf::Scope {{.*}} KPERF_SCOPE("after");
CHECK: __device__ void chosen(float *out) { ::kperf::FunctionStream<
