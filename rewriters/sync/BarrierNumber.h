// Generates, next to a function that computes its barrier's number itself, one that returns the number, for the probes of its callers.
#ifndef KPERF_REWRITERS_BARRIERNUMBER_H
#define KPERF_REWRITERS_BARRIERNUMBER_H

#include "rewriters/construct/SyncWrapper.h"
#include "rewriters/unit/TranslationUnit.h"

#include <string>

namespace kperf {

struct BarrierNumber {
  std::string of;       ///< the name of the function that waits or arrives
  std::string name;     ///< of the generated one, which has the same parameters
  std::string function; ///< its definition; empty where none can be generated
  Place place;          ///< where that goes: after the body of the first
};

/// `wrapper`: of SyncWrapper::Source::Computed. None is generated where the body has side effects other than the wait or arrival, where a
/// macro writes a part of it, or for a function template. The generated function returns format::kNoBarrier where the wrapper reaches no
/// barrier. An analysis of the function.
const BarrierNumber &barrierNumber(const TranslationUnit &unit, const SyncWrapper &wrapper);

} // namespace kperf

#endif
