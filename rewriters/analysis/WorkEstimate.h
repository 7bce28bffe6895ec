// Estimates how much work a statement does each time it runs, which decides whether timing it is worth a probe.
#ifndef KPERF_REWRITERS_WORKESTIMATE_H
#define KPERF_REWRITERS_WORKESTIMATE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace kperf {

/// Counts operations: an arithmetic, assignment, subscript or dereference operator is one; inline assembly and a call of
/// an intrinsic or another function of a system header are eight; a call of a function whose body is known is what that
/// does; any other call is many. A loop counts as often as it runs when constants say so (its own control is then
/// free, as it is in unrolled code), else it is many. Of an if, the longer arm counts.
class WorkEstimate {
public:
  static constexpr unsigned kMany = 1u << 20;

  explicit WorkEstimate(const clang::ASTContext &context) : context(context) {}

  /// Operations of one run of the statement, at most kMany.
  unsigned of(const clang::Stmt *statement) const;

  /// How often a `for` with constant bounds runs; nothing when that is unknown or more than 1024.
  std::optional<unsigned> tripCount(const clang::ForStmt *loop) const;

private:
  unsigned ofLoop(const clang::Stmt *loop) const;
  unsigned ofCall(const clang::CallExpr *call) const;
  unsigned ofFunction(const clang::FunctionDecl *function) const;

  const clang::ASTContext &context;
  mutable llvm::DenseMap<const clang::FunctionDecl *, unsigned> functions; ///< kMany while a function is being counted
};

} // namespace kperf

#endif
