// The decoded records of one warp: spans in 64-bit cycles, marks, and counts of all records that became neither.
#ifndef KPERF_DECODER_SPANS_H
#define KPERF_DECODER_SPANS_H

#include "decoder/span/KeptWindow.h"

#include <kperf/format.h>

#include <cstdint>
#include <span>

namespace kperf::decoder {

/// One entry and exit of a region by one warp, in cycles of its SM's clock.
struct Span {
  std::uint64_t begin, end;
  std::uint32_t region; ///< index in the RegionSet
  std::uint32_t lanes;  ///< mask of the lanes that were active at the beginning

  std::uint64_t cycles() const { return end - begin; }
};

/// All entries of a region that one warp made, summed up on the device. Without extremes the sum had 32 bits: of a warp that lived
/// for longer than they can count its time is not known.
struct RegionSum {
  std::uint32_t region; ///< index in the RegionSet
  std::int32_t around;  ///< index in the warp's sums of the region around it; -1: none of them is
  std::uint64_t count, cycles;
  std::uint32_t min, max; ///< cycles of the shortest and of the longest entry, if hasExtremes
  bool hasExtremes;
  std::uint32_t lengths = 0; ///< Lengths records that it has: all of format::kLengthsRecords, or none
  bool isTimed = true;       ///< else `cycles` is 0 and means nothing; the same for all sums of a warp
};

struct Mark {
  std::uint64_t at;
  std::uint32_t region, lanes, payload;
};

/// Every record is counted once: produced = dropped + spans + begins + ends + marks + sums + empty + stale + damaged, where
/// begins and ends each are paired or unmatched.
struct RecordCounts {
  std::uint64_t produced = 0; ///< by the warp
  std::uint64_t dropped = 0;  ///< produced, and not in the file (or beyond what is decoded of one warp)
  std::uint64_t skipped = 0;  ///< of the dropped ones: those that came before what the user wanted to be kept
  std::uint64_t spans = 0;    ///< Span and Adjacent records
  std::uint64_t pairs = 0;    ///< begins that met their end: two records each
  std::uint64_t unmatchedBegins = 0;
  std::uint64_t unmatchedEnds = 0;
  std::uint64_t marks = 0;
  std::uint64_t sums = 0;    ///< one or two for each region that was summed up, and those of its lengths
  std::uint64_t empty = 0;   ///< reserved by regions that never ended
  std::uint64_t stale = 0;   ///< the same, with what an earlier lap of the ring had left there
  std::uint64_t damaged = 0; ///< unknown region, impossible kind, or a clock outside the warp's life

  std::uint64_t accounted() const {
    return dropped + spans + 2 * pairs + unmatchedBegins + unmatchedEnds + marks + sums + empty + stale + damaged;
  }
  RecordCounts &operator+=(const RecordCounts &other);
};

inline RecordCounts &RecordCounts::operator+=(const RecordCounts &other) {
  produced += other.produced;
  dropped += other.dropped;
  skipped += other.skipped;
  spans += other.spans;
  pairs += other.pairs;
  unmatchedBegins += other.unmatchedBegins;
  unmatchedEnds += other.unmatchedEnds;
  marks += other.marks;
  sums += other.sums;
  empty += other.empty;
  stale += other.stale;
  damaged += other.damaged;
  return *this;
}

struct UnmatchedEvents {
  std::uint32_t region;
  std::uint64_t begins, ends;
};

/// One warp, all its parts together. Lives until the sink returns.
struct WarpSpans {
  format::WarpHeader header; ///< of the first part, with the last part's end; produced and capacity are sums
  std::uint32_t device;
  format::KeepPolicy policy;
  bool isFinished;          ///< else `end` is the last clock that was seen
  std::uint64_t begin, end; ///< the warp's life in cycles; every span and mark lies inside
  KeptWindow kept;
  std::span<const Span> spans; ///< by begin, then longer first
  std::span<const Mark> marks;
  /// Regions that a warp which did not finish was in when it was last seen, by begin; they end where they begin. Known of the host target.
  std::span<const Span> open;
  /// Regions that were summed up: all of them with extremes, or none. Those next inside one are together not longer than it, and
  /// those inside none not longer than the warp's life.
  std::span<const RegionSum> sums;
  /// Where the sums have lengths: for each of them, format::kLengthPowers numbers of entries.
  std::span<const std::uint32_t> lengthsOfSums;
  std::span<const UnmatchedEvents> unmatched; ///< regions that have any
  std::span<const std::uint8_t> isShared;     ///< by region: whether its records come from the warp's reserved part
  std::span<const std::uint8_t> isPaired;     ///< by region: whether spans of it are a Begin and an End each, two records
  std::span<const std::uint8_t> isSecond;     ///< by region: whether it begins with the clock that another one ends with
  RecordCounts counts;

  std::uint64_t cycles() const { return end - begin; }
};

class WarpSink {
public:
  virtual ~WarpSink() = default;
  virtual void warp(const WarpSpans &warp) = 0;
  /// The warp of the runtime's kernel of empty regions (format.h): what probes cost, not what the program did.
  virtual void calibration(const WarpSpans &) {}
  /// A warp whose clocks run backwards; nothing of it can be placed in time.
  virtual void damagedWarp(const format::WarpHeader &, std::uint32_t /*device*/) {}
};

} // namespace kperf::decoder

#endif
