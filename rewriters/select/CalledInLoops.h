// The functions that run once for each pass of a loop of their callers.
#ifndef KPERF_REWRITERS_CALLEDINLOOPS_H
#define KPERF_REWRITERS_CALLEDINLOOPS_H

#include "rewriters/select/RuleCandidate.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace kperf {

class CalledInLoops {
public:
  CalledInLoops() = default;
  explicit CalledInLoops(const std::vector<RuleCandidate> &functions);

  /// Whether one of the functions calls it in a loop, or is called so itself and calls it. To name a lambda, or to make it, counts as a
  /// call: it may be handed on. `function`: of a template the pattern; of a lambda its call operator.
  bool contains(const clang::FunctionDecl *function) const { return called.contains(function->getCanonicalDecl()); }

private:
  llvm::DenseSet<const clang::FunctionDecl *> called; ///< canonical declarations
};

} // namespace kperf

#endif
