// The part of a warp's slot for regions whose entries are summed up instead of being recorded one by one.
#ifndef KPERF_GPU_SUM_PART_H
#define KPERF_GPU_SUM_PART_H

#include <kperf/gpu/record/Parts.h>

#ifdef KPERF_DEVICE_CODE

namespace kperf {
namespace detail {

/// What a lane keeps of its region: nothing but what a report cannot do without, in 32 bits. Entries of one region in one warp never
/// overlap (they stand in the kernel's own body, which nothing can enter again), so that their cycles are not more than the
/// warp's life, and the low word is all there is where that is less than 2^32 cycles; the reader knows by the warp's clocks.
template <bool HasExtremes> struct LaneSum {
  static constexpr uint32_t kRecords = 1;

  /// An entry that ends now. Returns its length.
  __device__ __forceinline__ uint32_t add(uint32_t start) {
    const uint32_t length = clock32() - start;
    total += length;
    return length;
  }

  __device__ __forceinline__ void store(uint64_t records, uint32_t count, uint32_t id, uint32_t around) const {
    storeQuad(records, Quad{total, around, count, tagOf(format::RecordKind::Total, id)});
  }

  uint32_t total = 0;
};

/// With the shortest and the longest entry, and all of the sum.
template <> struct LaneSum<true> {
  static constexpr uint32_t kRecords = 2;

  __device__ __forceinline__ uint32_t add(uint32_t start) {
    const uint32_t length = clock32() - start;
    total += length;
    least = min(least, length);
    most = max(most, length);
    return length;
  }

  __device__ __forceinline__ void store(uint64_t records, uint32_t count, uint32_t id, uint32_t around) const {
    storeQuad(records, Quad{static_cast<uint32_t>(total), static_cast<uint32_t>(total >> 32), count, tagOf(format::RecordKind::Sum, id)});
    storeQuad(records + sizeof(Quad), Quad{least, most, around, tagOf(format::RecordKind::Extremes, id)});
  }

  uint64_t total = 0;
  uint32_t least = ~0u, most = 0;
};

/// How long a lane's entries are, by powers of two: its region's Lengths records in the slot are the counters, for 33 of them would not
/// go into registers. Without: nothing.
template <bool HasHistogram> struct LaneLengths {
  static constexpr uint32_t kRecords = 0;

  __device__ __forceinline__ void open(uint64_t, uint32_t) const {}
  __device__ __forceinline__ void add(uint32_t) const {}
};

template <> struct LaneLengths<true> {
  static constexpr uint32_t kRecords = format::kLengthsRecords;

  /// `place` is where the region's first Lengths record belongs. Stores all of them: a slot holds what was in memory before.
  __device__ __forceinline__ void open(uint64_t place, uint32_t id) {
    records = place;
    for (uint32_t i = 0; i < kRecords; ++i)
      storeQuad(place + i * sizeof(Quad), Quad{0, 0, 0, tagOf(format::RecordKind::Lengths, id)});
  }

  /// Three counters and a tag: power p has the word p + p / 3, which is 4 p / 3 rounded down, for p up to 32 without a division.
  __device__ __forceinline__ void add(uint32_t length) const {
    const uint32_t power = 32 - static_cast<uint32_t>(__clz(static_cast<int>(length)));
    countIn(records, (power * 171 >> 7) * sizeof(uint32_t));
  }

  uint64_t records;
};

/// How many entries each region has. ByAllLanes: every lane counts those of all regions, so that an entry in each
/// iteration of a loop is counted by what counts the iterations anyway, and no instruction is left of it (test/bench,
/// an H200: in a loop of 64 FMAs at 4, 16 and 64 warps an SM a region takes 11.9, 9.6 and 34.8 cycles, where with its
/// own lane's count it takes 13.9, 11.6 and 37.0).
template <uint32_t Count, bool ByAllLanes> class EntryCounts {
public:
  template <uint32_t SumIndex> __device__ __forceinline__ void addByAllLanes() {
    if constexpr (ByAllLanes)
      ++counts[SumIndex];
  }
  __device__ __forceinline__ void addByOwnLane() {
    if constexpr (!ByAllLanes)
      ++counts[0];
  }

  /// Of the region that is the lane's own.
  __device__ __forceinline__ uint32_t of(uint32_t lane) const {
    if constexpr (ByAllLanes) {
      uint32_t count = 0;
#pragma unroll
      for (uint32_t i = 0; i < Count; ++i)
        if (lane == i)
          count = copyToVectorRegister(counts[i]);
      return count;
    } else {
      return counts[0];
    }
  }

private:
  uint32_t counts[ByAllLanes ? Count : 1] = {};
};

/// For what a whole warp enters and leaves together: lane i keeps the sums of region i in registers, so that any number
/// of regions takes as many of them as one, but for the counts of a few (kMaxCountedByAll), and nothing but lengths is
/// stored before the warp leaves. A warp of fewer lanes than there are regions keeps those that have a lane, and counts
/// the others' records as dropped.
template <uint32_t Count, bool HasExtremes, bool HasHistogram> class SumPart {
public:
  static_assert(Count <= format::kMaxSums, "each region needs a lane");

  __device__ __forceinline__ static constexpr uint32_t bytes() {
    return Count ? sizeof(format::WarpHeader) + kRecords * sizeof(format::Record) : 0;
  }

  /// `part` is the header's address, 0 without a slot; the same in all lanes.
  __device__ __forceinline__ void begin(uint64_t part, LaneMask lanes) {
    lane = laneIdWithoutRematerialisation(lanes);
    width = countLanes(lanes);
    if (HasHistogram && !part)
      lane = ~0u; // no region's: nobody counts where there is no slot
    first = part + sizeof(format::WarpHeader);
  }

  /// Region `SumIndex` has the id, and stands in region `Around` - 1; 0: in none that is summed.
  template <uint32_t SumIndex, uint32_t Around> __device__ __forceinline__ void name(uint32_t regionId) {
    if (lane == SumIndex) {
      id = regionId;
      around = Around;
      lengths.open(first + (kOfRegion * SumIndex + Lane::kRecords) * sizeof(format::Record), regionId);
    }
  }

  /// The clocks are read by the region's lane alone: one that a whole warp reads for arithmetic comes out uniform, and ptxas makes
  /// an S2UR of it, which is slower.
  template <uint32_t SumIndex> __device__ __forceinline__ void begin(uint32_t &start) const {
    if (lane == SumIndex)
      start = clock32();
  }

  template <uint32_t SumIndex> __device__ __forceinline__ void end(uint32_t start) {
    if (lane == SumIndex) {
      const uint32_t length = sum.add(start);
      entries.addByOwnLane();
      lengths.add(length);
    }
    entries.template addByAllLanes<SumIndex>();
  }

  __device__ __forceinline__ void open(uint64_t part, const KernelName &kernel, uint32_t flags, uint64_t cycles, uint64_t ns) const {
    openPart(part, kernel, kept(), bytes(), flags, cycles, ns);
  }

  /// For each lane when it leaves the kernel.
  __device__ __forceinline__ void end(uint64_t part, uint64_t cycles, uint64_t ns, uint32_t flags) {
    if (!part)
      return;
    const uint32_t count = entries.of(lane);
    if (lane < Count)
      sum.store(part + sizeof(format::WarpHeader) + kOfRegion * lane * sizeof(Quad), count, id, around);
    if (lane == 0) {
      completePart(part, cycles, ns, flags);
      storeProduced(part, kRecords);
    }
  }

private:
  using Lane = LaneSum<HasExtremes>;
  using Lengths = LaneLengths<HasHistogram>;
  static constexpr uint32_t kOfRegion = Lane::kRecords + Lengths::kRecords;
  static constexpr uint32_t kRecords = kOfRegion * Count;

  __device__ __forceinline__ uint32_t kept() const { return min(kOfRegion * width, kRecords); }

  Lane sum;
  Lengths lengths;
  /// Each of these may take a register. Beside a histogram's store the lane's own count is cheaper: 81 and 180 cycles a
  /// region at 16 and 64 warps an SM, not 91 and 227.
  static constexpr uint32_t kMaxCountedByAll = HasHistogram ? 0 : 8;
  EntryCounts<Count, Count != 0 && Count <= kMaxCountedByAll> entries;
  uint64_t first; ///< address of the part's records
  uint32_t id, around;
  uint32_t lane, width;
};

} // namespace detail
} // namespace kperf

#endif
#endif
