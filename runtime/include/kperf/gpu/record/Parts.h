// The parts of a warp's slot that a kernel's own body records into, each with its own way to count.
#ifndef KPERF_GPU_PARTS_H
#define KPERF_GPU_PARTS_H

#include <kperf/gpu/record/SharedRecords.h>
#include <kperf/gpu/record/WarpState.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

// Records are counted from minus those that are skipped (Slot.h's skippedRecords): such a count is beyond any capacity, so that they
// are not kept, without a further test. The header's count is that, too; the runtime adds what was skipped.

/// Writes the half of a part's header that says where the warp is; by one lane.
__device__ __forceinline__ void placePart(uint64_t part) { storeWarpPlace(part, describePart({}, 0, 0, 0)); }

/// Writes the other half; by one lane.
__device__ __forceinline__ void openPart(uint64_t part, const KernelName &kernel, uint32_t capacity, uint32_t bytes, uint32_t flags,
                                         uint64_t cycles, uint64_t ns, uint32_t produced = 0) {
  format::WarpHeader header = describePart(kernel, capacity, bytes, flags);
  header.produced = produced;
  header.startCycles = cycles;
  header.startNs = ns;
  storePartHeader(part, header);
}

/// The bytes of a part for the `most` records that it can get, with `spare` records of room behind its capacity.
template <uint32_t Most> __device__ __forceinline__ uint32_t partBytes(uint32_t spare) {
  return Most ? sizeof(format::WarpHeader) + (capacityFor(Most) + spare) * sizeof(format::Record) : 0;
}

/// Where lane 0's records go one by one: into the warp's slot.
template <uint32_t Most> class SlotRecords {
public:
  __device__ __forceinline__ static uint32_t capacity() { return capacityFor(Most); }
  __device__ __forceinline__ static uint32_t bytes() { return partBytes<Most>(1); } // one spare: what is not kept goes there

  __device__ __forceinline__ void begin(uint64_t part) { records = part + sizeof(format::WarpHeader); }

  /// Stores the record that `produced` were before; `IsStored` is a predicate of the vendor's. The offset is derived
  /// from the count alone: with a cursor beside it the loop of test/bench/chain64.cu took longer.
  template <typename IsStored>
  __device__ __forceinline__ void store(uint32_t produced, uint32_t first, uint32_t second, uint32_t lanes, uint32_t tag,
                                        IsStored isStored) const {
    const uint32_t index = min(produced & kperf_config.ring_mask, capacity());
    storeRecord(records, index * sizeof(format::Record), first, second, lanes, tag, isStored);
  }

  __device__ __forceinline__ void end(uint64_t, uint32_t, bool) const {} // all is there

  __device__ __forceinline__ void countFrom(uint64_t slot) { records = slot; }

private:
  uint64_t records;
};

/// For what lane 0 records, with a whole warp or with whoever is there.
template <typename Records> class LanePart {
public:
  __device__ __forceinline__ static uint32_t bytes() { return Records::bytes(); }

  __device__ __forceinline__ void begin(uint64_t part, LaneMask lanes, uint32_t skipped) {
    records.begin(part);
    isWriter = part && isLowest(lanes);
    produced = 0 - skipped;
  }

  __device__ __forceinline__ void append(uint32_t first, uint32_t second, uint32_t tag, LaneMask lanes) {
    records.store(produced, first, second, static_cast<uint32_t>(lanes), tag, isWriter);
    ++produced;
  }

  /// The same if there are any `lanes`.
  __device__ __forceinline__ void appendIf(uint32_t first, uint32_t second, uint32_t tag, LaneMask lanes) {
    records.store(produced, first, second, static_cast<uint32_t>(lanes), tag, lanes ? isWriter : StoringLane(false));
    produced += lanes != 0;
  }

  /// A span from `start` to now.
  __device__ __forceinline__ void appendSince(uint32_t start, uint32_t tag, LaneMask lanes) { append(start, clock32(), tag, lanes); }

  /// From here on the lane that `writes` records; all of them have counted the same.
  __device__ __forceinline__ void passTo(bool writes) { isWriter = storingLane(writes, firstStored); }
  /// The same where some of the lanes have not counted what others recorded meanwhile.
  __device__ __forceinline__ void passBack(LaneMask lanes, bool writes) {
    produced = votes::largest(lanes, lanes, produced);
    passTo(writes);
  }

  /// Two spans with a clock in common, which it gives back in `middle`: open(), turn(), and close(); or open() and
  /// closeFirst(). Nothing else of this part in between.
  __device__ __forceinline__ void open(uint32_t &start) const { start = clock32(); }
  __device__ __forceinline__ void turn(uint32_t &middle) const { middle = clock32(); }
  __device__ __forceinline__ void close(uint32_t start, uint32_t middle, uint32_t tag) { append(start, middle, tag, clock32()); }
  __device__ __forceinline__ void closeFirst(uint32_t start, uint32_t tag, LaneMask lanes) { appendSince(start, tag, lanes); }

  __device__ __forceinline__ static uint32_t kept() { return Records::capacity(); }

  /// Nothing that comes needs room to be made.
  template <uint32_t Count> __device__ __forceinline__ void reserve() const {}

  /// Behind begin(), where the vendor's kCountsFromSlot: the part is `bytesBefore` bytes behind the slot.
  __device__ __forceinline__ void countFrom(uint64_t slot, uint32_t bytesBefore) {
    records.countFrom(slot);
    firstStored = bytesBefore + sizeof(format::WarpHeader);
    isWriter = storingLane(static_cast<bool>(isWriter), firstStored);
  }

  __device__ __forceinline__ void end(uint64_t part, uint64_t cycles, uint64_t ns, uint32_t flags) {
    records.end(part, produced, static_cast<bool>(isWriter));
    if (!isWriter)
      return;
    completePart(part, cycles, ns, flags);
    storeProduced(part, produced);
  }

private:
  Records records;
  StoringLane isWriter;
  uint32_t produced = 0, firstStored = 0; ///< the second: bytes behind what `records` counts from
};

