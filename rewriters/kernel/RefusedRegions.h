// Finds the annotations at places where no probe can be inserted.
#ifndef KPERF_REWRITERS_REFUSEDREGIONS_H
#define KPERF_REWRITERS_REFUSEDREGIONS_H

#include "rewriters/unit/AnnotatedFunction.h"

#include <string>

namespace kperf {

/// Why no probe can stand in a function, or an empty string.
std::string obstacle(const AnnotatedFunction &holder);

/// Takes away the annotations that can't be timed where they stand, and says why (TranslationUnit::refuse). Before anything else is
/// planned, for neighbours share clocks. What should not have been written at all, such as an annotation in a host function, stays.
void refuseRegions(const TranslationUnit &unit, AnnotatedFunctions &annotated);

} // namespace kperf

#endif
