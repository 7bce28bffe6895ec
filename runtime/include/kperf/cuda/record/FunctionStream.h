// How a function with loops records: into a part of the warp's own, whose place the function keeps in two registers, without shared
// memory. Emitted: kperf::FunctionStream, StreamScope, StreamRange, StreamWait.
//
// A stream's part is a WarpHeader and pieces of `Words` 32-bit words, all of one size. Four words are a Record (format.h). More
// are a frame: clocks, and objects of waits, at places that the region table knows (kperf_region::frame), then the lanes that came to
// its end, then the id of its first region. Or they are a Record with room behind it, then the lanes that came, and again its tag. The
// runtime library makes ordinary records of all three.
//
// From one call of the function to the next the place is kept in a row of a table in device memory, which belongs to the warp's place on
// its multiprocessor and has a key of launch, block, warp and function: one look at the entry, one store at the exit. A row that
// another function of the warp has taken costs a further part, and no record. The lowest lane that enters writes; what other lanes come to
// without it is counted, and not kept.
#ifndef KPERF_CUDA_FUNCTION_STREAM_H
#define KPERF_CUDA_FUNCTION_STREAM_H

#include <kperf/cuda/record/StreamRows.h>

namespace kperf {

/// Where a function's or a kernel's probes record, piece by piece. `Words` of a piece: 4, 8, 16 or 32. `Most`: sixteen-byte pieces that it
/// can get; ~0u: no bound.
template <uint32_t Words, uint32_t Most = ~0u> class Stream {
public:
  static constexpr uint32_t kWords = Words;

  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  /// The beginning of a range.
  __host__ __device__ __forceinline__ void begin(uint32_t region) { event(format::RecordKind::Begin, region, 0); }
  /// The end of a range.
  __host__ __device__ __forceinline__ void end(uint32_t region) { event(format::RecordKind::End, region, 0); }
  /// An instant with the payload of the lane that writes.
  template <typename Payload> __host__ __device__ __forceinline__ void mark(uint32_t region, Payload payload) {
    event(format::RecordKind::Mark, region, static_cast<uint32_t>(payload));
  }
  __host__ __device__ __forceinline__ void mark(uint32_t region) { event(format::RecordKind::Mark, region, 0); }
  /// What others wait for, done with `object`.
  __host__ __device__ __forceinline__ void signal(uint32_t object, uint32_t region) { event(format::RecordKind::Mark, region, object); }

#ifdef KPERF_DEVICE_CODE
  /// Stores a record.
  __device__ __forceinline__ void append(uint32_t first, uint32_t second, uint32_t lanes, uint32_t tag) {
    detail::storeRecordAt(place(), first, second, lanes, tag, isStored());
    if (Words > 4)
      detail::storeWords<4 * (Words - 2)>(place(), detail::activeLanes(), tag, isStored());
    next();
  }

  /// Where the next record belongs, in bytes from the arena's begin, and its address: valid until next().
  __device__ __forceinline__ uint32_t offset() const {
    return first + (units & kperf_config.ring_mask) * static_cast<uint32_t>(sizeof(format::Record));
  }
  __device__ __forceinline__ uint64_t place() const { return kperf_config.arena + offset(); }
  /// Whether the calling lane writes, and there is room.
  __device__ __forceinline__ bool isStored() const { return units < room(); }
  __device__ __forceinline__ void next() { units += Words / 4; }
  /// Whether the warp has a stream.
  __device__ __forceinline__ bool isThere() const { return first != 0; }
#endif

protected:
  __host__ __device__ __forceinline__ Stream() {}

#ifdef KPERF_DEVICE_CODE
  __device__ __forceinline__ static uint32_t room() {
    return Most == ~0u ? kperf_config.stream_units : min(Most, kperf_config.stream_units);
  }

  uint32_t first; ///< bytes from the arena's begin to the part's first record; 0: nothing is recorded
  uint32_t units; ///< sixteen-byte pieces that were produced, kept or not
#endif

private:
  __host__ __device__ __forceinline__ void event(format::RecordKind kind, uint32_t region, uint32_t second) {
#ifdef KPERF_DEVICE_CODE
    if (!detail::isRegionOn(region))
      return;
    const uint32_t now = detail::settledClock();
    append(now, second, detail::activeLanes(), detail::tagOf(kind, region));
#else
    (void)kind, (void)region, (void)second;
#endif
  }
};

/// Stands at the brace of a function whose probes record into a stream of their own; its lambdas use it by reference. `id` names the
/// function; `number` is a small one, which neighbours of it do not have.
template <uint32_t Words> class FunctionStream : public Stream<Words> {
public:
  static constexpr bool kGathers = false;

  __host__ __device__ __forceinline__ FunctionStream(uint32_t id, uint32_t number) : id(id), number(number) {
#ifdef KPERF_DEVICE_CODE
    enter();
#endif
  }
  __host__ __device__ __forceinline__ ~FunctionStream() {
#ifdef KPERF_DEVICE_CODE
    leave();
#endif
  }

private:
#ifdef KPERF_DEVICE_CODE
  /// A row whose key is ours was written by us, and last: what it says holds, so that nothing else is asked of a whole warp.
  __device__ __forceinline__ void enter() {
    first = 0;
    units = detail::kNoWriter;
    if (!kperf_config.streams)
      return;
    const detail::LaneMask lanes = detail::activeLanes();
    const bool isMine = detail::isLowest(lanes);
    kperf_stream *row = detail::functionRow(number);
    const detail::Quad seen = detail::loadRow(row); // by all lanes, for no lane to go a way of its own
    const bool isOther = (uint64_t{seen.y} << 32 | seen.x) != detail::rowKey(id);
    if (__builtin_expect(detail::anyLane(lanes, lanes != 0xffffffffu || isOther), false)) {
      enterAnew(row, seen, lanes, isMine, isOther);
      return;
    }
    first = seen.z;
    const bool isWriter = isMine && first;
    units = (isWriter ? 0 : detail::kNoWriter) | seen.w;
    // Nobody of the warp is elsewhere: what the row says of the part stays.
    detail::storeWords(reinterpret_cast<uint64_t>(row), static_cast<uint32_t>(detail::kRowTaken),
                       static_cast<uint32_t>(detail::kRowTaken >> 32), isWriter);
  }

  /// Where the row is not ours, or some lanes of the warp are elsewhere. What the lane that writes saw counts.
  __device__ __forceinline__ void enterAnew(kperf_stream *row, const detail::Quad &seen, detail::LaneMask lanes, bool isMine,
                                            bool isOther) {
    bool isKnown = !detail::anyLane(lanes, isMine && isOther);
    const uint64_t key = detail::rowKey(id);
    if (!isKnown && (kperf_config.records_per_warp < Words / 4 || !detail::isSampled())) {
      storeRowWhere(row, key, 0, 0, isMine); // the next call need not ask again
      return;
    }
    if (lanes == 0xffffffffu) // nobody of the warp is elsewhere, and no other warp comes to the row
      storeRowWhere(row, detail::kRowTaken, 0, 0, isMine);
    else
      isKnown &= !detail::anyLane(lanes, isMine && exchangeKey(row) != key);
    uint32_t before = 0;
    if (isKnown) {
      // Before it was taken, other lanes may have been in the function once more.
      const int leader = __ffs(static_cast<int>(lanes)) - 1;
      before = __shfl_sync(lanes, *const_cast<const volatile uint32_t *>(&row->units), leader);
      first = __shfl_sync(lanes, *const_cast<const volatile uint32_t *>(&row->part), leader);
      addVisits(kperf_config.arena + first - sizeof(format::WarpHeader),
                (detail::warpLanes() - detail::countLanes(lanes)) * int64_t{before / (Words / 4)}, isMine && first);
    } else {
      first = detail::takeStreamPart(Words, lanes, isMine, detail::warpLanes());
    }
    storeRowWhere(row, key, 0, 0, isMine && !first); // the next call need not ask again
    units = (isMine && first ? 0 : detail::kNoWriter) | before;
  }

  __device__ __forceinline__ static uint64_t exchangeKey(kperf_stream *row) {
    return atomicExch(reinterpret_cast<unsigned long long *>(&row->key), detail::kRowTaken);
  }

  __device__ __forceinline__ static void storeRowWhere(kperf_stream *row, uint64_t key, uint32_t part, uint32_t count, bool isStored) {
    detail::storeRecordAt(reinterpret_cast<uint64_t>(row), static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), part, count,
                          isStored);
  }

