// What memory accesses cost, why, and what to change.
#ifndef KPERF_DECODER_MEMORY_VIEW_H
#define KPERF_DECODER_MEMORY_VIEW_H

#include "decoder/view/View.h"

namespace kperf::decoder {

using MemoryOptions = ViewOptions; ///< it has none of its own

inline constexpr By kMemoryRows[] = {By::Site, By::Line, By::Region, By::Function, By::Cache, By::Page, By::Unseen};
inline constexpr Groupings kMemoryGroupings{.all = kMemoryRows, .help = "site, line, region, function, cache, page, or unseen"};

Expected<std::vector<Table>> memoryView(std::span<const Trace> traces, const ViewScope &scope, const MemoryOptions &options = {});

} // namespace kperf::decoder

#endif
