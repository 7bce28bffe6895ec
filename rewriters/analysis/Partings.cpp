// Looks at the syntax of branches and loops.
#include "rewriters/analysis/Partings.h"

#include "rewriters/analysis/CalledCode.h"

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

/// A function by whose name a lock is taken, or the name of one where the source does not yet say which it is.
static bool takesLock(StringRef name) {
  static constexpr llvm::StringLiteral starts[] = {"atomicCAS",    "atomicExch", "compare_exchange", "exchange",
                                                   "test_and_set", "try_lock",   "try_acquire"};
  return name == "lock" || name == "acquire" || any_of(starts, [&](StringRef start) { return name.starts_with(start); });
}

static DeclarationName nameIn(const Stmt *statement) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
    return reference->getNameInfo().getName();
  if (const auto *overload = dyn_cast<OverloadExpr>(statement))
    return overload->getName();
  if (const auto *member = dyn_cast<MemberExpr>(statement))
    return member->getMemberNameInfo().getName();
  const auto *dependent = dyn_cast<CXXDependentScopeMemberExpr>(statement);
  return dependent ? dependent->getMember() : DeclarationName();
}

bool mayHoldLock(const Stmt *statement, const ASTContext &context) {
  const auto isSought = [](const Stmt *each) {
    if (const DeclarationName name = nameIn(each); name.isIdentifier() && name && takesLock(name.getAsIdentifierInfo()->getName()))
      return true;
    const auto *value = dyn_cast<Expr>(each);
    if (value && !value->getType().isNull() && value->getType().isVolatileQualified())
      return true;
    const auto *assembly = dyn_cast<GCCAsmStmt>(each);
    return assembly && any_of(ArrayRef<StringRef>{"atom.", ".volatile", ".acquire", ".relaxed", "mbarrier."},
                              [&](StringRef word) { return StringRef(assembly->getAsmString()).contains(word); });
  };
  return CalledCode(context, isSought, /*isUnknownSought=*/false).reaches(statement);
}

bool isPlainLoop(const Stmt *loop, const ASTContext &context) {
  const Expr *condition = conditionOf(loop);
  return condition && !mayWait(condition) && !mayHoldLock(loop, context);
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
