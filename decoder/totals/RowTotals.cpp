// Adds a warp to a row, and says what of its sums are estimates.
#include "decoder/totals/RowTotals.h"

namespace kperf::decoder {

void RowTotals::finish() {
  isRecursive |= inclusive - estimatedCycles != durations.sum();
  recorded = estimatedCount > 0 ? count - estimatedCount : 0;
  scale = recorded > 0 ? static_cast<double>(count) / static_cast<double>(recorded) : 1;
}

void WarpSums::addTo(RowTotals &row) const {
  row.count += count;
  row.overlapping += overlapping;
  row.exclusive += exclusive;
  row.inclusive += inclusive;
  row.hasUnknownProbes |= lost > inclusive / 100;
  row.outermost += unpacked(outermost);
  row.inside += {insideOwn, insideShared};
  row.marks += marks;
  row.nested += unpacked(nested);
  row.children += unpacked(children);
  row.warps += count > 0; // not by a begin or an end alone: how long it was inside is not known
  row.maxInWarp = std::max(row.maxInWarp, inclusive);
}

} // namespace kperf::decoder
