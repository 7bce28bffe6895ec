// Which functions may come to a probe, and where they are called: what the host target has to know to keep lanes together.
#ifndef KPERF_REWRITERS_PROBEDCALLS_H
#define KPERF_REWRITERS_PROBEDCALLS_H

#include "rewriters/plan/Plan.h"
#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/DeclarationName.h"
#include "llvm/ADT/DenseSet.h"

namespace kperf {

/// Of the device functions of a unit, and of the probes in its plan. What only an instantiation knows is taken for every function of
/// that name.
class ProbedCalls {
public:
  ProbedCalls(const TranslationUnit &unit, const Plan &plan);

  /// Whether an event or an access is recorded in the statement itself.
  bool holdsProbe(const clang::Stmt *statement) const;
  /// Whether a call in the statement may come to a probe. Lambdas' bodies are functions of their own.
  bool callsProbe(const clang::Stmt *statement) const;
  /// The same of calls whose function is known.
  bool callsKnownProbe(const clang::Stmt *statement) const;

private:
  const TranslationUnit &unit;
  const Plan &plan;
  llvm::DenseSet<const clang::FunctionDecl *> probed;
  llvm::DenseSet<clang::DeclarationName> names; ///< theirs
};

} // namespace kperf

#endif
