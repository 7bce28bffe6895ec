// What the probes of one warp have recorded on the host target: the warp's slot in the arena, and which record each lane's
// next execution of a region belongs to.
//
// On a GPU the lanes of a warp come to a probe together; here they come one after another. So the k-th execution of a region
// by each lane is one record of the warp: it begins with the first lane's entry and ends with the last lane's exit.
#ifndef KPERF_HOST_WARP_RECORDER_H
#define KPERF_HOST_WARP_RECORDER_H

#include "Clock.h"

#include <kperf/format.h>
#include <kperf/module.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace kperf::host {

class WarpRecorder {
public:
  /// Index of a record in the warp; kLost when it was not kept.
  using Index = std::uint32_t;
  static constexpr Index kLost = ~0u;

  /// Takes a slot of the arena; without room every member does nothing.
  WarpRecorder(const kperf_device_config &config, std::uint32_t mostRecords, int lanes)
      : keepLast(config.keep_last != 0), capacity(config.records_per_warp), lanesToLeave(lanes) {
    while (capacity / 2 >= mostRecords && capacity > 1)
      capacity /= 2;
    const std::uint64_t bytes = sizeof(format::WarpHeader) + std::uint64_t{capacity} * sizeof(format::Record);
    auto *cursor = reinterpret_cast<kperf_arena_cursor *>(config.cursor);
    const std::uint64_t offset = __atomic_fetch_add(&cursor->used_bytes, bytes, __ATOMIC_RELAXED);
    if (offset + bytes <= config.arena_bytes) {
      header = reinterpret_cast<format::WarpHeader *>(config.arena + offset);
      records = reinterpret_cast<format::Record *>(header + 1);
    } else {
      __atomic_fetch_add(&cursor->warps_refused, 1, __ATOMIC_RELAXED);
    }
  }

  /// Writes what is known when the first lane enters the kernel. `instantiation` has to live as long as the program.
  void describe(std::uint32_t kernel, const char *instantiation, const CudaThread &thread) {
    if (!header)
      return;
    const Grid &grid = thread.block->grid();
    *header = {};
    header->gridId = grid.id;
    header->block = thread.block->index();
    header->nameAddress = reinterpret_cast<std::uintptr_t>(instantiation);
    header->kernel = kernel;
    header->capacity = capacity;
    header->gridX = grid.blocks.x;
    header->gridY = static_cast<std::uint16_t>(grid.blocks.y);
    header->gridZ = static_cast<std::uint16_t>(grid.blocks.z);
    header->blockX = static_cast<std::uint16_t>(grid.threads.x);
    header->blockY = static_cast<std::uint16_t>(grid.threads.y);
    header->blockZ = static_cast<std::uint16_t>(grid.threads.z);
    header->warp = static_cast<std::uint16_t>(thread.linear / 32);
    header->sm = static_cast<std::uint16_t>(thread.block->sm());
    header->startNs = header->startCycles = ~0ull;
  }

  void enterKernel(std::uint64_t now) {
    if (header)
      header->startNs = header->startCycles = std::min(header->startCycles, now);
  }

  /// The last lane to leave completes the header.
  void leaveKernel(std::uint64_t now) {
    if (!header)
      return;
    header->endNs = header->endCycles = std::max(header->endCycles, now);
    if (--lanesToLeave > 0)
      return;
    header->produced = produced;
    sortKept();
    header->flags = format::kWarpFinished;
  }

  bool isRecording() const { return header != nullptr; }

  /// The record of the calling lane's next execution. A new one is empty, and says so if its region never ends.
  Index enter(std::uint32_t id, format::RecordKind kind, const CudaThread &thread) {
    Series &series = seriesOf(id | static_cast<std::uint32_t>(kind) << format::kKindShift);
    const std::uint32_t execution = series.executions[thread.lane()]++;
    Index index;
    if (execution == series.total) {
      index = produced++;
      ++series.total;
      if (!isKept(index))
        return kLost;
      series.note(index, keepLast ? produced - std::min(produced, capacity) : 0);
      at(index) = {0, 0, 0, id | generation(index) << format::kGenerationShift};
    } else {
      index = series.indexOf(execution);
      if (index == kLost || !isKept(index))
        return kLost;
    }
    return index;
  }

  /// The lane's clock at the beginning of a record, or of an instant.
  void stampFirst(Index index, std::uint64_t now, const CudaThread &thread) {
    if (index == kLost)
      return;
    format::Record &record = at(index);
    const auto clock = static_cast<std::uint32_t>(now);
    if (record.lanes == 0 || isBefore(clock, record.first))
      record.first = clock;
    record.lanes |= thread.bit();
  }

