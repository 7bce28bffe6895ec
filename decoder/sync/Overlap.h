// Measures how long regions of the warps of a block, or of an SM, ran at the same time.
#ifndef KPERF_DECODER_OVERLAP_H
#define KPERF_DECODER_OVERLAP_H

#include "decoder/span/RegionSet.h"
#include "decoder/span/Spans.h"
#include "decoder/span/WarpGroupKey.h"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace kperf::decoder {

/// What overlaps what in one kernel, in cycles, summed over its groups of warps. A region runs while at least one warp
/// of the group is in it: in a range from its begin to its end, in any other region while no other of those is inside
/// it, and in neither while that warp waits (RegionKind::Wait), also where the region is inside the wait. Waits run too, and do no work.
class KernelOverlap {
public:
  /// Regions that are kept apart; the last place is for all others together.
  static constexpr std::uint32_t kMax = 64;

  /// The place of a region: less than size() from now on.
  std::uint32_t placeOf(std::uint32_t region, bool isWait);
  std::uint32_t size() const { return static_cast<std::uint32_t>(regions.size()); }
  bool isWait(std::uint32_t place) const { return (waits >> place & 1) != 0; }
  /// The region at a place, or RegionSet::kNone for what was not kept apart.
  std::uint32_t regionAt(std::uint32_t place) const { return regions[place]; }

  /// `cycles` during which the regions at exactly these places ran.
  void add(std::uint64_t places, std::uint64_t cycles);

  /// total = exposed + overlapped: while no other region did work, or while at least one did.
  std::uint64_t total(std::uint32_t place) const { return totals[place]; }
  std::uint64_t exposed(std::uint32_t place) const { return alone[place]; }
  std::uint64_t overlapped(std::uint32_t place) const { return accompanied[place]; }
  /// While region `b` did work.
  std::uint64_t together(std::uint32_t a, std::uint32_t b) const {
    return std::size_t{a} * kMax + b < both.size() ? both[a * kMax + b] : 0;
  }
  /// While any region did work.
  std::uint64_t covered() const { return coveredCycles; }

private:
  std::vector<std::uint32_t> regions;
  std::unordered_map<std::uint32_t, std::uint32_t> placeOfRegion;
  std::uint64_t waits = 0; ///< a bit for each place of one
  std::array<std::uint64_t, kMax> totals{}, alone{}, accompanied{};
  std::vector<std::uint64_t> both; ///< kMax for each place that ran: most of many kernels have few
  std::uint64_t coveredCycles = 0;
};

/// Collects warps by group, and looks at a group when all its warps are there, when memory runs short, or at the end.
class OverlapGroups {
public:
  /// Stretches held at once, 24 bytes each.
  static constexpr std::size_t kMaxStretches = std::size_t{1} << 21;

  struct Kernel {
    KernelOverlap overlap;
    std::uint64_t groups = 0, life = 0; ///< cycles from a group's first warp to its last, less the unknown ones
    std::uint64_t unknown = 0;          ///< cycles in which a region of a warp may have run whose record was dropped
    std::uint64_t dropped = 0;          ///< records
    std::uint64_t summed = 0;           ///< regions of warps that were summed up: their entries have no place in time
    std::uint64_t split = 0;            ///< groups that were looked at before all their warps had come
  };

  OverlapGroups(const RegionSet &regions, std::size_t maxStretches = kMaxStretches) : regions(regions), maxStretches(maxStretches) {}

  /// Adds a warp of a kernel, as the caller numbers them. `expected`: warps of the group; 0 when that is not known.
  void add(const WarpGroupKey &key, std::uint64_t expected, const WarpSpans &warp);
  /// Looks at all groups that are left; call it after each trace.
  void finish();
  const Kernel &kernel(std::uint32_t index) const { return kernels[index]; }

private:
  static constexpr std::uint32_t kUnknown = KernelOverlap::kMax; ///< the place of what a warp may have been in
  struct Stretch {
    std::uint64_t begin, end;
    std::uint32_t place;
  };
  struct Group {
    std::uint32_t kernel = 0;
    std::uint64_t expected = 0, seen = 0, begin = ~std::uint64_t{0}, end = 0, touched = 0;
    std::vector<Stretch> stretches;
  };
  void addStretches(Group &group, const WarpSpans &warp);
  void look(Group &group);
  void makeRoom();

  const RegionSet &regions;
  std::size_t maxStretches, held = 0;
  std::uint64_t clock = 0;
  std::unordered_map<WarpGroupKey, Group, WarpGroupKey::Hash> open;
  std::unordered_set<WarpGroupKey, WarpGroupKey::Hash> split;
  std::vector<Kernel> kernels;
  struct Around { ///< a region that a warp is in
    std::uint64_t end;
    std::uint32_t place;
  };
  std::vector<Around> stack;
  std::vector<Span> waits; ///< of a warp, by begin
  struct Edge {
    std::uint64_t at;
    std::int32_t place; ///< from 1 on where it begins, negative where it ends
  };
  std::vector<Edge> edges;
};

} // namespace kperf::decoder

#endif
