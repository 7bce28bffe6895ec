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
/// does, and of one that only an instantiation resolves what the longest of those found in the pattern does; any other call is many. A loop
/// counts as often as it runs when constants say so (its own control is then free, as it is in unrolled code), as kFewPasses where only
/// an instantiation has them, or may have and the loop is to be unrolled, else it is many. Of an if, the longer arm counts.
class WorkEstimate {
public:
  static constexpr unsigned kMany = 1u << 20;
  /// Of a loop whose bound is a constant that depends on template parameters: tiles of a thread or a warp are a few elements wide, and a
  /// loop that is worth a probe has a body that is, too.
  static constexpr unsigned kFewPasses = 4;

  explicit WorkEstimate(const clang::ASTContext &context) : context(context) {}

  /// Operations of one run of the statement, at most kMany. `without`: a part of it that is not counted.
  unsigned of(const clang::Stmt *statement, const clang::Stmt *without = nullptr) const;

  /// Whether the loop, its attributes included, becomes straight-line code: by `#pragma unroll`, where constants say how often it runs, or
  /// an instantiation's may.
  bool isUnrolled(const clang::Stmt *loop) const;

  /// How often a `for` with constant bounds runs; nothing when that is unknown or more than 1024.
  std::optional<unsigned> tripCount(const clang::ForStmt *loop) const;

private:
  /// `isUnrolled`: by a pragma, as a whole.
  unsigned ofLoop(const clang::Stmt *loop, bool isUnrolled, const clang::Stmt *without) const;
  unsigned ofCall(const clang::CallExpr *call) const;
  std::optional<unsigned> ofPattern(const clang::Expr *callee) const;
  unsigned ofFunction(const clang::FunctionDecl *function) const;

  const clang::ASTContext &context;
  mutable llvm::DenseMap<const clang::FunctionDecl *, unsigned> functions; ///< kMany while a function is being counted
};

} // namespace kperf

#endif
