// The probes on the host target: what the rewriter's insertions mean when a kernel runs on the CPU.
#ifndef KPERF_PROBE_HOST_H
#define KPERF_PROBE_HOST_H

#if defined(KPERF_HOST_LAUNCH_H) && !defined(KPERF_INSTRUMENTED)
#error "include <kperf/probe.h> before the CUDA headers, so that launches are seen"
#endif
#ifndef KPERF_INSTRUMENTED
#define KPERF_INSTRUMENTED 1
#endif

#include "host/cuda_runtime.h"

#include "host/WarpRecorder.h"

/// Where the probes record. One for all translation units of a program or library: kernels and device functions of headers
/// are merged between them.
inline kperf_device_config kperf_config = {};

namespace kperf {
namespace host {

/// The recorder of the calling thread's warp; null outside of kernels and while nothing is recorded.
inline WarpRecorder *currentRecorder() {
  const CudaThread *thread = currentThread;
  return thread ? static_cast<WarpRecorder *>(thread->warp->recorder.get()) : nullptr;
}

/// The first lane of a warp takes the slot. Returns null when nothing is recorded.
inline WarpRecorder *enterKernel(std::uint32_t id, const char *instantiation, std::uint32_t mostRecords) {
  CudaThread *thread = currentThread;
  if (!thread || kperf_config.arena == 0)
    return nullptr;
  Warp &warp = *thread->warp;
  if (!warp.recorder) {
    auto *recorder = new WarpRecorder(kperf_config, mostRecords, __builtin_popcount(warp.existing));
    warp.recorder = {recorder, [](void *pointer) { delete static_cast<WarpRecorder *>(pointer); }};
    recorder->describe(id, instantiation, *thread);
  }
  auto *recorder = static_cast<WarpRecorder *>(warp.recorder.get());
  if (!recorder->isRecording())
    return nullptr;
  recorder->enterKernel(readClock());
  return recorder;
}

/// Records an instant of the calling lane; a payload only for marks.
inline void recordEvent(std::uint32_t id, format::RecordKind kind, std::uint32_t payload) {
  WarpRecorder *recorder = currentRecorder();
  if (!recorder || !recorder->isRecording())
    return;
  const std::uint64_t now = readClock();
  const WarpRecorder::Index index = recorder->enter(id, kind, *currentThread);
  if (kind == format::RecordKind::Mark)
    recorder->stampPayload(index, payload, *currentThread);
  recorder->stampEvent(index, kind, now, *currentThread);
}

} // namespace host

/// Stands at the top of an instrumented kernel; its destructor runs on every way out.
class Kernel {
public:
  /// `instantiation` names the instance of a template; `mostRecords` bounds what one warp can produce.
  explicit Kernel(std::uint32_t id, const char *instantiation = nullptr, std::uint32_t mostRecords = ~0u)
      : recorder(host::enterKernel(id, instantiation, mostRecords)) {}
  ~Kernel() {
    if (recorder)
      recorder->leaveKernel(host::readClock());
  }
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

private:
  host::WarpRecorder *recorder;
};

/// A region from here to the end of the enclosing block.
class Scope {
public:
  explicit Scope(std::uint32_t id) : recorder(host::currentRecorder()) {
    if (!recorder || !recorder->isRecording()) {
      recorder = nullptr;
      return;
    }
    index = recorder->enter(id, format::RecordKind::Span, *host::currentThread);
    recorder->stampFirst(index, host::readClock(), *host::currentThread);
  }
  ~Scope() {
    if (recorder)
      recorder->stampSpanEnd(index, host::readClock());
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  host::WarpRecorder *recorder;
  host::WarpRecorder::Index index = host::WarpRecorder::kLost;
};

/// The beginning of a range.
inline void begin(std::uint32_t id) { host::recordEvent(id, format::RecordKind::Begin, 0); }

/// The end of a range.
inline void end(std::uint32_t id) { host::recordEvent(id, format::RecordKind::End, 0); }

/// An instant with a payload.
template <typename Payload> void mark(std::uint32_t id, Payload payload) {
  host::recordEvent(id, format::RecordKind::Mark, static_cast<std::uint32_t>(payload));
}
inline void mark(std::uint32_t id) { host::recordEvent(id, format::RecordKind::Mark, 0); }

} // namespace kperf

#endif
