// What a trace holds.
#ifndef KPERF_DECODER_INFO_VIEW_H
#define KPERF_DECODER_INFO_VIEW_H

#include "decoder/view/View.h"

namespace kperf::decoder {

using InfoOptions = ViewOptions; ///< it has none of its own

inline constexpr Groupings kInfoGroupings{};

Expected<std::vector<Table>> infoView(std::span<const Trace> traces, const ViewScope &scope, const InfoOptions &options = {});

/// The view's table of what was lost; of several traces all their rows, of none no row.
Expected<Table> lossTable(std::span<const Trace> traces);

} // namespace kperf::decoder

#endif
