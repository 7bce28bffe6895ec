// Of a kernel of which one block in N was recorded: what its sums are estimated from, and how far off they can be.
#ifndef KPERF_DECODER_SAMPLED_SUMS_H
#define KPERF_DECODER_SAMPLED_SUMS_H

#include "decoder/totals/SampledBlocks.h"

#include <optional>

namespace kperf::decoder {

/// Of one row, in one stratum.
struct SampledRow {
  BySampleGroup count{}, inclusive{};
  double exclusive = 0;
};

/// Of a kernel's warps, in one stratum.
struct SampledLife {
  double warps = 0, cycles = 0, notRecorded = 0;
};

/// Half the widths of 95 % confidence intervals, each as a share of what it is the error of; nothing where all blocks
/// were recorded, or too few.
struct RowErrors {
  std::optional<double> count, inclusive, mean;
};

} // namespace kperf::decoder

#endif
