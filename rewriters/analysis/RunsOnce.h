// Which expressions of a body are evaluated at most once each time the body runs.
#ifndef KPERF_REWRITERS_RUNSONCE_H
#define KPERF_REWRITERS_RUNSONCE_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace kperf {

class RunsOnce {
public:
  /// Code of lambdas in the body is that of other functions. In a body with labels, jumps may be loops: nothing there is said to run once.
  explicit RunsOnce(const clang::Stmt *body);

  bool isOnce(const clang::Stmt *expression) const { return statements.contains(expression); }

private:
  llvm::DenseSet<const clang::Stmt *> statements;
};

} // namespace kperf

#endif
