// The losses of traces as budgets hold them: what was not lost is a row, too, whose count is 0.
#ifndef KPERF_DECODER_LOSS_ROWS_H
#define KPERF_DECODER_LOSS_ROWS_H

#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <span>
#include <string>

namespace kperf::decoder {

/// What rows are called of traces that lost nothing.
inline constexpr const char *kNothingLost = "nothing";

/// The table `losses` of all traces; of those that lost nothing one row, kNothingLost.
Expected<Table> lossRows(std::span<const Trace> traces);

/// Whether the name, or shell pattern, is that of a kind of losses.
bool isKindOfLoss(const std::string &pattern);

/// A table like `losses` with one row: that nothing of that name was lost.
Table noLossRow(const Table &losses, const std::string &name);

} // namespace kperf::decoder

#endif
