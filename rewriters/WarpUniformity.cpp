// Which statements of a kernel a whole warp reaches together.
#include "WarpUniformity.h"

#include "ArgumentPassing.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

WarpUniformity::WarpUniformity(const FunctionDecl *kernel) {
  const Stmt *body = kernel->getBody();
  do { // variables are first thought alike; each walk may find more that differ
    changed = lanesLeft = false;
    whole.clear();
    once.clear();
    walk(body, {});
  } while (changed);
  if (hasGoto)
    whole.clear(), once.clear();
}

void WarpUniformity::noteAssignment(const Expr *target, bool differs) {
  const auto *reference = dyn_cast<DeclRefExpr>(target->IgnoreParenImpCasts());
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (variable && differs && (variable->isLocalVarDecl() || isa<ParmVarDecl>(variable)))
    changed |= lanes.mark(variable);
}

/// Looks through an expression for what changes a variable: assignments, and places where one is handed on by reference.
void WarpUniformity::noteEffects(const Stmt *expression, bool isSplit) {
  if (!expression || isa<LambdaExpr>(expression))
    return;
  if (const auto *operation = dyn_cast<BinaryOperator>(expression); operation && operation->isAssignmentOp()) {
    noteAssignment(operation->getLHS(), isSplit || lanes.differs(operation->getRHS()));
  } else if (const auto *operation = dyn_cast<UnaryOperator>(expression)) {
    if (operation->isIncrementDecrementOp())
      noteAssignment(operation->getSubExpr(), isSplit);
    else if (operation->getOpcode() == UO_AddrOf)
      noteAssignment(operation->getSubExpr(), true);
  } else if (const auto *call = dyn_cast<CallExpr>(expression)) {
    for (unsigned index = 0; index < call->getNumArgs(); ++index)
      if (isa<DeclRefExpr>(call->getArg(index)->IgnoreParens()) && !call->getArg(index)->getType().isConstQualified() &&
          mayTakeByReference(call, index))
        noteAssignment(call->getArg(index), true);
  } else if (const auto *assembly = dyn_cast<GCCAsmStmt>(expression)) {
    for (unsigned index = 0; index < assembly->getNumOutputs(); ++index)
      noteAssignment(assembly->getOutputExpr(index), true);
  }
  for (const Stmt *child : expression->children())
    noteEffects(child, isSplit);
}

void WarpUniformity::walkLoop(const Stmt *loop, const Expr *condition, Context context) {
  bool isSplit = false;
  Context inside = context;
  inside.isInLoop = true;
  inside.loopIsSplit = &isSplit;
  const bool conditionDiffers = isa<CXXForRangeStmt>(loop) || (condition && lanes.differs(condition));
  for (int pass = 0; pass < 2; ++pass) { // what one iteration learns about jumps holds at the start of the next
    inside.isSplit = context.isSplit || conditionDiffers || isSplit;
    for (const Stmt *child : loop->children())
      if (child)
        walk(child, inside);
  }
}

void WarpUniformity::walk(const Stmt *statement, Context context) {
  const bool isSplit = context.isSplit || lanesLeft;
  isSplit ? (void)whole.erase(statement) : (void)whole.insert(statement);
  if (!context.isInLoop)
    once.insert(statement);
  if (isa<GotoStmt, IndirectGotoStmt>(statement))
    hasGoto = true;
  if (const auto *expression = dyn_cast<Expr>(statement))
    return noteEffects(expression, isSplit);
  if (isa<GCCAsmStmt>(statement))
    return noteEffects(statement, isSplit);
  if (isa<ReturnStmt>(statement))
    lanesLeft |= context.isSplit;
  if (isa<BreakStmt, ContinueStmt>(statement) && context.loopIsSplit)
    *context.loopIsSplit |= context.isSplit;
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *each : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(each); variable && variable->getInit()) {
        noteEffects(variable->getInit(), isSplit);
        if (isSplit || lanes.differs(variable->getInit()))
          changed |= lanes.mark(variable);
      }
    return;
  }
  if (const auto *loop = dyn_cast<ForStmt>(statement)) {
    if (loop->getInit())
      walk(loop->getInit(), context);
    return walkLoop(loop, loop->getCond(), context);
  }
  if (const auto *loop = dyn_cast<WhileStmt>(statement))
    return walkLoop(loop, loop->getCond(), context);
  if (const auto *loop = dyn_cast<DoStmt>(statement))
    return walkLoop(loop, loop->getCond(), context);
  if (isa<CXXForRangeStmt>(statement))
    return walkLoop(statement, nullptr, context);
  if (const auto *branch = dyn_cast<IfStmt>(statement))
    context.isSplit |= !branch->isConstexpr() && lanes.differs(branch->getCond());
  if (const auto *choice = dyn_cast<SwitchStmt>(statement))
    context.isSplit |= lanes.differs(choice->getCond());
  for (const Stmt *child : statement->children())
    if (child)
      walk(child, context);
}

} // namespace kperf
