// Which statements and expressions of a body are run at most once each time that the body is.
#ifndef KPERF_REWRITERS_RUNSONCE_H
#define KPERF_REWRITERS_RUNSONCE_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace kperf {

class RunsOnce {
public:
  /// Code of lambdas in the body is that of other functions. In a body with gotos, which may be loops, nothing is said to run once. An
  /// analysis of the body.
  explicit RunsOnce(const clang::Stmt *body);

  bool isOnce(const clang::Stmt *statement) const { return statements.contains(statement); }

private:
  llvm::DenseSet<const clang::Stmt *> statements;
};

} // namespace kperf

#endif
