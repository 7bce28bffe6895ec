// The device side of kperf: what a probe executes. Emitted calls: kperf::Kernel, Scope, settle, begin, end, mark.
//
// A warp owns one slot of the arena, taken at kernel entry: one to four parts (Parts.h, SumPart.h), each a WarpHeader of
// format.h and room for records. Probes in the kernel's own body find it through the Kernel object, which lives in registers; those of
// functions through shared memory (WarpState.h).
#ifndef KPERF_GPU_PROBE_H
#define KPERF_GPU_PROBE_H

#include <kperf/gpu/record/RecordingLanes.h>
#include <kperf/gpu/record/SumPart.h>
#include <kperf/rules/KernelTraits.h>
#include <kperf/rules/Probes.h>

#ifndef __CUDACC_RTC__
#include <type_traits>
#endif

namespace kperf {

#ifndef KPERF_DEVICE_CODE
namespace detail {
struct WholeWarp; // RecordingLanes.h
struct FirstLane;
struct AnyLanes;
} // namespace detail
#endif

/// Stands at the top of an instrumented kernel; its destructor runs on every way out. `Chosen` are traits of
/// kperf/rules/KernelTraits.h, in any order.
template <typename... Chosen> class Kernel {
public:
  using Traits = KernelTraits<Chosen...>;

  __host__ __device__ __forceinline__ explicit Kernel(uint32_t id) : isRecorded(true), isThereTwice(false) {
#ifdef KPERF_DEVICE_CODE
    enter({id});
#else
    (void)id;
#endif
  }
  /// `instantiation` names the instance of a template.
  template <uint32_t NameBytes>
  __host__ __device__ __forceinline__ Kernel(uint32_t id, const char (&instantiation)[NameBytes]) : isRecorded(true), isThereTwice(false) {
#ifdef KPERF_DEVICE_CODE
    enter({id, instantiation, NameBytes});
#else
    (void)id, (void)instantiation;
#endif
  }
  /// In a body that is there twice (SampledKernel.h): in the copy for blocks that are not recorded no probe does anything.
  __host__ __device__ __forceinline__ Kernel(bool isRecorded, uint32_t id) : isRecorded(isRecorded), isThereTwice(true) {
#ifdef KPERF_DEVICE_CODE
    enter({id});
#else
    (void)id;
#endif
  }
  template <uint32_t NameBytes>
  __host__ __device__ __forceinline__ Kernel(bool isRecorded, uint32_t id, const char (&instantiation)[NameBytes])
      : isRecorded(isRecorded), isThereTwice(true) {
#ifdef KPERF_DEVICE_CODE
    enter({id, instantiation, NameBytes});
#else
    (void)id, (void)instantiation;
#endif
  }
  __host__ __device__ __forceinline__ ~Kernel() {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded)
      leave();
#endif
  }
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// Right behind the object: region `SumIndex` has the id, and stands in region `Around` - 1 (0: in none that is
  /// summed up).
  template <uint32_t SumIndex, uint32_t Around> __host__ __device__ __forceinline__ void name(uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded)
      sums.template name<SumIndex, Around>(id);
#else
    (void)id;
#endif
  }

  /// Makes room for the records that come before the next call, by a whole warp.
  template <uint32_t Records> __host__ __device__ __forceinline__ void reserve() {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded)
      own.template reserve<Records>();
#endif
  }

  /// Behind a barrier that a whole warp passed together, where the probes do not wait for it themselves.
  __host__ __device__ __forceinline__ void settle() const {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded)
      detail::settleWarp();
#endif
  }

  /// The same by the lanes that passed it together, in a body that is there twice.
  __host__ __device__ __forceinline__ void splitSettle() const {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded)
      detail::settleLanes();
#endif
  }

// Begin and end of a range, an instant, and what others wait for, done with `object`, which is the same in all lanes that come.
#define KPERF_KERNEL_EVENTS(part, recordingLanes, scope, range, wait, begins, ends, marks, signals)                                        \
  __host__ __device__ __forceinline__ void begins(uint32_t id) { append<detail::recordingLanes>(format::RecordKind::Begin, id, 0); }       \
  __host__ __device__ __forceinline__ void ends(uint32_t id) { append<detail::recordingLanes>(format::RecordKind::End, id, 0); }           \
  __host__ __device__ __forceinline__ void marks(uint32_t id) { append<detail::recordingLanes>(format::RecordKind::Mark, id, 0); }         \
  template <typename Payload> __host__ __device__ __forceinline__ void marks(uint32_t id, Payload payload) {                               \
    appendMark<detail::recordingLanes>(id, static_cast<uint32_t>(payload));                                                                \
  }                                                                                                                                        \
  __host__ __device__ __forceinline__ void signals(uint32_t object, uint32_t id) {                                                         \
    append<detail::recordingLanes>(format::RecordKind::Mark, id, object);                                                                  \
  }
  KPERF_KERNEL_PROBES(KPERF_KERNEL_EVENTS)
