// What the probes of one warp record on the host target: its slot in the arena, and how its lanes come to probes
// together.
//
// On a GPU the lanes of a warp come to a probe together unless they diverged; here they run one after another. So at
// each probe a lane waits until none of its warp can go on, and the lanes that then wait at the same probe make one
// record.
#ifndef KPERF_HOST_WARP_RECORDER_H
#define KPERF_HOST_WARP_RECORDER_H

#include "Clock.h"

#include <kperf/format.h>
#include <kperf/module.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

namespace kperf::host {

class WarpRecorder final : public ConvergenceOrder {
public:
  /// Index of a record in the warp, kept or not.
  using Index = std::uint32_t;

  /// Takes a slot of the arena; without room isRecording() is false and no other member may be called.
  WarpRecorder(const kperf_device_config &config, std::uint32_t mostRecords, int lanes)
      : keepLast(config.keep_last != 0), capacity(config.records_per_warp), lanesToLeave(lanes) {
    while (capacity / 2 >= mostRecords && capacity > 1)
      capacity /= 2;
    slotBytes = sizeof(format::WarpHeader) + std::uint64_t{capacity} * sizeof(format::Record);
    auto *part = reinterpret_cast<kperf_arena_part *>(config.parts); // the only one here
    const std::uint64_t offset = __atomic_fetch_add(&part->used_bytes, slotBytes, __ATOMIC_RELAXED);
    if (offset + slotBytes <= config.part_bytes) {
      header = reinterpret_cast<format::WarpHeader *>(config.arena + offset);
      records = reinterpret_cast<format::Record *>(header + 1);
    } else {
      __atomic_fetch_add(&part->warps_refused, 1, __ATOMIC_RELAXED);
    }
  }

  bool isRecording() const { return header != nullptr; }

  /// Writes what is known when the first lane enters the kernel. `instantiation` has to live as long as the program.
  void describe(std::uint32_t kernel, const char *instantiation, const CudaThread &thread) {
    const Grid &grid = thread.block->grid();
    *header = {};
    header->gridId = grid.id;
    header->block = thread.block->index();
    header->nameAddress = reinterpret_cast<std::uintptr_t>(instantiation);
    header->nameBytes = instantiation ? static_cast<std::uint32_t>(std::strlen(instantiation) + 1) : 0;
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
    header->flags = format::kWarpReserved;
    header->slotBytes = static_cast<std::uint32_t>(slotBytes);
  }

  void enterKernel(std::uint64_t now) { header->startNs = header->startCycles = std::min(header->startCycles, now); }

  /// The last lane to leave completes the header.
  void leaveKernel(std::uint64_t now) {
    header->endNs = header->endCycles = std::max(header->endCycles, now);
    if (--lanesToLeave > 0)
      return;
    header->produced = produced;
    header->flags = format::kWarpReserved | format::kWarpFinished;
  }

  /// The calling lane enters a region, with the lanes that come to it together. Its record is empty until somebody
  /// leaves.
  Index enter(std::uint32_t id, const Site &site) {
    const std::uint32_t group = come(id, format::RecordKind::Span, "the beginning of a region", site);
    if (leads(group)) {
      const Index index = produced++;
      open.push_back({index, group});
      for (std::uint32_t rest = group; rest; rest &= rest - 1)
        entered[__builtin_ctz(rest)] = index;
      reserve(index, id, group).first = static_cast<std::uint32_t>(readClock());
    } else {
      tickAlong();
    }
    return entered[currentThread->lane()];
  }

  /// The calling lane leaves the region that it entered as `index`.
  void leave(Index index, const Site &site) {
    CudaThread &thread = *currentThread;
    const std::uint32_t group = thread.block->converge(kLeaving | index, 0, "the end of a region", site);
    if (leads(group)) {
      const auto now = static_cast<std::uint32_t>(readClock());
      if (isKept(index)) {
        at(index).second = now;
        at(index).tag |= static_cast<std::uint32_t>(format::RecordKind::Span) << format::kKindShift;
      }
    } else {
      tickAlong();
    }
    const auto mine = std::find_if(open.begin(), open.end(), [&](const Open &each) { return each.index == index; });
    if ((mine->inside &= ~thread.bit()) == 0)
      open.erase(mine);
  }

