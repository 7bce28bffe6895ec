// Which statements of a kernel a whole warp reaches together.
#include "rewriters/analysis/WarpUniformity.h"

#include "rewriters/analysis/ArgumentPassing.h"
#include "rewriters/analysis/LaneInvariantFunction.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

/// Whether the code reads threadIdx.y or threadIdx.z, so that its blocks may have rows that end within a warp.
static bool readsRows(const Stmt *statement) {
  if (const auto *object = dyn_cast<PseudoObjectExpr>(statement))
    return readsRows(object->getSyntacticForm());
  StringRef member;
  const Expr *base = nullptr;
  if (const auto *property = dyn_cast<MSPropertyRefExpr>(statement))
    base = property->getBaseExpr(), member = property->getPropertyDecl()->getName();
  else if (const auto *expression = dyn_cast<MemberExpr>(statement); expression && expression->getMemberDecl()->getIdentifier())
    base = expression->getBase(), member = expression->getMemberDecl()->getName();
  const auto *reference = base ? dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
  if (reference && reference->getDecl()->getIdentifier() && reference->getDecl()->getName() == "threadIdx" && member != "x")
    return true;
  return any_of(statement->children(), [](const Stmt *child) { return child && readsRows(child); });
}

WarpUniformity::WarpUniformity(const FunctionDecl *kernel) : lanes(!readsRows(kernel->getBody()), mostWarpLanes(kernel->getASTContext())) {
  const Stmt *body = kernel->getBody();
  do { // variables are first thought alike; each walk may find more that differ
    changed = lanesLeft = false;
    whole.clear();
    firstLane.clear();
    once.clear();
    walk(body, {});
  } while (changed);
  if (hasGoto)
    whole.clear(), firstLane.clear(), once.clear();
}

/// The variable that an lvalue is, or is a part of; null when it is reached through a pointer.
static const DeclRefExpr *variableOf(const Expr *target) {
  for (;;) {
    target = target->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<MemberExpr>(target); member && !member->isArrow())
      target = member->getBase();
    else if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(target);
             member && !member->isImplicitAccess() && !member->isArrow())
      target = member->getBase();
    else if (const auto *element = dyn_cast<ArraySubscriptExpr>(target);
             element && element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      target = element->getBase();
    else if (const auto *reference = dyn_cast<DeclRefExpr>(target)) {
      const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
      const Expr *place = variable ? boundTo(variable) : nullptr;
      if (!place)
        return reference;
      target = place;
    } else
      return nullptr;
  }
}

/// A function called on an object may change it, unless either is const.
void WarpUniformity::noteObject(const CallExpr *call, bool isSplit) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  const Expr *object = nullptr;
  if (const auto *member = dyn_cast<MemberExpr>(callee); member && !member->isArrow())
    object = member->getBase();
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(callee); member && !member->isImplicitAccess() && !member->isArrow())
    object = member->getBase();
  if (!object || object->getType().isConstQualified())
    return;
  const auto functions = callees(call);
  const bool isKnown = !functions.empty() && all_of(functions, [&](const FunctionDecl *each) { return lanes.isInvariant(each); }) &&
                       none_of(call->arguments(), [&](const Expr *argument) { return lanes.differs(argument); });
  const bool isConst = !functions.empty() && all_of(functions, [](const FunctionDecl *function) {
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    return method && method->isConst();
  });
  const bool givesPlace = any_of(functions, [](const FunctionDecl *function) { // through which it may be changed later
    const QualType type = function->getReturnType();
    return (type->isLValueReferenceType() || type->isPointerType()) && !type->getPointeeType().isConstQualified();
  });
  noteAssignment(object, !isConst && (isSplit || !isKnown || givesPlace));
}

