// How functions record that must keep nothing in registers: into a row of device memory that belongs to the warp's place on its
// multiprocessor, and stays in the first-level cache while it is used. Emitted: kperf::EventRow, RowScope, RowWait, RowSignal,
// rowBegin, rowEnd, rowMark, rowSignal.
//
// A kernel opens the row, and takes a part of the arena for it, before anything else runs; a row that another launch opened is not used.
// Only lane 0 changes it, and so needs no atomic. Events of lanes that have diverged from lane 0 are counted, not kept.
#ifndef KPERF_CUDA_EVENT_ROW_H
#define KPERF_CUDA_EVENT_ROW_H

#include <kperf/cuda/record/StreamRows.h>

namespace kperf {

namespace detail {

#ifdef KPERF_DEVICE_CODE

__device__ __forceinline__ kperf_stream *eventRow() { return warpRows() + (KPERF_STREAM_ROWS - 1); }

/// Stores a record for the lanes that are here. Stores are predicated, not branched around.
__device__ __forceinline__ void appendToRow(uint32_t first, uint32_t second, uint32_t lanesOrObject, uint32_t tag) {
  if (!kperf_config.streams)
    return;
  const LaneMask lanes = activeLanes();
  kperf_stream *const row = eventRow();
  const Quad seen = loadQuad(row);
  const uint64_t launch = gridId();
  const LaneMask below = lanesBelow();
  const bool isOpen = (seen.z != 0) & (seen.x == static_cast<uint32_t>(launch)) & (seen.y == static_cast<uint32_t>(launch >> 32));
  const bool isWriter = isOpen & (below == 0);
  const uint64_t records = kperf_config.arena + seen.z;
  storeRecordAt(records + (seen.w & kperf_config.ring_mask) * static_cast<uint32_t>(sizeof(format::Record)), first, second, lanesOrObject,
                tag, isWriter & (seen.w < kperf_config.stream_units));
  storeWord(reinterpret_cast<uint64_t>(&row->units), seen.w + 1, isWriter);
  addTo(records - sizeof(format::WarpHeader) + offsetof(format::WarpHeader, nameAddress), countLanes(lanes),
        isOpen & ((lanes & 1) == 0) & ((lanes & below) == 0));
}

#endif

} // namespace detail

/// At the top of a kernel, behind what says when its warps ran: opens the row, and closes it when the warp leaves.
class EventRow {
public:
  __host__ __device__ __forceinline__ EventRow() {
#ifdef KPERF_DEVICE_CODE
    open();
#endif
  }
  __host__ __device__ __forceinline__ ~EventRow() {
#ifdef KPERF_DEVICE_CODE
    close();
#endif
  }
  EventRow(const EventRow &) = delete;
  EventRow &operator=(const EventRow &) = delete;

#ifdef KPERF_DEVICE_CODE
private:
  __device__ __forceinline__ static void open() {
    if (!kperf_config.streams)
      return;
    const detail::LaneMask lanes = detail::activeLanes();
    const bool isFirst = detail::isLowest(lanes);
    const uint32_t part = detail::isSampled() ? detail::takeStreamPart(4, lanes, isFirst, /*entered=*/0) : 0;
    const uint64_t launch = detail::gridId();
    detail::storeRecordAt(reinterpret_cast<uint64_t>(detail::eventRow()), static_cast<uint32_t>(launch),
                          static_cast<uint32_t>(launch >> 32), part, 0, isFirst);
    detail::syncLanes(lanes);
  }

  __device__ __forceinline__ static void close() {
    if (!kperf_config.streams || detail::lanesBelow() != 0)
      return;
    const detail::Quad row = detail::loadRow(detail::eventRow());
    if (row.z == 0 || (uint64_t{row.y} << 32 | row.x) != detail::gridId())
      return;
    const uint64_t part = kperf_config.arena + row.z - sizeof(format::WarpHeader);
    detail::finishStream(part, row.w, true);
  }
#endif
};

/// A region from here to the end of the enclosing block.
class RowScope {
public:
  __host__ __device__ __forceinline__ explicit RowScope(uint32_t id) : RowScope(0, id, false) {}
  __host__ __device__ __forceinline__ ~RowScope() {
#ifdef KPERF_DEVICE_CODE
    const uint32_t stop = detail::divergentClock();
    if (detail::isRegionOn(id))
      detail::appendToRow(start, stop, hasObject ? object : detail::activeLanes(), detail::tagOf(format::RecordKind::Span, id));
#endif
  }
  RowScope(const RowScope &) = delete;
  RowScope &operator=(const RowScope &) = delete;

protected:
  __host__ __device__ __forceinline__ RowScope(uint32_t object, uint32_t id, bool hasObject)
      : object(object), id(id), hasObject(hasObject) {
#ifdef KPERF_DEVICE_CODE
    start = detail::divergentClock();
#endif
  }

private:
  uint32_t object, id;
  bool hasObject;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

/// A wait for `object`.
class RowWait : RowScope {
public:
  __host__ __device__ __forceinline__ RowWait(uint32_t object, uint32_t id) : RowScope(object, id, true) {}
};

namespace detail {

__host__ __device__ __forceinline__ void appendEvent(format::RecordKind kind, uint32_t id, uint32_t payload) {
#ifdef KPERF_DEVICE_CODE
  if (isRegionOn(id))
    appendToRow(divergentClock(), payload, activeLanes(), tagOf(kind, id));
#else
  (void)kind, (void)id, (void)payload;
#endif
}

} // namespace detail

/// The beginning of a range, and its end.
__host__ __device__ __forceinline__ void rowBegin(uint32_t id) { detail::appendEvent(format::RecordKind::Begin, id, 0); }
__host__ __device__ __forceinline__ void rowEnd(uint32_t id) { detail::appendEvent(format::RecordKind::End, id, 0); }

/// An instant with the payload of lane 0.
template <typename Payload> __host__ __device__ __forceinline__ void rowMark(uint32_t id, Payload payload) {
  detail::appendEvent(format::RecordKind::Mark, id, static_cast<uint32_t>(payload));
}
__host__ __device__ __forceinline__ void rowMark(uint32_t id) { detail::appendEvent(format::RecordKind::Mark, id, 0); }

/// What others wait for, done with `object`.
__host__ __device__ __forceinline__ void rowSignal(uint32_t object, uint32_t id) {
  detail::appendEvent(format::RecordKind::Mark, id, object);
}

/// The same, done between here and the end of the enclosing block: the instant is that of the beginning, and the record, which takes some
/// hundred cycles, is stored at the end, behind the signal, where nobody waits for it.
class RowSignal {
public:
  __host__ __device__ __forceinline__ RowSignal(uint32_t object, uint32_t id) : object(object), id(id) {
#ifdef KPERF_DEVICE_CODE
    start = detail::divergentClock();
#endif
  }
  __host__ __device__ __forceinline__ ~RowSignal() {
#ifdef KPERF_DEVICE_CODE
    if (detail::isRegionOn(id))
      detail::appendToRow(start, object, detail::activeLanes(), detail::tagOf(format::RecordKind::Mark, id));
#endif
  }
  RowSignal(const RowSignal &) = delete;
  RowSignal &operator=(const RowSignal &) = delete;

private:
  uint32_t object, id;
#ifdef KPERF_DEVICE_CODE
  uint32_t start;
#endif
};

} // namespace kperf

#endif
