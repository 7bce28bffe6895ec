// How long the entries of each region take.
#ifndef KPERF_DECODER_DISTRIBUTION_VIEW_H
#define KPERF_DECODER_DISTRIBUTION_VIEW_H

#include "decoder/view/View.h"

namespace kperf::decoder {

using DistributionOptions = ViewOptions; ///< it has none of its own

inline constexpr Groupings kDistributionGroupings{};

Expected<std::vector<Table>> distributionView(std::span<const Trace> traces, const ViewScope &scope,
                                              const DistributionOptions &options = {});

} // namespace kperf::decoder

#endif
