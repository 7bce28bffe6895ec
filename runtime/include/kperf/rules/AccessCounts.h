// What one memory instruction of a warp costs, from the addresses of its lanes: the plain statement of the rules that
// kperf/gpu/memory/AccessCounts.h computes with warp votes.
#ifndef KPERF_HOST_ACCESS_COUNTS_H
#define KPERF_HOST_ACCESS_COUNTS_H

#include <kperf/format.h>
#include <kperf/rules/AccessPattern.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kperf::host {

class AccessCounts {
public:
  using Counts = std::array<std::uint64_t, format::kSiteCounters>;

  /// `lanes`: who takes part; `addresses`: by lane; `bytes`: 1, 2, 4, 8 or 16, to which the addresses are aligned.
  AccessCounts(std::uint32_t lanes, const std::uint64_t *addresses, std::uint32_t bytes) : bytes(bytes) {
    for (; lanes; lanes &= lanes - 1) {
      lane[count] = static_cast<unsigned>(__builtin_ctz(lanes));
      address[count++] = addresses[__builtin_ctz(lanes)];
    }
  }

  void addGlobal(Counts &counts, detail::AccessKind kind) const {
    const bool isAtomic = kind == detail::AccessKind::Atomic;
    const std::uint64_t distinct = std::uint64_t{distinctUnits(bytes)} * bytes;
    const std::uint64_t sectors = isAtomic ? sectorTurns() : distinctUnits(32);
    const std::uint64_t minSectors =
        isAtomic ? std::max<std::uint64_t>((std::uint64_t{count} * bytes + 31) / 32, maxOnOneAddress()) : (distinct + 31) / 32;
    const std::int64_t stride = constantStride();
    const bool isUnit = count == 1 || stride == static_cast<std::int64_t>(bytes);
    counts[format::kAccesses] += 1;
    counts[format::kLanes] += count;
    counts[format::kBytes] += std::uint64_t{count} * bytes;
    counts[format::kDistinctBytes] += distinct;
    counts[format::kSectors] += sectors;
    counts[format::kMinSectors] += minSectors;
    counts[format::kLines] += distinctUnits(128);
    counts[format::kMinLines] += (distinct + 127) / 128;
    counts[isUnit ? format::kUnit : stride == 0 ? format::kBroadcast : stride == kIrregular ? format::kIrregular : format::kStrided] += 1;
    if (!isUnit && stride != kIrregular)
      counts[format::kStrideBytes] += static_cast<std::uint64_t>(std::abs(stride));
    counts[format::kMisaligned] += isUnit && address[0] % 32 != 0 && sectors > minSectors;
    counts[format::kSerialLanes] += maxOnOneAddress();
  }

  void addShared(Counts &counts, detail::AccessKind kind) const {
    const std::int64_t stride = constantStride();
    counts[format::kSharedAccesses] += 1;
    counts[format::kSharedLanes] += count;
    counts[format::kSharedBytes] += std::uint64_t{count} * bytes;
    addWavefronts(counts, kind);
    if (count > 1 && stride != 0 && stride != kIrregular && stride != static_cast<std::int64_t>(bytes)) {
      counts[format::kSharedStrided] += 1;
      counts[format::kSharedStrideBytes] += static_cast<std::uint64_t>(std::abs(stride));
    }
    counts[format::kSharedSerialLanes] += maxOnOneAddress();
  }

private:
  static constexpr std::int64_t kIrregular = INT64_MIN;

  /// Aligned units of that size that the lanes touch.
  unsigned distinctUnits(std::uint32_t unit) const {
    std::array<std::uint64_t, 32> units;
    for (unsigned i = 0; i < count; ++i)
      units[i] = address[i] / unit;
    std::sort(units.begin(), units.begin() + count);
    return static_cast<unsigned>(std::unique(units.begin(), units.begin() + count) - units.begin());
  }

  /// The distance from each lane's address to the next one's; kIrregular when there is no such number, 0 for one lane.
  std::int64_t constantStride() const {
    const auto distance = [&](unsigned i) { return static_cast<std::int64_t>(address[i + 1] - address[i]); };
    for (unsigned i = 1; i + 1 < count; ++i)
      if (distance(i) != distance(0))
        return kIrregular;
    return count > 1 ? distance(0) : 0;
  }

