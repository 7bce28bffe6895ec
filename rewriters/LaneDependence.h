// Whether an expression may have different values in the lanes of one warp.
#ifndef KPERF_REWRITERS_LANEDEPENDENCE_H
#define KPERF_REWRITERS_LANEDEPENDENCE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"

namespace kperf {

/// The judgement errs on one side only: what is called alike is alike, given that lanes of a warp are neighbours in x
/// (Kernel checks that at run time where blocks have several rows).
class LaneDependence {
public:
  /// True when the expression may differ between lanes: it comes from threadIdx, from memory, from an unknown call, or
  /// from a variable that was marked.
  bool differs(const clang::Expr *expression) const;

  /// Marks a variable as differing; false when it was already.
  bool mark(const clang::VarDecl *variable) { return marked.insert(variable->getCanonicalDecl()).second; }

private:
  bool differsCall(const clang::CallExpr *call) const;
  bool differsReference(const clang::ValueDecl *declaration) const;
  bool isWarpIndex(const clang::BinaryOperator *operation) const;
  bool isThreadIndexX(const clang::Expr *expression) const;

  llvm::DenseSet<const clang::VarDecl *> marked;
};

} // namespace kperf

#endif
