// Reports jumps that leave a range open which nothing ends on their way.
#ifndef KPERF_REWRITERS_OPENJUMPS_H
#define KPERF_REWRITERS_OPENJUMPS_H

#include "rewriters/analysis/RangeFlow.h"
#include "rewriters/unit/AnnotatedFunction.h"

namespace kperf {

/// The ranges of one function, as followRanges() gets them, and what it says of them.
struct FollowedRanges {
  const clang::Stmt *body;
  const llvm::DenseMap<const clang::Stmt *, RangeStep> &steps;
  const RangeFlow &flow;
  unsigned count;
};

/// Of one range, which is number `range`. A jump behind a begin, in the block of that begin or inside of it, is reported where no end
/// stands on any path from the begin to it, and on every path from it to the function's exits fewer ends than begins, itself included: so
/// not where an end behind a condition might make up for it. An exit on which the range is ended (rewriters/region/RangePlan.h) counts as
/// its end where there is nothing but jumps on the way there.
void reportOpenJumps(const TranslationUnit &unit, llvm::ArrayRef<const MarkerSite *> begins, llvm::ArrayRef<const MarkerSite *> ends,
                     const FollowedRanges &ranges, unsigned range);

} // namespace kperf

#endif