void WarpUniformity::noteAssignment(const Expr *target, bool differs, const Expr *value) {
  const DeclRefExpr *reference = variableOf(target);
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (variable && value && !lanes.isToCommonMemory(value))
    changed |= lanes.markOfLane(variable);
  const bool isOfLane = variable && (variable->isLocalVarDecl() || isa<ParmVarDecl>(variable)) && !variable->hasAttr<CUDASharedAttr>();
  if (isOfLane && differs) // what all lanes have in common, they read alike
    changed |= lanes.mark(variable);
}

/// A lane's own array that is not subscripted at once may be changed through a pointer to it.
void WarpUniformity::noteArray(const Stmt *expression) {
  const auto *array = dyn_cast<Expr>(expression);
  if (array && isa<DeclRefExpr, MemberExpr>(array) && !array->getType().isNull() && array->getType()->isArrayType())
    noteAssignment(array, true);
}

/// What is subscripted.
void WarpUniformity::noteBase(const Expr *base, bool isSplit) {
  const Expr *array = base->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<MemberExpr>(array); member && array->getType()->isArrayType())
    noteEffects(member->getBase(), isSplit);
  else if (!isa<DeclRefExpr>(array))
    noteEffects(array, isSplit);
}

/// Looks through an expression for what changes a variable: assignments, and places where one is handed on by reference.
void WarpUniformity::noteEffects(const Stmt *expression, bool isSplit) {
  if (!expression)
    return;
  if (const auto *lambda = dyn_cast<LambdaExpr>(expression))
    return noteEffects(lambda->getBody(), true); // called anywhere
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
    noteEffects(element->getIdx(), isSplit);
    return noteBase(element->getBase(), isSplit);
  }
  noteArray(expression);
  if (const auto *operation = dyn_cast<BinaryOperator>(expression); operation && operation->isAssignmentOp()) {
    noteAssignment(operation->getLHS(), isSplit || lanes.differs(operation->getRHS()),
                   operation->getOpcode() == BO_Assign ? operation->getRHS() : nullptr);
  } else if (const auto *operation = dyn_cast<UnaryOperator>(expression)) {
    if (operation->isIncrementDecrementOp())
      noteAssignment(operation->getSubExpr(), isSplit);
    else if (operation->getOpcode() == UO_AddrOf)
      noteAssignment(operation->getSubExpr(), true);
  } else if (const auto *call = dyn_cast<CallExpr>(expression)) {
    noteObject(call, isSplit);
    for (unsigned index = 0; index < call->getNumArgs(); ++index)
      if (variableOf(call->getArg(index)) && !call->getArg(index)->getType().isConstQualified() && mayTakeByReference(call, index))
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

void WarpUniformity::walkBranch(const IfStmt *branch, Context context) {
  context.isSplit |= !branch->isConstexpr() && lanes.differs(branch->getCond());
  for (const Stmt *child : branch->children())
    if (child) {
      Context inside = context;
      inside.isFirstLaneOnly |= child == branch->getThen() && lanes.isFirstLaneOnly(branch->getCond());
      walk(child, inside);
    }
}

void WarpUniformity::walk(const Stmt *statement, Context context) {
  const bool isSplit = context.isSplit || lanesLeft;
  isSplit ? (void)whole.erase(statement) : (void)whole.insert(statement);
  if (context.isFirstLaneOnly)
    firstLane.insert(statement);
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
        if (!lanes.isToCommonMemory(variable->getInit()))
          changed |= lanes.markOfLane(variable);
        const QualType type = variable->getType();
        const bool isObject = type->isRecordType() || (type->isDependentType() && !type->getContainedAutoType());
        if (isSplit || lanes.differs(variable->getInit()) ||
            (isObject && !isa<InitListExpr>(variable->getInit()) && !lanes.isMadeOfArguments(type)))
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
    return walkBranch(branch, context);
  if (const auto *choice = dyn_cast<SwitchStmt>(statement))
    context.isSplit |= lanes.differs(choice->getCond());
  for (const Stmt *child : statement->children())
    if (child)
      walk(child, context);
}

} // namespace kperf
