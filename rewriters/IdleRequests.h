// Says what of a request came to nothing in a source, and why.
#ifndef KPERF_REWRITERS_IDLEREQUESTS_H
#define KPERF_REWRITERS_IDLEREQUESTS_H

#include "rewriters/pattern/Selection.h"
#include "rewriters/plan/Plan.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace kperf {

class TranslationUnit;

inline constexpr llvm::StringLiteral kNothingChosen = "its kernels have no annotation such as KPERF_SCOPE(\"name\"), and nothing is "
                                                      "selected; --auto=kernels times kernels as they are";

/// A kernel of a header that is not searched for what --auto times, and is the project's own.
struct UnsearchedKernel {
  std::string name, header;
  bool isUsed = false;     ///< the source names it, or makes an instance of it
  bool isRecorded = false; ///< its annotations, or those of what it calls, are
};

/// Of the kernels of a unit, in their order. `plan` is whole.
std::vector<UnsearchedKernel> unsearchedKernels(const TranslationUnit &unit, llvm::ArrayRef<const clang::FunctionDecl *> kernels,
                                                const Plan &plan);

/// What was asked of a source, and what was found in it.
struct Outcome {
  const std::vector<std::string> &probes;
  const Selection &selection;
  const Plan &plan;
  std::vector<SkippedSite> skipped; ///< in the order of the text
  std::size_t kernels = 0;
  std::vector<UnsearchedKernel> unsearched;
};

/// A sentence each for a warning: what the selection, --auto, --aggregate and --probes=memory asked for in vain. What the guard left out is
/// meant to be; rules of a selection file speak for themselves.
std::vector<std::string> idleRequests(const Outcome &outcome);

/// Why a source of which nothing is recorded has nothing to be recorded; "" where the warnings say so.
std::string whyNothingIsRecorded(const Outcome &outcome, bool isWarnedOf);

} // namespace kperf

#endif
