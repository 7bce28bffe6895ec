// Finds the annotations and rules' choices that an earlier profile decides on, and carries out what it says of them.
#ifndef KPERF_REWRITERS_PROFILESITES_H
#define KPERF_REWRITERS_PROFILESITES_H

#include "rewriters/pattern/ProfileDecision.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include <vector>

namespace kperf {

/// Takes out of `functions` what is left out, and marks what is to be summed up. A region is the profile's by name, function, file and
/// line, else by its ordinal among those of its name in the function, as kperf diff compares; another one stays as it is.
DecidedRegions applyDecisions(TranslationUnit &unit, std::vector<AnnotatedFunction> &functions, const ProfileDecisions &profiles);

} // namespace kperf

#endif
