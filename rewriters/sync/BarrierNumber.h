// Gives a function that works a barrier's number out a second one beside it, which returns that number to callers' probes.
#ifndef KPERF_REWRITERS_BARRIERNUMBER_H
#define KPERF_REWRITERS_BARRIERNUMBER_H

#include "rewriters/construct/SyncWrapper.h"
#include "rewriters/unit/TranslationUnit.h"

#include <string>

namespace kperf {

struct BarrierNumber {
  std::string of;       ///< the name of the function that waits or arrives
  std::string name;     ///< of the second one: of the same parameters
  std::string function; ///< its definition; empty where there can be none
  Place place;          ///< where that stands: behind the body of the first
};

/// Of a wrapper whose number is worked out within: its body with the number in place of what it does with it. None where the body does
/// more than declare what it reads, where a macro writes a part of it, and for a template. It returns format::kNoBarrier where the first
/// function comes to no barrier. An analysis of the function.
const BarrierNumber &barrierNumber(const TranslationUnit &unit, const SyncWrapper &wrapper);

} // namespace kperf

#endif
