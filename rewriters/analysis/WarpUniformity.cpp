// Which statements of a kernel a whole warp reaches together.
#include "rewriters/analysis/WarpUniformity.h"

#include "rewriters/analysis/ArgumentPassing.h"
#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/InstanceStatements.h"
#include "rewriters/analysis/LaneInvariantFunction.h"
#include "rewriters/analysis/Partings.h"
#include "rewriters/analysis/ThreadRows.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

WarpUniformity::WarpUniformity(const FunctionDecl *kernel, Instantiator *instantiator)
    : ast(kernel->getASTContext()), lanes(!readsRows(kernel->getBody()), maxWarpLanes(ast), nullptr) {
  judge(kernel->getBody());
  if (const FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate(); pattern && instantiator && !hasGoto)
    readInstances(pattern, *instantiator);
}

WarpUniformity::WarpUniformity(const FunctionDecl *instance, Instantiator *instantiator, OfInstance)
    : ast(instance->getASTContext()), lanes(!readsRows(instance->getBody()), maxWarpLanes(ast), instantiator) {
  judge(instance->getBody());
}

void WarpUniformity::judge(const Stmt *body) {
  do { // all variables are assumed to be uniform at first; each walk may find more that differ
    changed = lanesLeft = hasDeparted = false;
    whole.clear();
    together.clear();
    firstLane.clear();
    departing.clear();
    departureList.clear();
    walk(body, {});
  } while (changed);
  if (hasGoto)
    whole.clear(), together.clear(), firstLane.clear();
}

/// The inner one of two statements around another; the first may be null.
static const Stmt *innerOf(const Stmt *left, const Stmt *right) { return !left || isWithin(left, right) ? right : left; }

/// A statement that all instances come to as whole warps, or together, is one of the pattern, too.
void WarpUniformity::readInstances(const FunctionTemplateDecl *kernel, Instantiator &instantiator) {
  const Stmt *body = kernel->getTemplatedDecl()->getBody();
  bool areAllWhole = true;
  DenseMap<Extent, const Stmt *> ofPattern;
  eachStatement(body, false, [&](const Stmt *statement, bool) {
    areAllWhole &= isWhole(statement);
    ofPattern.try_emplace(extentOf(statement), statement);
  });
  if (areAllWhole)
    return;
  struct InAll {
    bool areWhole = true, areTogether = true;
    const Stmt *passage = nullptr; ///< the pattern's: the innermost of those around it in any instance
  };
  DenseMap<Extent, InAll> all;
  for (const FunctionDecl *each : instantiator.instantiate(kernel)) {
    const FunctionDecl *instance = instantiator.define(each);
    if (!instance)
      return;
    const WarpUniformity inside(instance, &instantiator, OfInstance());
    eachStatement(instance->getBody(), false, [&](const Stmt *statement, bool) {
      InAll &known = all[extentOf(statement)];
      known.areWhole &= inside.isWhole(statement);
      known.areTogether &= inside.isTogether(statement);
      if (const Stmt *passage = inside.passageAround(statement)) {
        const Stmt *ours = ofPattern.lookup(extentOf(passage));
        known.areTogether &= ours != nullptr;
        known.passage = ours ? innerOf(known.passage, ours) : known.passage;
      }
      if (const Stmt *jump = inside.isDeparting(statement) ? ofPattern.lookup(extentOf(statement)) : nullptr)
        departing.insert(jump);
    });
    for (const IfStmt *departure : inside.departures())
      if (const Stmt *ours = ofPattern.lookup(extentOf(departure)))
        departureList.insert(cast<IfStmt>(ours));
      else
        return together.clear();
  }
  if (all.empty())
    return;
  eachStatement(body, false, [&](const Stmt *statement, bool isChosen) {
    const auto found = all.find(extentOf(statement));
    if (found == all.end() ? isChosen : found->second.areWhole) // what no instance chose, nobody runs
      whole.insert(statement);
    if (found != all.end() && found->second.areTogether)
      together[statement] = found->second.passage;
    else if (found != all.end())
      together.erase(statement);
  });
}

