// Compares memory traffic before and after a change, access by access.
#ifndef KPERF_DECODER_DIFF_SITES_H
#define KPERF_DECODER_DIFF_SITES_H

#include "decoder/io/Error.h"
#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <optional>
#include <span>
#include <string>

namespace kperf::decoder {

struct SiteDiff {
  Table table;
  /// The greatest increase that the verdict calls a change, in percent, and whose it is.
  std::optional<double> maxMore;
  std::string most;
  std::size_t onlyInB = 0; ///< rows of accesses that A does not have
  bool areCounted = false; ///< both sides counted accesses
};

/// Sectors of global and wavefronts of shared memory of each access, over whole traces. Accesses are the same when
/// function, expression, kind and their order among equals are; of others, which a change may have rewritten, when function, kind and array
/// are and both sides have as many, or each side has one in the region or the function: the column `was` and a note say so. Counts are no
/// estimates: with one trace on a side a change is what the counts say; with four or more on both it is tested as in diffTraces(). Where
/// one block in N was counted, fewer than four cannot tell. No rows when neither side counted any access.
Expected<SiteDiff> diffSites(std::span<const Trace> before, std::span<const Trace> after, double marginPercent);

} // namespace kperf::decoder

#endif
