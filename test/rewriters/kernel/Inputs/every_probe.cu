// Every probe, called as the rewriters' text calls it: what Clang is shown of the probes, and the probes of each target, take it.
// HAS_STREAMS and IS_HOST say what a target has beside what all have.
#include <kperf/rules/KernelTraits.h>
#include <kperf/rules/Probes.h>

// Traits in any order: what is chosen is told, and the others are their defaults.
#define COUNT(Trait, member)                                                                                                               \
  static_assert(::kperf::KernelTraits<::kperf::Trait<3u>>::member == 3 && ::kperf::KernelTraits<>::member == 0, #Trait);
#define FLAG(Trait, member) static_assert(::kperf::KernelTraits<::kperf::Trait>::member && !::kperf::KernelTraits<>::member, #Trait);
KPERF_KERNEL_TRAITS(COUNT, FLAG)
#undef COUNT
#undef FLAG
using Turned = ::kperf::KernelTraits<::kperf::Settles, ::kperf::MaxShared<~0u>, ::kperf::MaxConvergent<2u>>;
static_assert(Turned::settles && Turned::maxShared == ~0u && Turned::maxConvergent == 2 && Turned::maxDivergent == 0, "");

template <class, class... Traits> using KernelOf = ::kperf::Kernel<Traits...>;
#define COUNT(Trait, member) , ::kperf::Trait<2u>
#define FLAG(Trait, member) , ::kperf::Trait
using KernelWithAll = KernelOf<void KPERF_KERNEL_TRAITS(COUNT, FLAG)>;
#undef COUNT
#undef FLAG

#define EVENTS(prefix, begins, ends, marks, signals)                                                                                       \
  prefix begins(0x1u);                                                                                                                     \
  prefix ends(0x1u);                                                                                                                       \
  prefix marks(0x1u);                                                                                                                      \
  prefix marks(0x1u, (payload));                                                                                                           \
  prefix signals(2u, 0x1u);
#define FUNCTION_PROBES(part, scope, wait, ...)                                                                                            \
  { const ::kperf::scope kperf_scope(0x1u); }                                                                                              \
  { const ::kperf::wait kperf_wait(2u, 0x1u); }                                                                                            \
  EVENTS(::kperf::, __VA_ARGS__)

__global__ void ofKernel(long payload, bool comes) {
  KernelWithAll kperf_kernel(0x1u);
  kperf_kernel.name<0u, 0u>(0x2u);
#define KERNEL_PROBES(part, recordingLanes, scope, range, wait, ...)                                                                       \
  { const ::kperf::scope kperf_scope(kperf_kernel, 0x1u); }                                                                                \
  { ::kperf::range kperf_range; kperf_range.begin(kperf_kernel, 0x1u); kperf_range.end(kperf_kernel, 0x1u); }                              \
  { const ::kperf::wait kperf_wait(kperf_kernel, 2u, 0x1u); }                                                                              \
  EVENTS(kperf_kernel., __VA_ARGS__)
  KPERF_KERNEL_PROBES(KERNEL_PROBES)
  if (kperf_kernel.signalIf(2u, 0x1u, static_cast<bool>(comes)))
    kperf_kernel.settle();
  kperf_kernel.splitSettle();
  for (int i = 0; i < 3; ++i) {
    kperf_kernel.reserve<2u>();
    const ::kperf::SumScope kperf_scope(kperf_kernel, ::kperf::Sum<0u>(), 0x2u);
    ::kperf::SumRange<1u> kperf_range;
    kperf_range.begin(kperf_kernel, 0x3u);
    kperf_range.end(kperf_kernel, 0x3u);
  }
  ::kperf::ConvergentScopes kperf_scopes(kperf_kernel);
  kperf_scopes.next(0x1u);
  kperf_scopes.next(0x2u);
}

__global__ void ofCopies(long payload) {
  const auto kperf_body = [&](const bool kperf_isRecorded) {
    ::kperf::Kernel<::kperf::MaxShared<~0u>> kperf_kernel(kperf_isRecorded, 0x1u);
    kperf_kernel.divergentMark(0x1u, (payload));
  };
  ::kperf::runBlock(kperf_body);
}

#ifdef HAS_STREAMS
__global__ void ofLanesThatStay(int count) {
  ::kperf::Kernel<::kperf::MaxConvergent<~0u>, ::kperf::Narrows> kperf_kernel(0x1u);
  if (!kperf_kernel.stays(!static_cast<bool>(count < 0)))
    return;
  { const ::kperf::Reconvergence kperf_reconvergence(kperf_kernel); while (kperf_kernel.stays(static_cast<bool>(count-- > 0))) {
    const ::kperf::ConvergentScope kperf_scope(kperf_kernel, 0x2u);
  } }
}
#endif

template <class T> __global__ void ofTemplate(T) { ::kperf::Kernel<::kperf::MaxConvergent<1u>> kperf_kernel(0x1u, __PRETTY_FUNCTION__); }
template __global__ void ofTemplate<int>(int);

__device__ void ofFunction(unsigned long long *barrier, unsigned payload) {
  KPERF_PROBES(KPERF_NO_PROBES, FUNCTION_PROBES, KPERF_NO_PROBES, KPERF_NO_PROBES)
  ::kperf::settle();
  ::kperf::signal(::kperf::expectedAt(::kperf::barrierAt(barrier), static_cast<unsigned>(payload)), 0x1u);
}
struct Barrier {
  unsigned long long word;
  __device__ void arrive() {}
  __device__ void wait(unsigned) {}
};
__device__ void ofBarrier(Barrier &barrier, int other) {
  const ::kperf::Wait kperf_wait(::kperf::barrierAwaitedOf(barrier), 0x1u);
  ::kperf::signal(::kperf::barrierOf(barrier), 0x1u);
  ::kperf::signal(::kperf::barrierOf(other), 0x1u);
  ::kperf::signal(::kperf::barrierOfBlock(barrier), 0x1u);
  ::kperf::signal(::kperf::barrierOf(Barrier{}), 0x1u);
  ::kperf::signal(::kperf::barrierOfBlock(Barrier{}), 0x1u);
  const Barrier constant{};
  ::kperf::signal(::kperf::barrierAwaitedOf(constant), 0x1u);
}
struct Stage {
  static constexpr unsigned Stages = 4;
  unsigned index;
  __device__ Stage &advance(unsigned stages) { return index = (index + stages) % Stages, *this; }
  __device__ operator unsigned() const { return index; }
};
struct Pipeline {
  unsigned long long *barriers;
  __device__ unsigned long long *producer_get_barrier(unsigned stage) { return barriers + stage; }
};
__device__ void ofPipeline(Pipeline pipeline, int other) {
  ::kperf::signal(::kperf::slotAt(pipeline, 1), 0x1u);
  ::kperf::signal(::kperf::slotAt(other, 1), 0x1u);
  const ::kperf::Wait kperf_wait(::kperf::slotAwaitedAt(pipeline, 2u), 0x1u);
  ::kperf::signal(::kperf::slotAwaitedAt(Pipeline{}, 1), 0x1u);
  const ::kperf::Wait kperf_last(::kperf::lastSlotAwaitedAt(pipeline, Stage{1}), 0x1u);
}
__global__ void caller(unsigned long long *barrier) {
  ::kperf::Kernel<::kperf::MaxShared<~0u>, ::kperf::IsCalled> kperf_kernel(0x1u);
  ofFunction(barrier, 3);
}

#ifndef IS_HOST
__global__ void ofLoop(bool isRecorded, int n) {
  ::kperf::SampledLoop kperf_loop_0;
  for (int i = 0; i < n; ++i) {
    const auto kperf_iteration = [&](const ::kperf::IterationSample kperf_sample) { return i == 3 && kperf_sample.moment != 0; };
    if (kperf_loop_0.run(kperf_iteration) || kperf_loop_0.run(isRecorded, kperf_iteration))
      break;
  }
}
#endif

#ifdef HAS_STREAMS
#define STREAM_PROBES(part, scope, range, wait, ...)                                                                                       \
  { const ::kperf::scope<decltype(kperf_stream)> kperf_scope(kperf_stream, 0x1u); }                                                        \
  { ::kperf::range kperf_range; kperf_range.begin(kperf_stream, 0x1u); kperf_range.end(kperf_stream, 0x1u); }                              \
  { const ::kperf::wait<decltype(kperf_stream)> kperf_wait(kperf_stream, 2u, 0x1u); }                                                      \
  EVENTS(kperf_stream., __VA_ARGS__)

__device__ void ofStream(float *p, int n, long payload) {
  ::kperf::FunctionStream<8u> kperf_stream(0x1u, 0u);
  KPERF_STREAM_PROBES(STREAM_PROBES)
  for (int i = 0; i < n; ++i) {
    ::kperf::Frame<decltype(kperf_stream), true> kperf_frame(kperf_stream, 0x1u, 0x1u);
    const ::kperf::FrameScope<0u, 1u, decltype(kperf_frame)> kperf_scope(kperf_frame, 0x1u);
    kperf_frame.put<2u>(3u);
    kperf_frame.at<3u>(0x1u);
    if (p[i] == 0)
      break;
  }
  for (int i = 0; i < n; ++i) {
    ::kperf::Frame<decltype(kperf_stream), false, false, 0x7u> kperf_frame(kperf_stream, 0x1u, 0x8u);
    kperf_frame.at<0u>(0x1u);
    kperf_frame.put<1u>(3u);
    kperf_frame.at<3u>(0x1u);
  }
}
__device__ void ofRow(unsigned payload) { KPERF_PROBES(KPERF_NO_PROBES, KPERF_NO_PROBES, KPERF_NO_PROBES, FUNCTION_PROBES) }
__global__ void streamCaller(float *p, int n) {
  ::kperf::forgetStreams();
  ::kperf::CalledKernel kperf_kernel(0x1u);
  const ::kperf::EventRow kperf_row;
  ofStream(p, n, 1);
  ofRow(2);
  { const ::kperf::RowSignal kperf_signal(2u, 0x1u); }
}
template <class T> __global__ void ofKernelStream(T n, long payload) {
  ::kperf::KernelStream<8u, ::kperf::Settles> kperf_stream(0x1u, __PRETTY_FUNCTION__);
  KPERF_STREAM_PROBES(STREAM_PROBES)
  kperf_stream.settle();
  for (T i = 0; i < n; ++i) {
    ::kperf::Frame<decltype(kperf_stream)> kperf_frame(kperf_stream, 0x1u);
    const ::kperf::FrameScope<0u, 1u, decltype(kperf_frame)> kperf_scope(kperf_frame, 0x1u);
  }
}
template __global__ void ofKernelStream<int>(int, long);
__global__ void settled() { ::kperf::KernelStream<8u> kperf_stream(0x1u); }
#endif

#ifdef IS_HOST
template <class T> __global__ void named(T) {
  ::kperf::Kernel<::kperf::MaxConvergent<1u>> kperf_kernel(0x1u, ::kperf::instanceName(__PRETTY_FUNCTION__, [] {}));
  const ::kperf::FunctionBody kperf_body(4);
  ::kperf::calling(2, 3);
  const ::kperf::Iteration kperf_iteration(3);
}
template __global__ void named<int>(int);
#endif
