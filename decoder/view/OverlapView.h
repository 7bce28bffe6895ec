// How much of each region other regions overlap, and who waits for whom.
#ifndef KPERF_DECODER_OVERLAP_VIEW_H
#define KPERF_DECODER_OVERLAP_VIEW_H

#include "decoder/view/View.h"

namespace kperf::decoder {

struct OverlapOptions final : ViewOptions {
  std::optional<std::uint64_t> block; ///< whose critical path is listed; nothing for none

  std::vector<ViewOption> described() override;
};

inline constexpr By kOverlapRows[] = {By::Block, By::Sm};
inline constexpr Groupings kOverlapGroupings{.all = kOverlapRows, .help = "block, or sm: all blocks of a launch on an SM together"};

Expected<std::vector<Table>> overlapView(std::span<const Trace> traces, const ViewScope &scope, const OverlapOptions &options = {});

} // namespace kperf::decoder

#endif
