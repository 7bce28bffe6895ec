// What the probes of one warp record on the host target: its slot in the arena, and how its lanes come to probes
// together.
//
// On a GPU the lanes of a warp come to a probe together unless they diverged; here they run one after another. So at
// each probe a lane waits until none of its warp can go on, and the lanes that then wait at the same probe make one
// record.
#ifndef KPERF_HOST_WARP_RECORDER_H
#define KPERF_HOST_WARP_RECORDER_H

#include <kperf/host/engine/Clock.h>
#include <kperf/host/engine/Outlined.h>

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

namespace kperf::host {

/// What a kernel keeps of regions that are summed up: of how many, and whether as under --extremes and --histogram.
struct SumsKept {
  std::uint32_t count;
  bool hasExtremes, hasHistogram;
};

class WarpRecorder final : public ConvergenceOrder {
public:
  /// Number of a record in the warp, kept or not.
  using RecordIndex = std::uint32_t;

  /// Takes a slot of the arena, with a second part for the sums if there are any; without room isRecording() is false and no
  /// other member may be called.
  WarpRecorder(const kperf_device_config &config, std::uint32_t maxRecords, const SumsKept &kept, int lanes)
      : keepLast(config.keep_last != 0), kept(kept), skipped(config.skip), capacity(config.records_per_warp), sums(kept.count),
        lanesToLeave(lanes) {
    while (capacity / 2 >= maxRecords && capacity > 1)
      capacity /= 2;
    partBytes = sizeof(format::WarpHeader) + std::uint64_t{capacity} * sizeof(format::Record);
    const std::uint64_t slotBytes = partBytes + (kept.count ? sizeof(format::WarpHeader) + sumRecords() * sizeof(format::Record) : 0);
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
    header->slotBytes = static_cast<std::uint32_t>(partBytes);
    if (sums.empty())
      return;
    format::WarpHeader &second = *sumHeader();
    second = *header;
    second.capacity = sumRecords();
    second.slotBytes = static_cast<std::uint32_t>(sizeof(format::WarpHeader) + second.capacity * sizeof(format::Record));
    second.flags = format::kWarpContinued;
  }

  /// Region `index` of those that are summed up has the id, and stands in region `around` - 1; 0: in none of them.
  KPERF_HOST_OUTLINED void name(std::uint32_t index, std::uint32_t around, std::uint32_t id) {
    sums[index].id = id;
    sums[index].around = around;
  }

  KPERF_HOST_OUTLINED void enterKernel(std::uint64_t now) {
    header->startNs = header->startCycles = std::min(header->startCycles, now);
    if (!sums.empty())
      sumHeader()->startNs = sumHeader()->startCycles = header->startCycles;
  }

  /// The last lane to leave completes the header.
  KPERF_HOST_OUTLINED void leaveKernel(std::uint64_t now) {
    header->endNs = header->endCycles = std::max(header->endCycles, now);
    if (--lanesToLeave > 0)
      return;
    header->produced = produced - skipped; // the runtime adds them, as it does for a GPU (cuda/Parts.h)
    header->flags = format::kWarpReserved | format::kWarpFinished | (skipped ? format::kWarpWindow : 0);
    if (!sums.empty())
      writeSums();
  }

  /// The calling lane enters a region, with the lanes that come to it together. Its record is empty until somebody
  /// leaves. A wait says, in place of these lanes, what object it is for: that of the lowest lane.
  KPERF_HOST_OUTLINED RecordIndex enter(std::uint32_t id, const Site &site, const std::uint32_t *object = nullptr) {
    const std::uint32_t group = come(id, format::RecordKind::Span, "the beginning of a region", site);
    if (leads(group)) {
      const RecordIndex index = produced++;
      begin({index, group, 0, 0, false});
      reserve(index, id, object ? *object : group).first = static_cast<std::uint32_t>(readClock());
    } else {
      tickAlong();
    }
    return entered[currentThread->lane()];
  }