  /// Of atomics: sectors, each as often as the address in it that most lanes have. (Not in any manual: what Nsight Compute's
  /// l1tex__t_sectors_pipe_lsu_mem_global_op_red and _atom count on an H100, for all operations; AccessCountsTest.cpp has 20 patterns.)
  unsigned sectorTurns() const {
    unsigned turns = 0;
    for (unsigned i = 0; i < count; ++i) {
      const auto end = address.begin() + i;
      const std::uint64_t sector = address[i] / 32, before = static_cast<std::uint64_t>(std::count(address.begin(), end, address[i]));
      // The lane that is the n-th at its address adds a turn where none of the lanes before is the n-th at another one of the sector.
      bool isNew = true;
      for (unsigned j = 0; j < i && isNew; ++j)
        isNew =
            address[j] / 32 != sector || static_cast<std::uint64_t>(std::count(address.begin(), address.begin() + j, address[j])) != before;
      turns += isNew;
    }
    return turns;
  }

  unsigned maxOnOneAddress() const {
    unsigned most = 0;
    for (unsigned i = 0; i < count; ++i)
      most = std::max(most, static_cast<unsigned>(std::count(address.begin(), address.begin() + count, address[i])));
    return most;
  }

  /// Lanes are served in groups that ask for at most 128 bytes; in a load of wide elements two groups are served together where
  /// each of their lanes wants what its neighbour does, or what the one after that does.
  void addWavefronts(Counts &counts, detail::AccessKind kind) const {
    const std::uint64_t unit = std::max(bytes, 4u);
    const unsigned together = static_cast<unsigned>(128 / unit), doubled = 2 * together;
    for (unsigned first = 0; first < 32; first += doubled)
      if (kind == detail::AccessKind::Load && together < 32 && (isPaired(first, doubled, 1) || isPaired(first, doubled, 2))) {
        addGroup(counts, first, doubled, unit, kind);
      } else {
        addGroup(counts, first, together, unit, kind);
        if (together < 32)
          addGroup(counts, first + together, together, unit, kind);
      }
  }

  /// Whether each lane of [first, first + lanes) has the address of the lane whose number differs in that bit, if that lane is there.
  bool isPaired(unsigned first, unsigned lanes, unsigned bit) const {
    for (unsigned i = 0; i < count; ++i)
      for (unsigned j = 0; j < i; ++j)
        if (lane[i] / lanes == first / lanes && (lane[i] ^ lane[j]) == bit && address[i] != address[j])
          return false;
    return true;
  }

  /// As many passes as the busiest bank, or for wide elements the busiest set of neighbouring banks, has distinct words to give;
  /// of atomics, lanes to serve, and without conflicts as many as the busiest word.
  void addGroup(Counts &counts, unsigned first, unsigned lanes, std::uint64_t unit, detail::AccessKind kind) const {
    const bool isAtomic = kind == detail::AccessKind::Atomic;
    std::array<std::uint64_t, 32> words;
    unsigned n = 0;
    std::uint64_t least = 0;
    for (unsigned i = 0; i < count; ++i)
      if (lane[i] / lanes == first / lanes)
        words[n++] = address[i] / unit;
    std::sort(words.begin(), words.begin() + n);
    for (unsigned i = 0; i < n; ++i)
      least =
          std::max<std::uint64_t>(least, isAtomic ? static_cast<std::uint64_t>(std::count(words.begin(), words.begin() + n, words[i])) : 1);
    if (!isAtomic)
      n = static_cast<unsigned>(std::unique(words.begin(), words.begin() + n) - words.begin());
    std::array<unsigned, 32> perBank{};
    for (unsigned i = 0; i < n; ++i)
      ++perBank[words[i] % (128 / unit)];
    counts[format::kWavefronts] += *std::max_element(perBank.begin(), perBank.end());
    counts[format::kMinWavefronts] += least;
  }

  std::uint32_t bytes;
  unsigned count = 0;
  std::array<unsigned, 32> lane{};
  std::array<std::uint64_t, 32> address{};
};

/// What one access of that pattern adds to its site's counters.
inline AccessCounts::Counts countsOf(const detail::AccessPattern &pattern) {
  std::uint64_t addresses[32] = {};
  for (unsigned lane = 0; lane < pattern.lanes; ++lane)
    addresses[lane] = (1ull << 62) + pattern.offset + static_cast<std::uint64_t>(pattern.distanceOf(lane));
  const AccessCounts access(static_cast<std::uint32_t>((2ull << (pattern.lanes - 1)) - 1), addresses, pattern.bytes);
  AccessCounts::Counts counts{};
  if (pattern.isShared)
    access.addShared(counts, pattern.kind);
  else
    access.addGlobal(counts, pattern.kind);
  return counts;
}

} // namespace kperf::host

#endif