/// The variables that an lvalue may be, or be a part of; none where it is reached through a pointer. `differs`: lanes may mean different
/// parts.
void WarpUniformity::findPlaces(const Expr *target, bool differs, SmallVectorImpl<Place> &places) const {
  target = target->IgnoreParenImpCasts();
  const auto follow = [&](const Expr *part, bool alsoDiffers = false) { findPlaces(part, differs || alsoDiffers, places); };
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(target))
    return follow(cast->getSubExpr());
  if (const auto *list = dyn_cast<InitListExpr>(target))
    return list->getNumInits() == 1 ? follow(list->getInit(0)) : void();
  if (const auto *member = dyn_cast<MemberExpr>(target))
    return member->isArrow() ? void() : follow(member->getBase());
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(target))
    return member->isImplicitAccess() || member->isArrow() ? void() : follow(member->getBase());
  if (const auto *part = dyn_cast<ExtVectorElementExpr>(target))
    return follow(part->getBase());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(target)) {
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    return base->getType()->isPointerType() ? void() : follow(base, lanes.differs(element->getIdx()));
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(target)) {
    follow(choice->getTrueExpr(), lanes.differs(choice->getCond()));
    return follow(choice->getFalseExpr(), lanes.differs(choice->getCond()));
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(target)) {
    if (operation->getOpcode() == BO_Comma)
      return follow(operation->getRHS());
    return operation->isAssignmentOp() || operation->getOpcode() == BO_PtrMemD ? follow(operation->getLHS()) : void();
  }
  if (const auto *operation = dyn_cast<UnaryOperator>(target))
    return operation->isIncrementDecrementOp() ? follow(operation->getSubExpr()) : void();
  const auto *reference = dyn_cast<DeclRefExpr>(target);
  if (!reference)
    return;
  if (const auto *part = dyn_cast<BindingDecl>(reference->getDecl()))
    return part->getBinding() ? follow(part->getBinding()) : void();
  const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
  if (const Expr *place = variable ? boundTo(variable) : nullptr)
    return follow(place);
  if (variable)
    places.push_back({variable, differs});
}

/// A function called on an object may change it, unless either is const.
void WarpUniformity::noteObject(const CallExpr *call, bool isSplit) {
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  const Expr *object = nullptr;
  if (const auto *member = dyn_cast<MemberExpr>(callee); member && !member->isArrow())
    object = member->getBase();
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(callee); member && !member->isImplicitAccess() && !member->isArrow())
    object = member->getBase();
  if (const auto *member = dyn_cast<UnresolvedMemberExpr>(callee); member && !member->isImplicitAccess() && !member->isArrow())
    object = member->getBase();
  if (isa<DeclRefExpr>(callee) && !callee->getType()->isFunctionType() && !callee->getType()->isPointerType()) // it is called itself
    object = callee;
  if (!object || object->getType().isConstQualified())
    return;
  const auto functions = callees(call);
  const bool isKnown = !functions.empty() && all_of(functions, [&](const FunctionDecl *each) { return lanes.isInvariant(each); }) &&
                       none_of(call->arguments(), [&](const Expr *argument) { return lanes.differs(argument); });
  const bool mayChange = functions.empty() || any_of(functions, [&](const FunctionDecl *each) { return lanes.mayChangeObject(each); });
  const bool givesPlace = any_of(functions, [](const FunctionDecl *function) { // through which it may be changed later
    const QualType type = function->getReturnType();
    return (type->isLValueReferenceType() || type->isPointerType()) && !type->getPointeeType().isConstQualified();
  });
  noteAssignment(object, mayChange && (isSplit || !isKnown || givesPlace));
}