/// For what a whole warp records together in a kernel that has fences. Each lane keeps one record in registers; when no
/// more can come in, all are stored at once, so a fence seldom finds a store under way. Elsewhere it costs more than it
/// saves: on an H200, in test/bench/chain64.cu 47 cycles a region against 24, and sgemm took 30 % longer where it
/// takes 11. Under HasObjects each lane keeps the record's `lanes` too, which may then be an object (format.h's
/// RegionKind::Wait) or a clock (RecordKind::Adjacent). Room: how many records at most come between two calls of
/// reserve(); 1: there are no such calls, and every record looks whether it was the last one.
template <uint32_t Most, bool HasObjects, uint32_t Room> class StagedPart {
public:
  __device__ __forceinline__ static uint32_t bytes() { return partBytes<Most>(0); }

  /// `part` is the header's address, 0 without a slot; the same in all lanes. A warp of fewer lanes than `Room` keeps nothing.
  __device__ __forceinline__ void begin(uint64_t part, LaneMask lanes, uint32_t skipped) {
    records = part + sizeof(format::WarpHeader);
    stored = 0 - skipped;
    lane = laneIdWithoutRematerialisation(lanes);
    width = countLanes(lanes);
    capacity = part && width >= Room ? capacityFor(Most) : 0;
    hasPart = part != 0;
  }

  __device__ __forceinline__ uint32_t kept() const { return capacity; }

  /// Makes room for that many records.
  template <uint32_t Records> __device__ __forceinline__ void reserve() {
    if (staged + Records > width)
      storeAll();
  }

  __device__ __forceinline__ void append(uint32_t recordFirst, uint32_t recordSecond, uint32_t recordTag, LaneMask recordLanes) {
    stageRecord(lane, staged, first, second, tag, recordFirst, recordSecond, recordTag);
    complete(recordLanes);
  }

  /// The same if there are any lanes. It is staged in any case: the next record takes the place of one that is not
  /// counted, and the kernel's next instructions need not wait for the question.
  __device__ __forceinline__ void appendIf(uint32_t recordFirst, uint32_t recordSecond, uint32_t recordTag, LaneMask recordLanes) {
    static_assert(HasObjects, "else the record would say that all lanes came");
    stageRecord(lane, staged, first, second, tag, recordFirst, recordSecond, recordTag);
    complete(recordLanes, recordLanes != 0);
  }

  /// A span from `start` to now. The clock is read at once and chosen later: read by the lane alone, it would wait for
  /// the question which one that is (test/bench: the GEMM with every wait recorded took 6.5 % longer where it
  /// takes 5.8).
  __device__ __forceinline__ void appendSince(uint32_t start, uint32_t recordTag, LaneMask recordLanes) {
    const uint32_t now = clock32();
    const bool isMine = lane == staged;
    first = isMine ? start : first;
    second = isMine ? now : second;
    tag = isMine ? recordTag : tag;
    complete(recordLanes);
  }

  /// What LanePart's are; the clocks are read into the registers that keep them.
  __device__ __forceinline__ void open(uint32_t &) { stageClock(lane, staged, first); }
  __device__ __forceinline__ void turn(uint32_t &) { stageClock(lane, staged, second); }
  __device__ __forceinline__ void close(uint32_t, uint32_t, uint32_t recordTag) {
    stageLastClock(lane, staged, object, tag, recordTag);
    count();
  }
  __device__ __forceinline__ void closeFirst(uint32_t, uint32_t recordTag, LaneMask recordLanes) {
    stageLastClock(lane, staged, second, tag, recordTag);
    complete(recordLanes);
  }

  /// For each lane when it leaves the kernel; the lowest one of those that leave together completes the header.
  __device__ __forceinline__ void end(uint64_t part, uint64_t cycles, uint64_t ns, uint32_t flags) {
    if (!hasPart)
      return;
    store();
    if (lane == 0) {
      completePart(part, cycles, ns, flags);
      storeProduced(part, stored + staged);
    }
  }

private:
  __device__ __forceinline__ void complete(LaneMask recordLanes, bool isCounted = true) {
    if (HasObjects && lane == staged)
      object = static_cast<uint32_t>(recordLanes);
    count(isCounted);
  }

  __device__ __forceinline__ void count(bool isCounted = true) {
    staged += isCounted;
    if (Room == 1 && staged == width)
      storeAll();
  }

  __device__ __forceinline__ void storeAll() {
    store();
    stored += staged;
    staged = 0;
  }

  /// Stores the calling lane's record, if it has one that is kept.
  __device__ __forceinline__ void store() const {
    const uint32_t index = stored + lane;
    const bool isKept = lane < staged && capacity && (kperf_config.keep_last ? lane + capacity >= staged : index < capacity);
    storeRecord(records, (index & kperf_config.ring_mask) * sizeof(format::Record), first, second,
                HasObjects ? object : static_cast<uint32_t>(lowLanes(width)), tag, isKept);
  }

  uint64_t records;
  uint32_t capacity, lane, width;
  bool hasPart;
  uint32_t stored = 0, staged = 0;
  uint32_t first = 0, second = 0, tag = 0, object = 0;
};