  /// The same for the region that is summed up as `sum`. Lanes that a GPU would keep together may come apart here; the entries
  /// that count are those of lane 0.
  KPERF_HOST_OUTLINED RecordIndex enterSummed(std::uint32_t sum, std::uint32_t id, const Site &site) {
    const std::uint32_t group = come(id, format::RecordKind::Span, "the beginning of a region", site);
    if (leads(group)) {
      begin({kSummed | summed++ % kSummed, group, sum, 0, (group & 1) != 0});
      open.back().start = static_cast<std::uint32_t>(readClock());
    } else {
      tickAlong();
    }
    return entered[currentThread->lane()];
  }

  /// The calling lane leaves the region that it entered as `index`.
  KPERF_HOST_OUTLINED void leave(RecordIndex index, const Site &site) {
    CudaThread &thread = *currentThread;
    const std::uint32_t group = thread.block->converge(kLeaving | index, 0, "the end of a region", site);
    const auto mine = std::find_if(open.begin(), open.end(), [&](const Open &each) { return each.index == index; });
    if (leads(group)) {
      const auto now = static_cast<std::uint32_t>(readClock());
      if (index & kSummed) {
        if (mine->isOfFirstLane)
          sums[mine->sum].add(now - mine->start);
      } else if (isKept(index)) {
        at(index).second = now;
        at(index).tag |= static_cast<std::uint32_t>(format::RecordKind::Span) << format::kKindShift;
      }
    } else {
      tickAlong();
    }
    if ((mine->inside &= ~thread.bit()) == 0)
      open.erase(mine);
  }

  /// An instant. A mark's payload is that of the lowest lane.
  KPERF_HOST_OUTLINED void event(std::uint32_t id, format::RecordKind kind, std::uint32_t payload, const Site &site) {
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
    const CudaThread *bestThread = nullptr;
    Rank bestRank{};
    for (std::uint32_t rest = warp.converging; rest;) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
      const CudaThread &thread = warp.threads[lane];
      const std::uint32_t group = warp.convergingWith(lane);
      const Rank rank = rankOf(thread, group, warp);
      if (!best || rank < bestRank || (rank == bestRank && thread.isBefore(*bestThread))) {
        best = group;
        bestThread = &thread;
        bestRank = rank;
      }
      rest &= ~group;
    }
    return best;
  }

private:
  static constexpr std::uint64_t kComing = 1ull << 62,
                                 kLeaving = 1ull << 63; ///< keys of converge(); hashes have neither

  /// Lower goes first: is it the end of a region that others are still in; has nobody passed this probe more often. Among equals
  /// the place in the source decides.
  using Rank = std::tuple<bool, bool>;

  /// Set in the index of an entry that has no record.
  static constexpr RecordIndex kSummed = 0x80000000;

  struct Open {
    RecordIndex index;
    std::uint32_t inside;     ///< lanes
    std::uint32_t sum, start; ///< of an entry that is summed up: where, and its beginning
    bool isOfFirstLane;
  };
  struct Sum {
    std::uint32_t id = 0, around = 0, count = 0, least = ~0u, most = 0;
    std::uint64_t total = 0;
    std::uint32_t lengths[format::kLengthPowers] = {};

    void add(std::uint32_t length) {
      ++count;
      total += length;
      least = std::min(least, length);
      most = std::max(most, length);
      ++lengths[length ? 32 - __builtin_clz(length) : 0];
    }
  };
  /// How often each lane passed a probe, called from the same places.
  struct Passes {
    std::uint64_t key, path;
    std::uint32_t times[32] = {};

    Passes(std::uint64_t key, std::uint64_t path) : key(key), path(path) {}
  };

  std::uint32_t come(std::uint32_t id, format::RecordKind kind, const char *what, const Site &site) {
    CudaThread &thread = *currentThread;
    const std::uint64_t key = kComing | static_cast<std::uint64_t>(kind) << format::kKindShift | id;
    const std::uint32_t group = thread.block->converge(key, 0, what, site);
    ++passesOf(key, thread).times[thread.lane()];
    return group;
  }

  /// The lowest lane of a group goes on first and speaks for it.
  static bool leads(std::uint32_t group) { return (group & (currentThread->bit() - 1)) == 0; }
  /// The other lanes of a warp spend the same virtual time.
  static void tickAlong() { currentThread->time += ticks::kClock; }