void WarpUniformity::noteAssignment(const Expr *target, bool differs, const Expr *value) {
  SmallVector<Place, 2> places;
  findPlaces(target, differs, places);
  for (const auto &[variable, isOfSome] : places) {
    if (value && !lanes.isToCommonMemory(value))
      changed |= lanes.markOfLane(variable);
    const bool isOfLane = (variable->isLocalVarDecl() || isa<ParmVarDecl>(variable)) && !variable->hasAttr<CUDASharedAttr>();
    // What is declared in the passages around its assignment is gone where the other lanes are.
    if (isOfLane && (isOfSome || passagesAround.lookup(variable->getCanonicalDecl()) < passagesHere)) // all lanes read the same
      changed |= lanes.mark(variable);
  }
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

/// What a call or a construction takes by reference may be changed, then or later.
void WarpUniformity::noteArguments(const Expr *expression, bool isSplit) {
  const auto note = [&](const Expr *argument) {
    if (!argument->getType().isConstQualified())
      noteAssignment(argument, true);
  };
  if (const auto *call = dyn_cast<CallExpr>(expression)) {
    noteObject(call, isSplit);
    for (unsigned index = 0; index < call->getNumArgs(); ++index)
      if (lanes.mayChangeArgument(call, index))
        note(call->getArg(index));
  } else if (const auto *construction = dyn_cast<CXXConstructExpr>(expression)) {
    for (unsigned index = 0; index < construction->getNumArgs(); ++index)
      if (mayKeep(construction->getConstructor(), index))
        note(construction->getArg(index));
  } else { // which of a type that only an instance knows
    for (const Stmt *argument : expression->children())
      note(cast<Expr>(argument));
  }
}

/// Looks through an expression for what changes a variable: assignments, and places where one is handed on by reference.
void WarpUniformity::noteEffects(const Stmt *expression, bool isSplit) {
  if (!expression)
    return;
  if (const auto *lambda = dyn_cast<LambdaExpr>(expression)) {
    for (const Expr *capture : lambda->capture_inits())
      noteEffects(capture, isSplit);
    return noteEffects(lambda->getBody(), true); // called anywhere
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expression)) {
    noteEffects(choice->getCond(), isSplit);
    const bool isEither = isSplit || lanes.differs(choice->getCond());
    noteEffects(choice->getTrueExpr(), isEither);
    return noteEffects(choice->getFalseExpr(), isEither);
  }
  if (const auto *logic = dyn_cast<BinaryOperator>(expression); logic && logic->isLogicalOp()) {
    noteEffects(logic->getLHS(), isSplit);
    return noteEffects(logic->getRHS(), isSplit || lanes.differs(logic->getLHS()));
  }
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
  } else if (isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr>(expression)) {
    noteArguments(cast<Expr>(expression), isSplit);
  } else if (const auto *assembly = dyn_cast<GCCAsmStmt>(expression)) {
    for (unsigned index = 0; index < assembly->getNumOutputs(); ++index)
      noteAssignment(assembly->getOutputExpr(index), true);
  }
  for (const Stmt *child : expression->children())
    noteEffects(child, isSplit);
}

/// Some lanes may leave the kernel, the loop or the switch, and others not.
void WarpUniformity::noteLeaving(const Stmt *jump, const Context &context) {
  if (isa<ReturnStmt>(jump)) {
    lanesLeft |= context.isSplit || context.passage;
    return;
  }
  const bool leavesSwitch = isa<BreakStmt>(jump) && context.switchIsSplit;
  if (bool *left = leavesSwitch ? context.switchIsSplit : context.loopIsSplit)
    *left |= context.isSplit || context.passage != (leavesSwitch ? context.switchPassage : context.loopPassage);
}

void WarpUniformity::walkLoop(const Stmt *loop, const Expr *condition, Context context) {
  bool isSplit = false;
  Context inside = context;
  inside.loopIsSplit = &isSplit;
  inside.switchIsSplit = nullptr;
  bool conditionDiffers = isa<CXXForRangeStmt>(loop) || (condition && lanes.differs(condition));
  if (conditionDiffers && !context.isSplit && !lanesLeft && isPlainLoop(loop, ast)) {
    conditionDiffers = false;
    inside.passage = loop;
    ++inside.passages;
  }
  inside.loopPassage = inside.passage;
  for (int pass = 0; pass < 2; ++pass) { // what one iteration learns about jumps holds at the start of the next
    inside.isSplit = context.isSplit || conditionDiffers || isSplit;
    for (const Stmt *child : loop->children())
      if (child)
        walk(child, inside);
  }
}

void WarpUniformity::walkSwitch(const SwitchStmt *choice, Context context) {
  bool isSplit = lanes.differs(choice->getCond());
  Context inside = context;
  inside.switchIsSplit = &isSplit;
  inside.switchPassage = context.passage;
  for (int pass = 0; pass < 2; ++pass) { // what one pass learns about breaks holds in all cases
    inside.isSplit = context.isSplit || isSplit;
    for (const Stmt *child : choice->children())
      if (child)
        walk(child, inside);
  }
}