/// For lanes without lane 0, and for functions. Where functions record (IsCalled) the count is in shared memory, where they find
/// it; else in the part's header, in device memory: an atomic there takes some 500 cycles of an H100. So where a loop may come here often,
/// a lane takes a chunk of several records by one atomic, and keeps its place in it.
template <uint32_t Most, bool IsCalled> class SharedPart {
public:
  __device__ __forceinline__ static uint32_t bytes() { return partBytes<Most>(0); }
  static constexpr bool kIsInChunks = !IsCalled && Most == ~0u;
  static constexpr uint32_t kFlags = IsCalled ? format::kWarpReserved : kIsInChunks ? format::kWarpInChunks : 0;

  __device__ __forceinline__ void begin(uint64_t part, LaneMask lanes, uint32_t skipped) {
    if constexpr (!IsCalled)
      header = part;
    else if (isLowest(lanes))
      setState(part, part ? reservationLimit(capacityFor(Most)) : 0, 0 - skipped * static_cast<uint32_t>(sizeof(format::Record)));
  }

  /// By lanes that came together as `lanes`: the lowest of them stores. The record says `recordLanes`. Lanes that came at different
  /// times may leave together, each with its own.
  __device__ __forceinline__ void append(uint32_t first, uint32_t second, uint32_t tag, LaneMask lanes, LaneMask recordLanes) {
    if (!isLowest(lanes))
      return;
    if constexpr (IsCalled) {
      auto record = ReservationIn<false>::ofEach(); // begin() has set the state
      record.lanes = recordLanes;
      record.store(first, second, tag);
    } else if (header) {
      const uint32_t index = nextIndex() & kperf_config.ring_mask;
      storeRecord(header + sizeof(format::WarpHeader), index * sizeof(format::Record), first, second, static_cast<uint32_t>(recordLanes),
                  tag, index < capacityFor(Most));
    }
  }

  __device__ __forceinline__ void end(uint64_t part, uint64_t cycles, uint64_t ns, uint32_t flags) {
    if (part && kIsInChunks)
      giveBack();
    if (!part || !isLowest(activeLanes()))
      return;
    completePart(part, cycles, ns, flags | kFlags);
    if constexpr (IsCalled) {
      const volatile WarpState &state = blockStates()->states[warpInBlock()];
      const uint32_t bytes = sizeof(format::Record), skipped = kWindowFlag ? kperf_config.skip : 0;
      storeProduced(part, (state.reserved + skipped * bytes) / bytes - skipped);
    }
  }

private:
  __device__ __forceinline__ uint32_t nextIndex() {
    if (!kIsInChunks)
      return takeRecords(header, 1);
    const uint32_t last = kperf_config.chunk_mask; // of a chunk; each begins at a multiple of its size
    const uint32_t index = (next & last) == 0 ? takeRecords(header, last + 1) : next;
    next = index + 1;
    return index;
  }

  /// What the lane took and did not need: beyond the capacity it would count as dropped. In front of it the records stay 0, and the
  /// runtime skips them.
  __device__ __forceinline__ void giveBack() const {
    const uint32_t last = kperf_config.chunk_mask, endOfChunk = (next + last) & ~last, unused = max(next, capacityFor(Most));
    if (endOfChunk > unused)
      takeRecords(header, unused - endOfChunk);
  }

  uint64_t header;
  uint32_t next = 0; ///< the calling lane's next index; none is left where it is the first of a chunk
};

} // namespace detail
} // namespace kperf

#endif
#endif