  /// An instant. A mark's payload is that of the lowest lane.
  void event(std::uint32_t id, format::RecordKind kind, std::uint32_t payload, const Site &site) {
    const std::uint32_t group = come(id, kind, "a mark", site);
    if (!leads(group))
      return tickAlong();
    const auto now = static_cast<std::uint32_t>(readClock());
    format::Record &record = reserve(produced++, id | static_cast<std::uint32_t>(kind) << format::kKindShift, group);
    record.first = now;
    record.second = payload;
  }

  /// As a GPU would reconverge them: who is behind goes first, so that the others have company when they go on.
  std::uint32_t choose(const Warp &warp) override {
    std::uint32_t best = 0;
    Rank bestRank{};
    for (std::uint32_t rest = warp.converging; rest;) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
      const std::uint32_t group = warp.convergingWith(lane);
      const Rank rank = rankOf(warp.threads[lane], group, warp);
      if (!best || rank < bestRank) {
        best = group;
        bestRank = rank;
      }
      rest &= ~group;
    }
    return best;
  }

private:
  static constexpr std::uint64_t kComing = 1ull << 62,
                                 kLeaving = 1ull << 63; ///< keys of converge(); hashes have neither

  /// Lower goes first: is it the end of a region that others are still in; has nobody passed this probe more often;
  /// line.
  using Rank = std::tuple<bool, bool, unsigned>;

  struct Open {
    Index index;
    std::uint32_t inside; ///< lanes
  };
  /// How often each lane passed a probe.
  struct Passes {
    std::uint64_t key;
    std::uint32_t times[32] = {};

    explicit Passes(std::uint64_t key) : key(key) {}
  };

  std::uint32_t come(std::uint32_t id, format::RecordKind kind, const char *what, const Site &site) {
    CudaThread &thread = *currentThread;
    const std::uint64_t key = kComing | static_cast<std::uint64_t>(kind) << format::kKindShift | id;
    const std::uint32_t group = thread.block->converge(key, 0, what, site);
    ++passesOf(key).times[thread.lane()];
    return group;
  }

  /// The lowest lane of a group goes on first and speaks for it.
  static bool leads(std::uint32_t group) { return (group & (currentThread->bit() - 1)) == 0; }
  /// The other lanes of a warp spend the same virtual time.
  static void tickAlong() { currentThread->time += ticks::kClock; }

  Passes &passesOf(std::uint64_t key) {
    for (Passes &each : passes)
      if (each.key == key)
        return each;
    passes.emplace_back(key);
    return passes.back();
  }

  Rank rankOf(const CudaThread &thread, std::uint32_t group, const Warp &warp) {
    const std::uint64_t key = thread.convergence;
    bool othersInside = false, isBehind = false;
    if (key & kLeaving) {
      for (const Open &each : open)
        othersInside |= each.index == static_cast<Index>(key) && (each.inside & warp.live() & ~group);
    } else if (key & kComing) {
      const Passes &mine = passesOf(key);
      for (std::uint32_t rest = warp.converging & ~group; rest; rest &= rest - 1)
        isBehind |= mine.times[__builtin_ctz(rest)] > mine.times[thread.lane()];
    }
    return {othersInside, !isBehind, thread.wait.site->line};
  }

  bool isKept(Index index) const { return keepLast ? produced - index <= capacity : index < capacity; }
  format::Record &at(Index index) { return records[index % capacity]; }

  /// The record's place, cleared but for the tag and the lanes; somewhere else when it is not kept.
  format::Record &reserve(Index index, std::uint32_t tag, std::uint32_t lanes) {
    format::Record &record = isKept(index) ? at(index) : notKept;
    record = {0, 0, lanes, tag | (index / capacity & 0xf) << format::kGenerationShift};
    return record;
  }

  format::WarpHeader *header = nullptr;
  format::Record *records = nullptr;
  format::Record notKept{};
  std::uint64_t slotBytes = 0;
  const bool keepLast;
  std::uint32_t capacity, produced = 0;
  int lanesToLeave;
  Index entered[32] = {}; ///< what a group's leader tells each lane
  std::vector<Open> open;
  std::vector<Passes> passes;
};

} // namespace kperf::host

#endif