  /// Lanes may leave one after another. Where a whole warp leaves behind the same record, of which the first lane is the one that writes,
  /// there is nothing to say of other lanes.
  __device__ __forceinline__ void leave() {
    if (first == 0)
      return;
    const detail::LaneMask lanes = detail::activeLanes();
    const bool isWriter = units < detail::kNoWriter - 1; // of a power of two the compiler would make shifts
    const uint64_t part = kperf_config.arena + first - sizeof(format::WarpHeader);
    if (lanes != 0xffffffffu || !detail::areOfOneCall(units))
      countVisits(part, isWriter);
    detail::finishStream(part, units, isWriter);
    storeRowWhere(detail::functionRow(number), detail::rowKey(id), first, units, isWriter);
  }

  /// How often lanes came to a record is how far their counts are when they leave, less how far they were when they came; and a warp's as
  /// often as its writer did is the same with the writer's count for all lanes. So each lane that leaves adds its count, the writer takes
  /// off its own for all, and lanes that come without the others make up for those that do not begin there (enterAnew): in any order, and
  /// whichever call a lane is in. Where a whole warp comes, or leaves with one count, all of that is 0.
  __device__ __forceinline__ void countVisits(uint64_t part, bool isWriter) const {
    const int64_t count = (units & (detail::kNoWriter - 1)) / (Words / 4);
    addVisits(part, isWriter ? count - count * detail::warpLanes() : count, true);
  }