void WarpUniformity::walkBranch(const IfStmt *branch, Context context) {
  const bool differs = !branch->isConstexpr() && lanes.differs(branch->getCond());
  const bool isPlain = differs && !context.isSplit && !lanesLeft && isPlainBranch(branch);
  if (isPlain && !context.passage && endsInReturn(branch->getThen()))
    return walkDeparture(branch, context);
  const bool isPassage = isPlain && holdsLoop(branch->getThen()) && !mayHoldLock(branch->getThen(), ast);
  for (const Stmt *child : branch->children())
    if (child) {
      Context inside = context;
      const bool isThen = child == branch->getThen();
      inside.isFirstLaneOnly |= isThen && lanes.isFirstLaneOnly(branch->getCond());
      if (isPassage && isThen) {
        inside.passage = branch;
        ++inside.passages;
      } else {
        inside.isSplit |= differs;
      }
      walk(child, inside);
    }
}

void WarpUniformity::walkDeparture(const IfStmt *branch, Context context) {
  const bool hadLeft = lanesLeft;
  context.isSplit = true;
  walk(branch->getCond(), context);
  context.isFirstLaneOnly |= lanes.isFirstLaneOnly(branch->getCond());
  walk(branch->getThen(), context);
  lanesLeft = hadLeft;
  hasDeparted = true;
  departureList.insert(branch);
  eachReturn(branch->getThen(), [&](const ReturnStmt *each) { departing.insert(each); });
}

void WarpUniformity::noteVariable(const VarDecl *variable, bool isSplit) {
  if (!variable->isStaticLocal())
    passagesAround[variable->getCanonicalDecl()] = passagesHere;
  const QualType type = variable->getType();
  const Expr *value = variable->getInit();
  if (!value && !variable->hasAttr<CUDASharedAttr>() && lanes.differsByDefault(variable))
    changed |= lanes.mark(variable);
  if (!value)
    return;
  if (type->isReferenceType() && !type.getNonReferenceType().isConstQualified() && !boundTo(variable))
    noteAssignment(value, true);                         // by another name from here on
  if (const auto *list = dyn_cast<ParenListExpr>(value)) // a construction in dependent code
    for (unsigned index = 0; index < list->getNumExprs(); ++index)
      if (!list->getExpr(index)->getType().isConstQualified() && mayKeep(type, index))
        noteAssignment(list->getExpr(index), true);
  noteEffects(value, isSplit);
  if (!lanes.isToCommonMemory(value))
    changed |= lanes.markOfLane(variable);
  const bool isObject = type->isRecordType() || (type->isDependentType() && !type->getContainedAutoType());
  const bool isList = isa<InitListExpr>(value) && !type->isDependentType();
  if (isSplit || lanes.differs(value) || (isObject && !isList && !lanes.isMadeOfArguments(variable)))
    changed |= lanes.mark(variable);
}

void WarpUniformity::walk(const Stmt *statement, Context context) {
  const bool isSplit = context.isSplit || lanesLeft;
  passagesHere = context.passages;
  isSplit || hasDeparted || context.passage ? (void)whole.erase(statement) : (void)whole.insert(statement);
  if (isSplit)
    together.erase(statement);
  else
    together[statement] = context.passage;
  if (context.isFirstLaneOnly)
    firstLane.insert(statement);
  if (isa<GotoStmt, IndirectGotoStmt>(statement))
    hasGoto = true;
  if (const auto *expression = dyn_cast<Expr>(statement))
    return noteEffects(expression, isSplit);
  if (isa<GCCAsmStmt>(statement))
    return noteEffects(statement, isSplit);
  if (isa<ReturnStmt, BreakStmt, ContinueStmt>(statement))
    noteLeaving(statement, context);
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl *each : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(each))
        noteVariable(variable, isSplit);
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
    return walkSwitch(choice, context);
  for (const Stmt *child : statement->children())
    if (child)
      walk(child, context);
}

} // namespace kperf