#undef KPERF_KERNEL_EVENTS

  /// A signal of the lanes for which `comes`, asked by a whole warp in front of where they part: no record where none
  /// does. Gives `comes` back.
  __host__ __device__ __forceinline__ bool signalIf(uint32_t object, uint32_t id, bool comes) {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded && detail::isRegionOn(id))
      own.appendIf(clockOfWarp(), object, detail::tagOf(format::RecordKind::Mark, id), detail::lanesWhere(comes));
#else
    (void)object, (void)id;
#endif
    return comes;
  }

  /// Asked by the warp's lanes that came here together, in front of where they part: whether the calling one is among those that
  /// `stay`. They are the ones that come together from here on, unless none does. Gives `stay` back.
  __host__ __device__ __forceinline__ bool stays(bool stay) {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded) {
      const detail::LaneMask staying = detail::votes::ballot(lanes, stay);
      if (staying) {
        lanes = staying;
        own.passTo(slot && stay && detail::isLowest(staying));
      }
    }
#endif
    return stay;
  }

#ifdef KPERF_DEVICE_CODE
  /// By all lanes of `before`, those that came together before some of them went another way.
  __device__ __forceinline__ void reconverge(detail::LaneMask before) {
    lanes = before;
    own.passBack(before, slot && detail::isLowest(before));
  }

  __device__ __forceinline__ static uint32_t clockOfWarp() {
    settleIfNeeded();
    return detail::clock32();
  }
  __device__ __forceinline__ static void settleIfNeeded() {
    if (Traits::settles && Traits::narrows)
      detail::settleLanes();
    else if (Traits::settles)
      detail::settleWarp();
  }
  __device__ __forceinline__ static uint32_t clockOfLanes() { return Traits::settles ? detail::settledClock() : detail::clock32(); }

#ifdef KPERF_SHARED_BUFFER
  static constexpr uint32_t kRings = (Traits::maxConvergent != 0) + (Traits::maxDivergent != 0);
  detail::LanePart<detail::SharedRecords<Traits::maxConvergent, 0, kRings>> own;
  detail::LanePart<detail::SharedRecords<Traits::maxDivergent, Traits::maxConvergent != 0, kRings>> lane;
#else
  typename std::conditional<Traits::stagingRoom != 0, detail::StagedPart<Traits::maxConvergent, Traits::hasObjects, Traits::stagingRoom>,
                            detail::LanePart<detail::SlotRecords<Traits::maxConvergent>>>::type own;
  detail::LanePart<detail::SlotRecords<Traits::maxDivergent>> lane;
#endif
  /// Of lane 0 with whoever is there: those of whole warps, where both have one part.
  __device__ __forceinline__ auto &laneRecords() {
    if constexpr (Traits::maxDivergent != 0)
      return lane;
    else
      return own;
  }
  detail::SharedPart<Traits::maxShared, Traits::isCalled> shared;
  detail::SumPart<Traits::summedRegions, Traits::hasExtremes, Traits::hasHistogram> sums;
  detail::LaneMask lanes; ///< that entered the kernel, the lowest ones of the warp; under Traits::narrows those of them that stays() left
#endif
  const bool isRecorded; ///< a constant wherever it is asked for

private:
  const bool isThereTwice; ///< the body, each block's choice of it made; the same

  static_assert(Traits::maxConvergent || Traits::maxDivergent || Traits::maxShared || Traits::summedRegions,
                "a kernel without regions needs no Kernel object");

  template <typename RecordingLanes>
  __host__ __device__ __forceinline__ void append(format::RecordKind kind, uint32_t id, uint32_t payload) {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded && detail::isRegionOn(id))
      RecordingLanes::event(*this, detail::tagOf(kind, id), payload);
#else
    (void)kind, (void)id, (void)payload;
