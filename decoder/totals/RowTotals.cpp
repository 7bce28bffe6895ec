// Adds a warp to a row.
#include "decoder/totals/RowTotals.h"

namespace kperf::decoder {

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
