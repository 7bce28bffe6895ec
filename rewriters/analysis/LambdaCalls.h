// Tells which of a function's lambdas each of its statements may call.
#ifndef KPERF_REWRITERS_LAMBDACALLS_H
#define KPERF_REWRITERS_LAMBDACALLS_H

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace kperf {

class LambdaCalls {
public:
  explicit LambdaCalls(const clang::FunctionDecl *function);

  /// Whether a statement of the function may call one of the `lambdas` (their call operators), itself or through other lambdas. To
  /// name one, or to make it, counts as a call: it may be handed on.
  bool mayCall(const clang::Stmt *statement, const llvm::DenseSet<const clang::FunctionDecl *> &lambdas) const;

private:
  llvm::DenseMap<const clang::VarDecl *, const clang::LambdaExpr *> variables; ///< that are lambdas
};

} // namespace kperf

#endif
