// Converts kernels' sums to the summaries of a reduced trace, and back.
#ifndef KPERF_DECODER_SUMMARY_TOTALS_H
#define KPERF_DECODER_SUMMARY_TOTALS_H

#include "decoder/totals/KernelTotals.h"
#include "decoder/trace/Writer.h"

namespace kperf::decoder {

/// Adds the summaries of a trace that beginTrace() was told of, those whose rows are as `totals` has them: by region,
/// or by path.
Status addSummaries(const Trace &trace, const RegionSet &regions, TotalsSink &totals);

/// Writes the sums of all kernels, under the ordinals of devices that `ordinals` gives for the sink's indices. `paths`
/// holds the same warps as `byRegion`, by path.
void writeSummaries(const TotalsSink &byRegion, const TotalsSink &byPath, const RegionSet &regions, std::span<const std::uint32_t> ordinals,
                    Writer &writer);

} // namespace kperf::decoder

#endif
