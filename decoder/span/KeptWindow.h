// The time in which no record of a warp was dropped, and which dropped regions may enclose it.
#ifndef KPERF_DECODER_KEPT_WINDOW_H
#define KPERF_DECODER_KEPT_WINDOW_H

#include <algorithm>
#include <cstdint>

namespace kperf::decoder {

/// Times in cycles. A dropped record's region is around what was kept if it began earlier and its record comes later, or the other way
/// round: where records stand by their ends and the newest were dropped, where they stand by their begins and the oldest were, and
/// where a range's begin was kept without its end, or its end without its begin.
struct KeptWindow {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  std::uint64_t begin = 0, end = kNever; ///< outside of this, records were dropped
  /// Before the one and from the other on, a region whose record was dropped may be around all that was kept.
  std::uint64_t enclosedUntil = 0, enclosedFrom = kNever;
  /// The same of ranges alone: before the one and from the other on, a range goes on of which the other end was dropped.
  std::uint64_t openUntil = 0, openFrom = kNever;
  bool hasLostOldest = false, hasLostNewest = false;

  /// A part of the warp lost what came before `first`; kNever: all.
  void loseOldest(std::uint64_t first, bool standsByBegin) {
    hasLostOldest = true;
    begin = std::max(begin, first);
    enclosedUntil = standsByBegin ? kNever : enclosedUntil;
  }
  /// A part of the warp lost what came after `last`; 0: all.
  void loseNewest(std::uint64_t last, bool standsByBegin) {
    hasLostNewest = true;
    end = std::min(end, last);
    enclosedFrom = standsByBegin ? enclosedFrom : 0;
  }
  /// The earliest Begin without an End, kNever if there is none, and the latest End without a Begin, else 0.
  void noteOpenEnds(std::uint64_t earliestBegin, std::uint64_t latestEnd) {
    openFrom = hasLostNewest ? earliestBegin : kNever;
    openUntil = hasLostOldest ? latestEnd : 0;
  }
  /// To be called last: the warp's life bounds it all, and what encloses the window is within it.
  void clampTo(std::uint64_t warpBegin, std::uint64_t warpEnd) {
    end = std::clamp(end, warpBegin, warpEnd);
    begin = std::clamp(begin, warpBegin, end);
    openUntil = std::clamp(openUntil, begin, end);
    openFrom = std::clamp(openFrom, openUntil, end);
    enclosedUntil = std::clamp(enclosedUntil, openUntil, end);
    enclosedFrom = std::clamp(std::min(enclosedFrom, openFrom), enclosedUntil, end);
  }
};

} // namespace kperf::decoder

#endif
