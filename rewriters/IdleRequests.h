// Says what of a request came to nothing in a source, and why.
#ifndef KPERF_REWRITERS_IDLEREQUESTS_H
#define KPERF_REWRITERS_IDLEREQUESTS_H

#include "rewriters/pattern/Selection.h"
#include "rewriters/plan/Plan.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kperf {

inline constexpr llvm::StringLiteral kNothingChosen = "its kernels have no annotation such as KPERF_SCOPE(\"name\"), and nothing is "
                                                      "selected; --auto=kernels times kernels as they are";

/// What was asked of a source, and what was found in it.
struct Outcome {
  const std::vector<std::string> &probes;
  const Selection &selection;
  const Plan &plan;
  std::vector<SkippedSite> skipped; ///< in the order of the text
  std::size_t kernels = 0;
  std::string unsearchedHeader; ///< that holds kernels of the source, but is not searched for what --auto times
};

/// A sentence each for a warning: what the selection, --auto, --aggregate and --probes=memory asked for in vain. What the guard left out is
/// meant to be; rules of a selection file speak for themselves.
std::vector<std::string> idleRequests(const Outcome &outcome);

/// Why a source of which nothing is recorded has nothing to be recorded; "" where the warnings say so.
std::string whyNothingIsRecorded(const Outcome &outcome, bool isWarnedOf);

} // namespace kperf

#endif