#endif
  }
  template <typename RecordingLanes> __host__ __device__ __forceinline__ void appendMark(uint32_t id, uint32_t payload) {
#ifdef KPERF_DEVICE_CODE
    if (isRecorded)
      append<RecordingLanes>(format::RecordKind::Mark, id, RecordingLanes::payloadOf(*this, payload));
#else
    (void)id, (void)payload;
#endif
  }

#ifdef KPERF_DEVICE_CODE
  __device__ __forceinline__ uint32_t bytes() const { return own.bytes() + lane.bytes() + shared.bytes() + sums.bytes(); }
  __device__ __forceinline__ uint64_t ownPart() const { return slot; }
  __device__ __forceinline__ uint64_t lanePart() const { return slot ? slot + own.bytes() : 0; }
  __device__ __forceinline__ uint64_t sharedPart() const { return slot ? slot + own.bytes() + lane.bytes() : 0; }
  __device__ __forceinline__ uint64_t sumPart() const { return slot ? slot + own.bytes() + lane.bytes() + shared.bytes() : 0; }

  __device__ __forceinline__ void takeSlot(const detail::KernelName &kernel) {
    if constexpr (detail::kLowestLaneEnters) {
      if (detail::isLowest(lanes) && detail::isRecorded(kernel.id, isThereTwice))
        slot = detail::takeSlot(bytes(), kernel.id, lanes, true);
      slot = detail::valueOfFirst(lanes, slot);
    } else {
      if (detail::isRecorded(kernel.id, isThereTwice))
        slot = detail::takeSlot(bytes(), kernel.id, lanes, detail::isLowest(lanes));
      else if (!isThereTwice)
        return goOnWithoutProbes(); // most warps of a wide launch, not behind a shuffle
      slot = detail::valueOfFirst(lanes, slot);
    }
  }

  /// The clocks are read last, so that the cost of entering precedes the recorded time.
  __device__ __forceinline__ void enter(const detail::KernelName &kernel) {
    if (!isRecorded)
      return tellFunctions();
    lanes = detail::activeLanes();
    takeSlot(kernel);
    if constexpr (Traits::maxConvergent != 0)
      own.begin(ownPart(), lanes, detail::skippedRecords(kernel.id));
    if constexpr (Traits::maxDivergent != 0)
      lane.begin(lanePart(), lanes, detail::skippedRecords(kernel.id));
    if constexpr (detail::kCountsFromSlot && Traits::maxConvergent != 0 && Traits::stagingRoom == 0)
      own.countFrom(slot, 0);
    if constexpr (detail::kCountsFromSlot && Traits::maxDivergent != 0)
      lane.countFrom(slot, own.bytes());
    if constexpr (Traits::maxShared != 0)
      shared.begin(sharedPart(), lanes, detail::skippedRecords(kernel.id));
    if constexpr (Traits::summedRegions != 0)
      sums.begin(sumPart(), lanes);
    if (slot && detail::isLowest(lanes))
      describe(kernel);
    detail::syncLanes(lanes);
  }

  __device__ __forceinline__ void goOnWithoutProbes() {
    tellFunctions(); // those that are called by a pointer, or of another object, have their probes
    detail::goOnWithoutProbes();
  }

  /// Functions look at the warp's state, and must not take this for a kernel without probes.
  __device__ __forceinline__ void tellFunctions() {
    if constexpr (Traits::maxShared != 0 && Traits::isCalled) {
      lanes = detail::activeLanes();
      shared.begin(0, lanes, 0);
      detail::syncLanes(lanes);
    }
  }

  __device__ __forceinline__ void describe(const detail::KernelName &kernel) const {
    if constexpr (Traits::maxConvergent != 0)
      detail::placePart(ownPart());
    if constexpr (Traits::maxDivergent != 0)
      detail::placePart(lanePart());
    if constexpr (Traits::maxShared != 0)
      detail::placePart(sharedPart());
    if constexpr (Traits::summedRegions != 0)
      detail::placePart(sumPart());
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    if constexpr (Traits::maxConvergent != 0)
      detail::openPart(ownPart(), kernel, own.kept(), own.bytes(), kOwnFlags | othersFlag(), cycles, ns);
    if constexpr (Traits::maxDivergent != 0)
      detail::openPart(lanePart(), kernel, lane.kept(), lane.bytes(), kLaneFlags | othersFlag(), cycles, ns);
    if constexpr (Traits::maxShared != 0)
      detail::openPart(sharedPart(), kernel, detail::capacityFor(Traits::maxShared), shared.bytes(),
                       kSharedFlags | othersFlag() | shared.kFlags, cycles, ns, 0 - detail::skippedRecords(kernel.id));
    if constexpr (Traits::summedRegions != 0)
      sums.open(sumPart(), kernel, kSumFlags | othersFlag(), cycles, ns);
  }

  /// Lanes may leave one after another; each group overwrites what the one before wrote.
  __device__ __forceinline__ void leave() {
    if (detail::kUnrecordedLeaveAtOnce && !slot)
      return;
    uint64_t cycles, ns;
    detail::readClocks(cycles, ns);
    if constexpr (Traits::maxShared != 0)
      shared.end(sharedPart(), cycles, ns, kSharedFlags | othersFlag());
    if constexpr (Traits::maxDivergent != 0)
      lane.end(lanePart(), cycles, ns, kLaneFlags | othersFlag());
    if constexpr (Traits::maxConvergent != 0)
      own.end(ownPart(), cycles, ns, kOwnFlags | othersFlag());
    if constexpr (Traits::summedRegions != 0)
      sums.end(sumPart(), cycles, ns, kSumFlags | othersFlag());
  }

  /// Of whichever part comes first.
  __device__ __forceinline__ uint32_t othersFlag() const { return isThereTwice ? format::kWarpOthersPlain : detail::othersPlainFlag(); }

  static constexpr uint32_t kOwnFlags = detail::kWindowFlag;
  static constexpr uint32_t kLaneFlags = detail::kWindowFlag | (Traits::maxConvergent ? format::kWarpContinued : 0);
  static constexpr uint32_t kSharedFlags =
      detail::kWindowFlag | (Traits::maxConvergent || Traits::maxDivergent ? format::kWarpContinued : 0);
  static constexpr uint32_t kSumFlags = Traits::maxConvergent || Traits::maxDivergent || Traits::maxShared ? format::kWarpContinued : 0;

  uint64_t slot = 0;
