// The interface of a rewriter, and the table of all rewriters.
#ifndef KPERF_REWRITERS_REWRITER_H
#define KPERF_REWRITERS_REWRITER_H

#include "rewriters/kernel/KernelNeeds.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/unit/AnnotatedFunction.h"
#include "rewriters/unit/TranslationUnit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf {

class KernelProbes;
class SyncEvents;

/// What a rewriter works from.
struct RewriteContext {
  const TranslationUnit &unit;
  const AnnotatedFunctions &annotated;
  const Plan &plan; ///< what the rewriters before it have added
  const KernelProbes &kernels;
  const SyncEvents &syncEvents; ///< where waits and signals are recorded; none unless that is asked for
};

/// Reads the translation unit and returns edits, regions and sites, and what they need of kernels; mistakes in the user's source go to the
/// reporter.
struct Rewriter {
  llvm::StringRef name;    ///< on the command line
  llvm::StringRef summary; ///< one line
  RewriterResult (*plan)(const RewriteContext &context);
  bool recordsEvents = false; ///< of warps
};

#define KPERF_REWRITER(name, function, summary, recordsEvents) RewriterResult function(const RewriteContext &);
#define KPERF_HOST_REWRITER(name, function, summary) RewriterResult function(const RewriteContext &);
#include "rewriters/rewriter/Rewriters.def"

/// Every rewriter that users choose, in the order of Rewriters.def, then those that plug-ins brought.
llvm::ArrayRef<Rewriter> allRewriters();

/// Adds one; false when its name is taken. It and what it refers to stay valid.
bool addRewriter(const Rewriter &rewriter);

/// Those that the host target needs in any case.
llvm::ArrayRef<Rewriter> hostRewriters();

/// The one with that name, or null.
const Rewriter *rewriterNamed(llvm::StringRef name);

/// Says that there is none of that name, and which may have been meant.
std::string unknownRewriter(llvm::StringRef name);

} // namespace kperf

#endif