  /// The lane leaves a span.
  void stampSpanEnd(Index index, std::uint64_t now) {
    if (index == kLost || !isKept(index))
      return;
    format::Record &record = at(index);
    const auto clock = static_cast<std::uint32_t>(now);
    if (!hasKind(record) || isBefore(record.second, clock))
      record.second = clock;
    setKind(record, format::RecordKind::Span);
  }

  /// The beginning of a range takes the first lane's clock, its end the last one's.
  void stampEvent(Index index, format::RecordKind kind, std::uint64_t now, const CudaThread &thread) {
    if (index == kLost)
      return;
    format::Record &record = at(index);
    const bool isLater = record.lanes != 0 && isBefore(record.first, static_cast<std::uint32_t>(now));
    stampFirst(index, now, thread);
    if (kind == format::RecordKind::End && isLater)
      record.first = static_cast<std::uint32_t>(now);
    setKind(record, kind);
  }

  /// A mark's payload is that of the lowest lane.
  void stampPayload(Index index, std::uint32_t payload, const CudaThread &thread) {
    if (index != kLost && (at(index).lanes & (thread.bit() - 1)) == 0)
      at(index).second = payload;
  }

private:
  /// The executions of one region: which record the k-th is.
  struct Series {
    std::uint32_t key;
    std::uint32_t total = 0; ///< executions that some lane has begun
    std::uint32_t dropped = 0;
    std::uint32_t executions[32] = {};
    std::vector<Index> indices; ///< of executions dropped, dropped + 1, …

    explicit Series(std::uint32_t key) : key(key) {}

    /// `oldest` is the lowest index that is still kept: what is below is forgotten now and then.
    void note(Index index, Index oldest) {
      if (indices.empty())
        dropped = total - 1;
      indices.push_back(index);
      if (indices.size() % 4096 != 0)
        return;
      const auto kept = std::lower_bound(indices.begin(), indices.end(), oldest);
      dropped += static_cast<std::uint32_t>(kept - indices.begin());
      indices.erase(indices.begin(), kept);
    }

    Index indexOf(std::uint32_t execution) const {
      const std::uint32_t place = execution - dropped;
      return execution >= dropped && place < indices.size() ? indices[place] : kLost;
    }
  };

  Series &seriesOf(std::uint32_t key) {
    if (recent < all.size() && all[recent].key == key)
      return all[recent];
    for (recent = 0; recent < all.size(); ++recent)
      if (all[recent].key == key)
        return all[recent];
    all.emplace_back(key);
    return all.back();
  }

  static bool isBefore(std::uint32_t clock, std::uint32_t other) {
    return static_cast<std::int32_t>(clock - other) < 0; // clocks wrap
  }
  static bool hasKind(const format::Record &record) {
    return (record.tag >> format::kKindShift & format::kKindMask) != 0;
  }
  static void setKind(format::Record &record, format::RecordKind kind) {
    record.tag &= ~(format::kKindMask << format::kKindShift);
    record.tag |= static_cast<std::uint32_t>(kind) << format::kKindShift;
  }

  bool isKept(Index index) const { return keepLast ? produced - index <= capacity : index < capacity; }
  std::uint32_t generation(Index index) const { return index / capacity & 0xf; }
  format::Record &at(Index index) { return records[index % capacity]; }

  /// A reader unwraps clocks in the order of the records. Lanes that run one after another leave a range's end, or an
  /// execution that only later lanes have, out of that order.
  void sortKept() {
    struct Timed {
      std::int64_t time;
      format::Record record;
    };
    const Index kept = std::min(produced, capacity), oldest = produced - kept;
    const Index begin = keepLast ? oldest : 0;
    std::vector<Timed> order(kept);
    for (Index i = 0; i < kept; ++i) {
      order[i] = {0, at(begin + i)};
      if (i > 0)
        order[i].time = order[i - 1].time + static_cast<std::int32_t>(order[i].record.first - order[i - 1].record.first);
    }
    const auto isEarlier = [](const Timed &a, const Timed &b) { return a.time < b.time; };
    if (std::is_sorted(order.begin(), order.end(), isEarlier))
      return;
    std::stable_sort(order.begin(), order.end(), isEarlier);
    for (Index i = 0; i < kept; ++i) {
      format::Record &record = at(begin + i) = order[i].record;
      record.tag &= ~(0xfu << format::kGenerationShift);
      record.tag |= generation(begin + i) << format::kGenerationShift;
    }
  }

  format::WarpHeader *header = nullptr;
  format::Record *records = nullptr;
  const bool keepLast;
  std::uint32_t capacity, produced = 0;
  int lanesToLeave;
  std::vector<Series> all;
  std::size_t recent = 0;
};

} // namespace kperf::host

#endif
