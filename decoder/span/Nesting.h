// The tree of a warp's spans, and the time attributed to each.
#ifndef KPERF_DECODER_NESTING_H
#define KPERF_DECODER_NESTING_H

#include "decoder/span/RegionSet.h"
#include "decoder/span/Spans.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

/// The tree of a warp's spans. A span that crosses another, beginning inside it and ending outside, belongs to no tree:
/// of a crossing pair the KPERF_BEGIN/END range is set aside, or both when neither or both are ranges. What is left
/// nests, so that attributed + unattributed + notRecorded is the warp's life, to the cycle.
class Nesting {
public:
  static constexpr std::int32_t kTop = -1;
  static constexpr std::int32_t kOverlapping = -2; ///< set aside

  /// Computes the tree of `warp`; the results below live until the next call.
  void build(const WarpSpans &warp, const RegionSet &regions);

  /// For each span the index of the one around it, kTop or kOverlapping.
  std::span<const std::int32_t> parents() const { return parent; }
  /// For each span its cycles without those of its children, where records were kept: where some were dropped nobody knows whose time
  /// it is. 0 for overlapping ones.
  std::span<const std::uint64_t> exclusive() const { return own; }
  /// For each span the index after the last one inside it: those inside stand between, with any that were set aside.
  std::span<const std::uint32_t> ends() const { return after; }
  std::uint64_t overlapping() const { return overlapCount; }
  std::uint64_t attributed() const { return attributedCycles; } ///< inside any span of the tree, where records were kept
  std::uint64_t notRecorded() const {
    return notRecordedCycles;
  } ///< where records were dropped, a dropped region may be around, or sums are of unknown time
  std::uint64_t unattributed() const { return unattributedCycles; } ///< outside, between records

  /// Whether a span around span `i` of the warp that was built is of the same region.
  bool isRecursive(std::span<const Span> spans, std::size_t i) const {
    int steps = 64; // beyond them all spans are looked at once, for each walk would be as long as the nest is deep
    for (std::int32_t around = parent.data()[i]; around >= 0; around = parent.data()[around])
      if (spans.data()[around].region == spans.data()[i].region)
        return true;
      else if (--steps == 0)
        return isDeeplyRecursive(spans, i);
    return false;
  }

private:
  template <bool hasSetAside> bool sweep(std::span<const Span> spans);
  void setAside(std::span<const Span> spans, std::span<const format::RegionKind> kinds);
  void account(const WarpSpans &warp);
  std::uint64_t outside(std::span<const Span> spans, std::uint64_t from, std::uint64_t to) const;
  void buildFromSums(const WarpSpans &warp);
  bool isDeeplyRecursive(std::span<const Span> spans, std::size_t i) const;

  std::vector<std::int32_t> parent;
  std::vector<std::uint64_t> own;
  std::vector<std::uint32_t> after, stack;
  mutable std::vector<bool> recursive; ///< for each span, once it was asked for; else empty
  std::uint64_t overlapCount = 0, attributedCycles = 0, notRecordedCycles = 0, unattributedCycles = 0;
};

} // namespace kperf::decoder

#endif
