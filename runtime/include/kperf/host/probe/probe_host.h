// The probes on the host target: what the rewriter's insertions mean when a kernel runs on the CPU.
#ifndef KPERF_PROBE_HOST_H
#define KPERF_PROBE_HOST_H

#if defined(KPERF_HOST_LAUNCH_H) && !defined(KPERF_INSTRUMENTED)
#error "include <kperf/probe.h> before the CUDA headers, so that launches are seen"
#endif
#ifndef KPERF_INSTRUMENTED
#define KPERF_INSTRUMENTED 1
#endif

#include <kperf/host/engine/Outlined.h>
#include <kperf/host/toolkit/cuda_runtime.h>

#include <kperf/host/probe/DeviceConfig.h>
#include <kperf/host/probe/InstanceName.h>
#include <kperf/host/probe/WarpRecorder.h>
#include <kperf/rules/KernelTraits.h>
#include <kperf/rules/Probes.h>

#include <memory>
#include <optional>
#include <utility>

namespace kperf {
namespace host {

/// The recorder of the calling thread's warp; null outside of kernels and where nothing is recorded.
inline WarpRecorder *currentRecorder() {
  const CudaThread *thread = currentThread;
  auto *recorder = thread ? static_cast<WarpRecorder *>(thread->warp->recorder.get()) : nullptr;
  return recorder && recorder->isRecording() ? recorder : nullptr;
}

/// The same for a region; null where it is switched off, too.
inline WarpRecorder *recorderOf(std::uint32_t region) { return isSwitchedOff(region) ? nullptr : currentRecorder(); }

/// The first lane of a warp takes the slot. Returns null when nothing is recorded.
KPERF_HOST_OUTLINED inline WarpRecorder *enterKernel(std::uint32_t id, const char *instantiation, std::uint32_t maxRecords,
                                                     const SumsKept &sums) {
  CudaThread *thread = currentThread;
  if (!thread || kperf_config.arena == 0)
    return nullptr;
  Warp &warp = *thread->warp;
  if (!warp.recorder) {
    const bool isCalibration = id == format::kCalibrationKernel;
    if (!isCalibration && (!isSampled(*thread) || isSwitchedOff(id)))
      return nullptr;
    kperf_device_config config = kperf_config;
    if (isCalibration)
      config.skip = 0;
    auto created = std::make_unique<WarpRecorder>(config, maxRecords, sums, __builtin_popcount(warp.existing));
    if (created->isRecording())
      created->describe(id, instantiation, *thread);
    warp.recorder = std::move(created);
  }
  WarpRecorder *recorder = currentRecorder();
  if (recorder)
    recorder->enterKernel(readClock());
  return recorder;
}

/// Records an instant of the lanes that come here together; a payload only for marks.
inline void recordEvent(std::uint32_t id, format::RecordKind kind, std::uint32_t payload, const Site &site) {
  if (WarpRecorder *recorder = recorderOf(id))
    recorder->event(id, kind, payload, site);
}

} // namespace host

/// Of a GPU (kperf/cuda/Clock.h); a clock read here is behind everything that the thread did.
inline void settle() {}

/// The beginning of a range.
inline void begin(std::uint32_t id, host::Site site = host::Site::here()) { host::recordEvent(id, format::RecordKind::Begin, 0, site); }

/// The end of a range.
inline void end(std::uint32_t id, host::Site site = host::Site::here()) { host::recordEvent(id, format::RecordKind::End, 0, site); }

/// An instant.
inline void mark(std::uint32_t id, host::Site site = host::Site::here()) { host::recordEvent(id, format::RecordKind::Mark, 0, site); }

/// An instant with a payload.
template <typename Payload> void mark(std::uint32_t id, Payload payload, host::Site site = host::Site::here()) {
  host::recordEvent(id, format::RecordKind::Mark, static_cast<std::uint32_t>(payload), site);
}

/// What others wait for, done with `object`.
inline void signal(std::uint32_t object, std::uint32_t id, host::Site site = host::Site::here()) {
  host::recordEvent(id, format::RecordKind::Mark, object, site);
}

/// A barrier object by its number in the block: addresses differ from run to run.
inline std::uint32_t barrierAt(const volatile void *place) {
  host::CudaThread *thread = host::currentThread;
  return thread ? thread->block->numberOf(const_cast<const void *>(place)) : 0;
}
inline std::uint32_t barrierAt(std::uintptr_t address) { return barrierAt(reinterpret_cast<const void *>(address)); }

/// Of an object that only an instantiation knows: whether it is a barrier is not asked here.
template <typename Object> std::uint32_t barrierOf(Object &&) { return format::kNoAddress; }
template <typename Object> std::uint32_t barrierAwaitedOf(Object &&) { return format::kNoAddress; }
template <typename Object> std::uint32_t barrierOfBlock(Object &&) { return format::kNoAddress; }

template <typename Pipeline, typename Stage, typename = void> inline constexpr bool hasBarriers = false;
template <typename Pipeline, typename Stage>
inline constexpr bool hasBarriers<
    Pipeline, Stage, std::void_t<decltype(barrierAt(std::declval<Pipeline &>().producer_get_barrier(std::declval<const Stage &>())))>> =
    true;

/// Of a pipeline and what says which stage: the barrier that says that the stage's slot is full, where its producers can ask for it.
template <typename Pipeline, typename Stage> std::uint32_t slotAt(Pipeline &&pipeline, const Stage &stage) {
  if constexpr (hasBarriers<Pipeline, Stage>)
    return barrierAt(pipeline.producer_get_barrier(stage));
  else
    return format::kNoAddress;
}
/// The same for who waits there: a block here is no cluster's.
template <typename Pipeline, typename Stage> std::uint32_t slotAwaitedAt(Pipeline &&pipeline, const Stage &stage) {
  return slotAt(std::forward<Pipeline>(pipeline), stage);
}

template <typename Pipeline, typename Stage> std::uint32_t lastSlotAwaitedAt(Pipeline &&, const Stage &) { return format::kNoAddress; }

/// What an Expect says (format.h's kExpectedShift) of an object and a number of arrivals.
inline std::uint32_t expectedAt(std::uint32_t object, std::uint32_t arrivals) {
  return object == format::kNoAddress
             ? 0
             : object | (arrivals < format::kMaxExpected ? arrivals : format::kMaxExpected) << format::kExpectedShift;
}

/// Stands at the top of an instrumented kernel; its destructor runs on every way out. `Chosen` are traits of
/// kperf/rules/KernelTraits.h. Of the parts that a warp has on a GPU (kperf/gpu/record/Probe.h) there is one here, and one for sums.
template <typename... Chosen> class Kernel {
  using Traits = KernelTraits<Chosen...>;

public:
  /// `instantiation` names the instance of a template.
  explicit Kernel(std::uint32_t id, const char *instantiation = nullptr)
      : recorder(host::enterKernel(id, instantiation, kMaxRecords, {Traits::summedRegions, Traits::hasExtremes, Traits::hasHistogram})) {}
  Kernel(bool, std::uint32_t id, const char *instantiation = nullptr) : Kernel(id, instantiation) {}
  ~Kernel() {
    if (recorder)
      recorder->leaveKernel(host::readClock());
  }
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// Right behind the object: region `SumIndex` has the id, and stands in region `Around` - 1 (0: in none that is
  /// summed up).
  template <std::uint32_t SumIndex, std::uint32_t Around> void name(std::uint32_t id) {
    if (recorder)
      recorder->name(SumIndex, Around, id);
  }

  void settle() const {}
  void splitSettle() const {}
  template <std::uint32_t Records> void reserve() {}
  // Whoever comes by, a record says which lanes they were.
#define KPERF_KERNEL_EVENTS(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                        \
  void begins(std::uint32_t id, host::Site site = host::Site::here()) { kperf::begin(id, site); }                                          \
  void ends(std::uint32_t id, host::Site site = host::Site::here()) { kperf::end(id, site); }                                              \
  void marks(std::uint32_t id, host::Site site = host::Site::here()) { kperf::mark(id, site); }                                            \
  template <typename Payload> void marks(std::uint32_t id, Payload payload, host::Site site = host::Site::here()) {                        \
    kperf::mark(id, payload, site);                                                                                                        \
  }                                                                                                                                        \
  void signals(std::uint32_t object, std::uint32_t id, host::Site site = host::Site::here()) { kperf::signal(object, id, site); }
  KPERF_KERNEL_PROBES(KPERF_KERNEL_EVENTS)
#undef KPERF_KERNEL_EVENTS

  bool signalIf(std::uint32_t object, std::uint32_t id, bool comes, host::Site site = host::Site::here()) {
    if (comes)
      kperf::signal(object, id, site);
    return comes;
  }

  host::WarpRecorder *recorder;

private:
  /// A range is one record where lanes are known to come together (kperf/gpu/record/KernelScopes.h); here its begin and end are one each.
  static constexpr std::uint64_t kSum = 2 * (std::uint64_t{Traits::maxConvergent} + Traits::maxDivergent + Traits::maxShared);
  static constexpr std::uint32_t kMaxRecords = kSum < ~0u ? static_cast<std::uint32_t>(kSum) : ~0u;
};

/// Runs a kernel's body, of which a GPU has two copies (kperf/gpu/record/SampledKernel.h). Here there is one: what is not recorded has
/// no recorder.
template <typename Body> void runBlock(const Body &body) {
  const host::CudaThread *thread = host::currentThread;
  body(thread && host::isSampled(*thread));
}

/// A region from here to the end of the enclosing block.
class Scope {
public:
  explicit Scope(std::uint32_t id, host::Site site = host::Site::here()) : Scope(id, nullptr, site) {}
  ~Scope() {
    if (recorder)
      recorder->leave(index, site);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

protected:
  Scope(std::uint32_t id, const std::uint32_t *object, const host::Site &site) : recorder(host::recorderOf(id)), site(site) {
    if (recorder)
      index = recorder->enter(id, this->site, object);
  }

private:
  host::WarpRecorder *recorder;
  host::Site site;
  host::WarpRecorder::RecordIndex index = 0;
};

/// A wait, and what it is for.
class Wait : public Scope {
public:
  Wait(std::uint32_t object, std::uint32_t id, host::Site site = host::Site::here()) : Scope(id, &object, site) {}
};

namespace host {

/// A region of a kernel's body.
class KernelScope : public Scope {
public:
  template <typename Owner> KernelScope(const Owner &, std::uint32_t id, Site site = Site::here()) : Scope(id, site) {}
};

/// The same, which statements of one block begin and end: two events, for any lane may come by another way.
class KernelRange {
public:
  template <typename Owner> void begin(const Owner &, std::uint32_t id, Site site = Site::here()) { kperf::begin(id, site); }
  template <typename Owner> void end(const Owner &, std::uint32_t id, Site site = Site::here()) { kperf::end(id, site); }
};

/// A wait in a kernel's body.
class KernelWait : public kperf::Wait {
public:
  template <typename Owner>
  KernelWait(const Owner &, std::uint32_t object, std::uint32_t id, Site site = Site::here()) : kperf::Wait(object, id, site) {}
};

} // namespace host

#define KPERF_KERNEL_CLASSES(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                       \
  using scope = host::KernelScope;                                                                                                         \
  using range = host::KernelRange;                                                                                                         \
  using wait = host::KernelWait;
KPERF_KERNEL_PROBES(KPERF_KERNEL_CLASSES)
#undef KPERF_KERNEL_CLASSES

/// Which of its kernel's sums a region adds to.
template <std::uint32_t SumIndex> struct Sum {};

/// A region whose entries are summed up.
class SumScope {
public:
  template <typename Owner, std::uint32_t SumIndex>
  SumScope(const Owner &owner, Sum<SumIndex>, std::uint32_t id, host::Site site = host::Site::here())
      : recorder(host::isSwitchedOff(id) ? nullptr : owner.recorder), site(site) {
    if (recorder)
      index = recorder->enterSummed(SumIndex, id, this->site);
  }
  ~SumScope() {
    if (recorder)
      recorder->leave(index, site);
  }
  SumScope(const SumScope &) = delete;
  SumScope &operator=(const SumScope &) = delete;

private:
  host::WarpRecorder *recorder;
  host::Site site;
  host::WarpRecorder::RecordIndex index = 0;
};

/// The same, which statements of one block begin and end.
template <std::uint32_t SumIndex> class SumRange {
public:
  template <typename Owner> void begin(const Owner &owner, std::uint32_t id, host::Site from = host::Site::here()) {
    recorder = host::isSwitchedOff(id) ? nullptr : owner.recorder;
    if (recorder)
      index = recorder->enterSummed(SumIndex, id, from);
  }
  template <typename Owner> void end(const Owner &, std::uint32_t, host::Site to = host::Site::here()) {
    if (recorder)
      recorder->leave(index, to);
  }

private:
  host::WarpRecorder *recorder; ///< trivial to construct, so that jumps may pass by the declaration
  host::WarpRecorder::RecordIndex index;
};

/// Regions of blocks that follow each other: each begins with a next(), which ends the one before. Here each has its
/// own record.
class ConvergentScopes {
public:
  template <typename Owner> explicit ConvergentScopes(const Owner &) {}
  void next(std::uint32_t id, host::Site site = host::Site::here()) {
    scope.reset();
    scope.emplace(*this, id, site);
  }

private:
  std::optional<ConvergentScope> scope;
};

} // namespace kperf

#include <kperf/host/probe/MemoryProbe.h>

#include <kperf/host/probe/Rejoining.h>

#endif
