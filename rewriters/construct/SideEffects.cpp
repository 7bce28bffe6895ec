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

/// What a function whose body is no more than that returns; null for others.
static const clang::Expr *returnedBy(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  const auto *body = callee ? dyn_cast_or_null<clang::CompoundStmt>(callee->getBody()) : nullptr;
  const auto *only = body && body->size() == 1 ? dyn_cast<clang::ReturnStmt>(body->body_front()) : nullptr;
  return only ? only->getRetValue() : nullptr;
}

/// `levels`: of functions called that may still be looked into.
static bool onlyReads(const Stmt *node, unsigned levels) {
  if (const auto *unary = dyn_cast<clang::UnaryOperator>(node); unary && unary->isIncrementDecrementOp())
    return false;
  if (const auto *binary = dyn_cast<clang::BinaryOperator>(node); binary && binary->isAssignmentOp())
    return false;
  if (const auto *call = dyn_cast<clang::CallExpr>(node)) {
    const clang::Expr *given = levels ? returnedBy(call) : nullptr;
    if (!is_contained(kAddresses, writtenName(call)) && !isa<clang::CXXOperatorCallExpr>(call) && !(given && onlyReads(given, levels - 1)))
      return false;
  } else if (!isa<clang::Expr>(node) || isa<clang::LambdaExpr, clang::StmtExpr, clang::CXXNewExpr, clang::CXXThrowExpr>(node)) {
    return false;
  }
  return all_of(node->children(), [&](const Stmt *child) { return !child || onlyReads(child, levels); });
}

bool onlyReads(const Stmt *expression) {
  constexpr unsigned kLevels = 3;
  return onlyReads(expression, kLevels);
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
