// Reports begins of a range that is open already and that nothing ends as often as it is begun.
#ifndef KPERF_REWRITERS_REPEATEDBEGINS_H
#define KPERF_REWRITERS_REPEATEDBEGINS_H

#include "rewriters/analysis/RangeFlow.h"
#include "rewriters/unit/AnnotatedFunction.h"

namespace kperf {

/// Of one range, which is number `range` of `flow`. A range may be open more than once, as stages of a pipeline are, so a begin is reported
/// only where the range is open on every path to it, no loop around an end alone can make up for it, and either some exit is reached with
/// more begins open on one path than on another, or another begin stands before it in the same block and begins are left over. In one
/// block with a single end it is an error; all else is a warning, and so is what another tool's macros begin.
void reportRepeatedBegins(const TranslationUnit &unit, llvm::ArrayRef<const MarkerSite *> begins, llvm::ArrayRef<const MarkerSite *> ends,
                          const RangeFlow &flow, unsigned range);

} // namespace kperf

#endif
