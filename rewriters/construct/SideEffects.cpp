// Looks at each part of an expression.
#include "rewriters/construct/SideEffects.h"
#include "rewriters/construct/SyncConstruct.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

/// Calls that only convert an address, and CUTLASS's that gives a stage's.
static constexpr llvm::StringLiteral kAddresses[] = {"__cvta_generic_to_shared", "cast_smem_ptr_to_uint", "native_handle",
                                                     "barrier_native_handle", "producer_get_barrier"};

bool onlyReads(const Stmt *node) {
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(node); unary && unary->isIncrementDecrementOp())
    return false;
  if (const auto *binary = dyn_cast<clang::BinaryOperator>(node); binary && binary->isAssignmentOp())
    return false;
  if (const auto *call = dyn_cast<clang::CallExpr>(node)) {
    if (!is_contained(kAddresses, writtenName(call)) && !isa<clang::CXXOperatorCallExpr>(call))
      return false;
  } else if (!isa<clang::Expr>(node) || isa<clang::LambdaExpr, clang::StmtExpr, clang::CXXNewExpr, clang::CXXThrowExpr>(node)) {
    return false;
  }
  return all_of(node->children(), [](const Stmt *child) { return !child || onlyReads(child); });
}

bool mayAssign(const Stmt *code, const clang::ValueDecl *variable) {
  const clang::Expr *changed = nullptr;
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(code);
      unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf))
    changed = unary->getSubExpr();
  else if (const auto *binary = dyn_cast<clang::BinaryOperator>(code); binary && binary->isAssignmentOp())
    changed = binary->getLHS();
  const auto *reference = changed ? dyn_cast<clang::DeclRefExpr>(changed->IgnoreParenImpCasts()) : nullptr;
  return (reference && reference->getDecl() == variable) ||
         any_of(code->children(), [&](const Stmt *child) { return child && mayAssign(child, variable); });
}

} // namespace kperf