  void begin(const Open &entry) {
    open.push_back(entry);
    for (std::uint32_t rest = entry.inside; rest; rest &= rest - 1)
      entered[__builtin_ctz(rest)] = entry.index;
  }

  format::WarpHeader *sumHeader() const { return reinterpret_cast<format::WarpHeader *>(reinterpret_cast<char *>(header) + partBytes); }

  std::uint32_t sumRecords() const {
    return static_cast<std::uint32_t>(((kept.hasExtremes ? 2 : 1) + (kept.hasHistogram ? format::kLengthsRecords : 0)) * sums.size());
  }

  void writeSums() const {
    const auto tagOf = [](const Sum &sum, format::RecordKind kind) {
      return sum.id | static_cast<std::uint32_t>(kind) << format::kKindShift;
    };
    auto *record = reinterpret_cast<format::Record *>(sumHeader() + 1);
    for (const Sum &sum : sums) {
      if (kept.hasExtremes) {
        *record++ = {static_cast<std::uint32_t>(sum.total), static_cast<std::uint32_t>(sum.total >> 32), sum.count,
                     tagOf(sum, format::RecordKind::Sum)};
        *record++ = {sum.least, sum.most, sum.around, tagOf(sum, format::RecordKind::Extremes)};
      } else {
        *record++ = {static_cast<std::uint32_t>(sum.total), sum.around, sum.count, tagOf(sum, format::RecordKind::Total)};
      }
      for (std::uint32_t power = 0; kept.hasHistogram && power < format::kLengthPowers; power += 3)
        *record++ = {sum.lengths[power], sum.lengths[power + 1], sum.lengths[power + 2], tagOf(sum, format::RecordKind::Lengths)};
    }
    format::WarpHeader &second = *sumHeader();
    second.endNs = header->endNs;
    second.endCycles = header->endCycles;
    second.produced = second.capacity;
    second.flags = format::kWarpContinued | format::kWarpFinished;
  }

  Passes &passesOf(std::uint64_t key, const CudaThread &thread) {
    const std::uint64_t path = thread.innermost->path;
    for (Passes &each : passes)
      if (each.key == key && each.path == path)
        return each;
    passes.emplace_back(key, path);
    return passes.back();
  }

  Rank rankOf(const CudaThread &thread, std::uint32_t group, const Warp &warp) {
    const std::uint64_t key = thread.convergence;
    bool othersInside = false, isBehind = false;
    if (key & kLeaving) {
      for (const Open &each : open)
        othersInside |= each.index == static_cast<RecordIndex>(key) && (each.inside & warp.live() & ~group);
    } else if (key & kComing) {
      const Passes &mine = passesOf(key, thread);
      for (std::uint32_t rest = warp.converging & ~group; rest; rest &= rest - 1)
        isBehind |= mine.times[__builtin_ctz(rest)] > mine.times[thread.lane()];
    }
    return {othersInside, !isBehind};
  }

  bool isKept(RecordIndex index) const { return keepLast ? produced - index <= capacity : index - skipped < capacity; }
  format::Record &at(RecordIndex index) { return records[(index - skipped) % capacity]; }

  /// The record's place, cleared but for the tag and the lanes; somewhere else when it is not kept.
  format::Record &reserve(RecordIndex index, std::uint32_t tag, std::uint32_t lanes) {
    format::Record &record = isKept(index) ? at(index) : notKept;
    record = {0, 0, lanes, tag | ((index - skipped) / capacity & 0xf) << format::kGenerationShift};
    return record;
  }

  format::WarpHeader *header = nullptr;
  format::Record *records = nullptr;
  format::Record notKept{};
  std::uint64_t partBytes = 0; ///< of the part with the records
  const bool keepLast;
  const SumsKept kept;
  const std::uint32_t skipped; ///< records that are not kept, before those that are
  std::uint32_t capacity, produced = 0;
  std::uint32_t summed = 0; ///< entries so far that are summed up
  std::vector<Sum> sums;
  int lanesToLeave;
  RecordIndex entered[32] = {}; ///< what a group's leader tells each lane
  std::vector<Open> open;
  std::vector<Passes> passes;
};

} // namespace kperf::host

#endif
