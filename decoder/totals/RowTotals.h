// Sums of one region, or of one call path, in one kernel, and what each warp adds to them.
#ifndef KPERF_DECODER_ROW_TOTALS_H
#define KPERF_DECODER_ROW_TOTALS_H

#include "decoder/totals/ProbeCost.h"
#include "decoder/totals/ProbedEntries.h"
#include "decoder/totals/Quantiles.h"
#include "decoder/totals/SampledSums.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kperf::decoder {

/// Probes in the sums of a row. Of two spans that share a record the second one's probe adds nothing around itself beyond what it adds to
/// itself (WarpSpans::isSecond).
struct RowProbes {
  ProbeCounts outermost; ///< of the spans in `inclusive` but pairs of records; and second ones inside
  ProbeCounts inside;    ///< of all spans inside those but second ones
  ProbeCounts nested;    ///< of the spans in `exclusive`
  ProbeCounts marks;     ///< of the marks and signals inside those in `inclusive`
  ProbeCounts children;  ///< of the spans next inside those but second ones, and of marks and signals there
};

/// Cycles.
struct RowTotals : RowProbes {
  std::uint64_t count = 0;       ///< spans, or marks
  std::uint64_t overlapping = 0; ///< spans that cross others: they are in `inclusive` only
  std::uint64_t exclusive = 0;
  std::uint64_t inclusive = 0; ///< recursion counted once
  std::uint64_t unmatchedBegins = 0, unmatchedEnds = 0;
  Quantiles durations;
  std::uint64_t warps = 0;     ///< that entered the region
  std::uint64_t maxInWarp = 0; ///< greatest inclusive time in a warp
  std::vector<std::uint64_t> bySm;
  std::vector<SampledRow> sampled; ///< what of the sums above is of blocks that stand for others; by KernelSampling::strata
  /// Where reduced traces' sums are estimates: what of `count` is of no recorded entry, and of `inclusive` of none.
  std::uint64_t estimatedCount = 0, estimatedCycles = 0;
  double scale = 1;           ///< by which the sums were multiplied to be those of all blocks
  std::uint64_t recorded = 0; ///< entries before that; 0: as many as `count`
  RowErrors errors;
  ProbedEntries probed;
  /// What probes some entries hold is not known: they are two records each, or records were dropped in over 1 % of those of a warp.
  bool hasUnknownProbes = false;
  bool isRecursive = false; ///< spans lie inside of others, so that `inclusive` is not the sum of `durations`

  /// Once all sums are there, those of reduced traces too.
  void finish();
  /// Entries of unknown time, of a region that is no instant: they were summed up in 32 bits in a warp that lived for longer. They are
  /// in `count` alone.
  std::uint64_t untimed() const {
    const std::uint64_t entries = recorded > 0 ? recorded : count;
    return entries - std::min(entries, durations.count());
  }
};

/// What one warp adds to a row.
struct WarpSums {
  std::uint64_t count = 0, overlapping = 0, exclusive = 0, inclusive = 0;
  PackedProbes outermost = 0, nested = 0, children = 0;
  std::uint64_t lost = 0;                        ///< of `inclusive`: where records were dropped
  std::uint64_t insideOwn = 0, insideShared = 0; ///< these may be more than spans are in the warp
  ProbeCounts marks;
  bool isTouched = false;

  void addTo(RowTotals &row) const;
};

} // namespace kperf::decoder

#endif
