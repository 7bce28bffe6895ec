// Looks at the syntax of branches and loops.
#include "rewriters/analysis/Partings.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

namespace {

bool isLoop(const Stmt *statement) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(statement); }

/// Calls, and what may be one in an instance of a template.
bool mayWait(const Stmt *expression) {
  const auto *value = dyn_cast<Expr>(expression);
  if (value && !value->getType().isNull() && value->getType().isVolatileQualified())
    return true;
  if (isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr, LambdaExpr>(expression))
    return true;
  return any_of(expression->children(), [](const Stmt *child) { return child && mayWait(child); });
}

/// Whether a `break` or a `continue` leads out of the statement.
bool jumpsOut(const Stmt *statement, bool isInLoop, bool isInSwitch) {
  if (isa<LambdaExpr>(statement))
    return false;
  if ((isa<BreakStmt>(statement) && !isInLoop && !isInSwitch) || (isa<ContinueStmt>(statement) && !isInLoop))
    return true;
  isInLoop |= isLoop(statement);
  isInSwitch |= isa<SwitchStmt>(statement);
  return any_of(statement->children(), [&](const Stmt *child) { return child && jumpsOut(child, isInLoop, isInSwitch); });
}

} // namespace

bool isPlainBranch(const IfStmt *branch) {
  return !branch->isConstexpr() && !branch->isConsteval() && !branch->hasElseStorage() && !branch->hasInitStorage() &&
         !branch->hasVarStorage();
}

const Expr *conditionOf(const Stmt *loop) {
  if (const auto *counted = dyn_cast<ForStmt>(loop))
    return counted->getConditionVariable() ? nullptr : counted->getCond();
  if (const auto *awaited = dyn_cast<WhileStmt>(loop))
    return awaited->getConditionVariable() ? nullptr : awaited->getCond();
  const auto *repeated = dyn_cast<DoStmt>(loop);
  return repeated ? repeated->getCond() : nullptr;
}

bool isPlainLoop(const Stmt *loop) {
  const Expr *condition = conditionOf(loop);
  return condition && !mayWait(condition) && !mayHoldLock(loop);
}

bool mayHoldLock(const Stmt *statement) {
  const auto isExchange = [](DeclarationName name) {
    return name.isIdentifier() && (name.getAsIdentifierInfo()->getName().starts_with("atomicCAS") ||
                                   name.getAsIdentifierInfo()->getName().starts_with("atomicExch"));
  };
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement); reference && isExchange(reference->getNameInfo().getName()))
    return true;
  if (const auto *reference = dyn_cast<OverloadExpr>(statement); reference && isExchange(reference->getName()))
    return true;
  const auto *value = dyn_cast<Expr>(statement);
  if (value && !value->getType().isNull() && value->getType().isVolatileQualified())
    return true;
  return any_of(statement->children(), [](const Stmt *child) { return child && mayHoldLock(child); });
}

bool endsInReturn(const Stmt *statement) {
  if (jumpsOut(statement, false, false))
    return false;
  if (const auto *block = dyn_cast<CompoundStmt>(statement))
    return !block->body_empty() && endsInReturn(block->body_back());
  return isa<ReturnStmt>(statement);
}

void eachReturn(const Stmt *statement, function_ref<void(const ReturnStmt *)> take) {
  if (isa<LambdaExpr>(statement))
    return;
  if (const auto *found = dyn_cast<ReturnStmt>(statement))
    take(found);
  for (const Stmt *child : statement->children())
    if (child)
      eachReturn(child, take);
}

bool holdsLoop(const Stmt *statement) {
  return isLoop(statement) || any_of(statement->children(), [](const Stmt *child) { return child && holdsLoop(child); });
}

} // namespace kperf
