// Applies the decisions of an earlier profile, or of a failed build, to annotations and to what rules chose.
#ifndef KPERF_REWRITERS_PROFILESITES_H
#define KPERF_REWRITERS_PROFILESITES_H

#include "rewriters/pattern/ProfileDecision.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/plan/RegionPlace.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace kperf {

/// Takes out of `functions` what is left out, and marks what is to be summed up; what hides pragmas goes to the additions. A region is the
/// profile's by name, function, file and line, else by its ordinal among those of its name in the function, as kperf diff compares; another
/// one stays as it is. Regions of `leftOut` go whatever a profile says, and are not counted.
DecidedRegions applyDecisions(const TranslationUnit &unit, PlanAdditions &additions, std::vector<AnnotatedFunction> &functions,
                              const ProfileDecisions &profiles, llvm::ArrayRef<RegionPlace> leftOut);

} // namespace kperf

#endif