  /// To how much oftener lanes came to a record than whole warps would have.
  __device__ __forceinline__ static void addVisits(uint64_t part, int64_t visits, bool isMine) {
    detail::addTo(part + offsetof(format::WarpHeader, nameAddress), static_cast<uint64_t>(visits), isMine);
  }

  using Stream<Words>::first;
  using Stream<Words>::units;
#endif
  uint32_t id, number;
};

/// A region from here to the end of the enclosing block, in a record of its own.
template <typename Stream> class StreamScope {
public:
  __host__ __device__ __forceinline__ StreamScope(Stream &stream, uint32_t id) : StreamScope(stream, 0, id, false) {}
  __host__ __device__ __forceinline__ ~StreamScope() {
#ifdef KPERF_DEVICE_CODE
    if (detail::isRegionOn(id))
      stream.append(start, detail::settledClock(), hasObject ? object : detail::activeLanes(), detail::tagOf(format::RecordKind::Span, id));
#endif
  }
  StreamScope(const StreamScope &) = delete;
  StreamScope &operator=(const StreamScope &) = delete;

protected:
  __host__ __device__ __forceinline__ StreamScope(Stream &stream, uint32_t object, uint32_t id, bool hasObject)
      : stream(stream), object(object), id(id), hasObject(hasObject) {
#ifdef KPERF_DEVICE_CODE
    start = detail::settledClock();
#endif
  }

private:
  Stream &stream;
  uint32_t object, id;
  bool hasObject;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// A region that statements of one block begin and end. Trivial to construct, so that jumps may pass by its declaration.
class StreamRange {
public:
  template <typename Stream> __host__ __device__ __forceinline__ void begin(Stream &, uint32_t) {
#ifdef KPERF_DEVICE_CODE
    start = detail::settledClock();
#endif
  }
  template <typename Stream> __host__ __device__ __forceinline__ void end(Stream &stream, uint32_t id) {
#ifdef KPERF_DEVICE_CODE
    if (detail::isRegionOn(id))
      stream.append(start, detail::settledClock(), detail::activeLanes(), detail::tagOf(format::RecordKind::Span, id));
#else
    (void)stream, (void)id;
#endif
  }

#ifdef KPERF_DEVICE_CODE
private:
  uint32_t start;
#endif
};

/// A wait for `object`.
template <typename Stream> class StreamWait : StreamScope<Stream> {
public:
  __host__ __device__ __forceinline__ StreamWait(Stream &stream, uint32_t object, uint32_t id)
      : StreamScope<Stream>(stream, object, id, true) {}
};

} // namespace kperf

#endif