#endif
};

/// A region from here to the end of the enclosing block, as the lowest lane that entered it saw it.
template <bool MayBeForeign> class ScopeIn {
public:
#ifdef KPERF_DEVICE_CODE
  __device__ __forceinline__ explicit ScopeIn(uint32_t id) : record(detail::isRegionOn(id)), id(id) { start = detail::settledClock(); }
#else
  __host__ __device__ __forceinline__ explicit ScopeIn(uint32_t id) : id(id) {}
#endif
  __host__ __device__ __forceinline__ ~ScopeIn() {
#ifdef KPERF_DEVICE_CODE
    const uint32_t stop = detail::settledClock();
    record.store(start, stop, detail::tagOf(format::RecordKind::Span, id));
#endif
  }

#ifdef KPERF_DEVICE_CODE
protected:
  detail::ReservationIn<MayBeForeign> record; // declared first: reserved before the clock is read

private:
  uint32_t start;
#else
private:
#endif
  uint32_t id;
};

using Scope = ScopeIn<true>;

/// Behind a barrier, by the lanes that passed it together.
__host__ __device__ __forceinline__ void settle() {
#ifdef KPERF_DEVICE_CODE
  detail::settleLanes();
#endif
}

/// The beginning of a range.
__host__ __device__ __forceinline__ void begin(uint32_t id) {
#ifdef KPERF_DEVICE_CODE
  const detail::Reservation record(detail::isRegionOn(id));
  record.store(detail::settledClock(), 0, detail::tagOf(format::RecordKind::Begin, id));
#else
  (void)id;
#endif
}

/// The end of a range.
__host__ __device__ __forceinline__ void end(uint32_t id) {
#ifdef KPERF_DEVICE_CODE
  const uint32_t stop = detail::settledClock();
  const detail::Reservation record(detail::isRegionOn(id));
  record.store(stop, 0, detail::tagOf(format::RecordKind::End, id));
#else
  (void)id;
#endif
}

/// An instant with a payload.
template <typename Payload> __host__ __device__ __forceinline__ void mark(uint32_t id, Payload payload) {
#ifdef KPERF_DEVICE_CODE
  const uint32_t now = detail::settledClock();
  const detail::Reservation record(detail::isRegionOn(id));
  record.store(now, static_cast<uint32_t>(payload), detail::tagOf(format::RecordKind::Mark, id));
#else
  (void)id, (void)payload;
#endif
}

__host__ __device__ __forceinline__ void mark(uint32_t id) { mark(id, 0u); }

} // namespace kperf

#endif
