// Of a kernel of which one block in N was recorded: what its sums are estimated from, and how far off they can be.
#ifndef KPERF_DECODER_SAMPLED_SUMS_H
#define KPERF_DECODER_SAMPLED_SUMS_H

#include "decoder/totals/SampledBlocks.h"

#include <optional>

namespace kperf::decoder {

/// Of one row, in one stratum.
struct SampledRow {
  BySampleGroup count{}, inclusive{}, exclusive{};
};

/// Of a kernel's warps, in one stratum.
struct SampledLife {
  BySampleGroup warps{}, cycles{}, notRecorded{};
};

/// Half the widths of 95 % confidence intervals, each as a share of what it is the error of; nothing where all blocks
/// were recorded, or too few.
struct RowErrors {
  std::optional<double> count, inclusive, mean;
  std::optional<double> exclusive;
  /// Of the quotients of `exclusive` and `inclusive` and the kernel's cycles.
  std::optional<double> share, inclusiveShare;
  /// Of how many blocks the lengths of entries say at least as much as these do, had each block one entry; nothing where they are no
  /// sample of all.
  std::optional<double> blocks;
};

/// The same of a kernel's own sums.
struct LifeErrors {
  std::optional<double> warps, cycles, notRecorded, notRecordedShare, unattributed, unattributedShare;
};

} // namespace kperf::decoder

#endif
