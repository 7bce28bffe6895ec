// Finds the expression that names a construct's object, and whether it may be written twice.
#include "rewriters/sync/SyncTarget.h"
#include "rewriters/construct/BarrierCopies.h"
#include "rewriters/construct/PipelineState.h"
#include "rewriters/construct/SideEffects.h"
#include "rewriters/sync/BarrierNumber.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using clang::Expr;
using clang::Stmt;
using kperf::format::SyncObject;

namespace kperf {

namespace {

const Expr *withoutMembers(const Expr *place) {
  place = place->IgnoreParens();
  while (const auto *member = dyn_cast<clang::MemberExpr>(place)) {
    if (member->isArrow())
      break;
    place = member->getBase()->IgnoreParens();
  }
  return place;
}

/// Whether the expression names the variable for more than its value, outside of `object`.
bool mayChange(const Stmt *expression, const clang::ValueDecl *variable, const Stmt *object) {
  if (expression == object)
    return false;
  const auto *cast = dyn_cast<clang::ImplicitCastExpr>(expression);
  if (cast && cast->getCastKind() == clang::CK_LValueToRValue && isa<clang::DeclRefExpr>(withoutMembers(cast->getSubExpr())))
    return false;
  const auto *reference = dyn_cast<clang::DeclRefExpr>(expression);
  if (isa<clang::LambdaExpr, clang::StmtExpr>(expression) || (reference && reference->getDecl() == variable))
    return true;
  return any_of(expression->children(), [&](const Stmt *child) { return child && mayChange(child, variable, object); });
}

bool outlives(const Stmt *part, const Stmt *code, const Stmt *object) {
  if (const auto *reference = dyn_cast<clang::DeclRefExpr>(part)) {
    const auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    return !variable || variable->getType()->isArrayType() || (variable->hasLocalStorage() && !mayChange(code, variable, object));
  }
  return all_of(part->children(), [&](const Stmt *child) { return !child || outlives(child, code, object); });
}

/// Whether the object is a variable, or a member of one: those stay where they are.
bool isVariable(const SyncTarget &target) {
  const Expr *place = target.operand->IgnoreParens();
  if (const auto *address = dyn_cast<clang::UnaryOperator>(place); address && address->getOpcode() == clang::UO_AddrOf)
    place = address->getSubExpr();
  else if (!target.isPlace)
    return false;
  return isa<clang::DeclRefExpr>(withoutMembers(place));
}

class TargetFinder {
public:
  TargetFinder(const TranslationUnit &unit, const Selectable &selectable) : unit(unit), selectable(selectable) {
    target.object = selectable.construct->object;
  }

  SyncTarget run() && {
    if (selectable.wrapper)
      byWrapper(*selectable.wrapper);
    else if (const auto *assembly = dyn_cast<clang::GCCAsmStmt>(selectable.at))
      byAssembly(assembly);
    else
      byCall(cast<clang::CallExpr>(selectable.at));
    if (selectable.construct->operation == format::SyncOperation::Expect)
      addArrivals();
    return std::move(target);
  }

private:
  bool isBarrier() const { return target.object == SyncObject::SharedBarrier; }
  void giveUp() { target.object = target.object == SyncObject::BlockBarrier ? SyncObject::SomeBlockBarrier : SyncObject::Unknown; }

  /// Whether the expression can be evaluated once more, in front of the statement, and gives the same.
  bool isRepeatable(const Stmt *node) const { return onlyReads(node) && isDeclaredBefore(node); }

  bool isDeclaredBefore(const Stmt *node) const {
    if (const auto *reference = dyn_cast<clang::DeclRefExpr>(node)) {
      const clang::SourceLocation declared = reference->getDecl()->getLocation();
      return unit.sources.isBeforeInTranslationUnit(declared, selectable.statement->getBeginLoc());
    }
    return all_of(node->children(), [&](const Stmt *child) { return !child || isDeclaredBefore(child); });
  }

  void number(const std::string &text, const Expr *operand = nullptr) {
    if (text.empty())
      return giveUp();
    target.operand = operand;
    target.shown = text;
    target.value = all_of(text, isDigit) ? text + "u" : "static_cast<unsigned>(" + text + ")";
  }

  /// What is expected of an object that has no name here, or in a number that can't be said again, nobody asks for.
  void addArrivals() {
    AssemblyOperand arrivals = nullptr;
    if (const auto *assembly = dyn_cast<clang::GCCAsmStmt>(selectable.at))
      arrivals = arrivalsOfAssembly(assembly, *selectable.construct);
    else
      arrivals = arrivalsOfCall(cast<clang::CallExpr>(selectable.at));
    std::string text;
    if (const auto *digits = std::get_if<std::string>(&arrivals))
      text = *digits + "u";
    else if (const auto *value = std::get<const Expr *>(arrivals); value && isRepeatable(value->IgnoreImplicit()))
      text = unit.textIn(value->IgnoreImplicit()->getSourceRange());
    target.isNothing = !isBarrier() || text.empty() || selectable.wrapper;
    target.value = "::kperf::expectedAt(" + target.value + ", static_cast<unsigned>(" + text + "))";
  }

  /// Whether an object is one of the thread's own, or a part of one: no barrier of a block's, and asking for its address would take it out
  /// of registers.
  static bool isOwn(const Expr *expression) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<clang::MemberExpr>(expression))
      return !member->isArrow() && isOwn(member->getBase());
    if (const auto *member = dyn_cast<clang::CXXDependentScopeMemberExpr>(expression))
      return !member->isImplicitAccess() && !member->isArrow() && isOwn(member->getBase());
    if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(expression))
      return element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType() && isOwn(element->getBase());
    const auto *reference = dyn_cast<clang::DeclRefExpr>(expression);
    const auto *variable = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType() &&
           !variable->hasAttr<clang::CUDASharedAttr>();
  }

  void expression(const Expr *expression, bool isReference) {
    if (!expression)
      return giveUp();
    expression = expression->IgnoreImplicit();
    const std::string text = isRepeatable(expression) ? unit.textIn(expression->getSourceRange()) : std::string();
    if (isBarrier() && isReference && isOwn(expression))
      return giveUp();
    if (!isBarrier() || text.empty())
      return number(text, expression);
    target.operand = expression;
    target.isPlace = isReference;
    target.shown = text;
    const bool isConverted = !selectable.wrapper && selectable.construct->operand == SyncOperand::Argument;
    const bool mayBeClass = isConverted && expression->isTypeDependent() && !isPointer(expression);
    const std::string address = isReference  ? "&(" + text + ")"
                                : mayBeClass ? "static_cast<const volatile void *>(" + text + ")" // as the call converts it
                                             : text;
    target.value = "::kperf::barrierAt(" + address + ")";
  }

  void byAssembly(const clang::GCCAsmStmt *assembly) {
    const SyncOperand operand = selectable.construct->operand;
    if (operand == SyncOperand::Nothing)
      return;
    const AssemblyOperand found = assemblyOperand(assembly, *selectable.construct);
    if (const auto *digits = std::get_if<std::string>(&found))
      return isBarrier() ? giveUp() : number(*digits);
    const auto *value = std::get<const Expr *>(found);
    if (!value && operand == SyncOperand::LastAddress) // its completion is a bulk group's
      target.object = SyncObject::BulkGroup;
    else
      expression(value, /*isReference=*/false);
  }

  /// An explicit template argument as it is written.
  std::string templateArgument(const clang::CallExpr *call, unsigned index) const {
    ArrayRef<clang::TemplateArgumentLoc> given;
    const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    if (const auto *reference = dyn_cast<clang::DeclRefExpr>(callee))
      given = reference->template_arguments();
    else if (const auto *member = dyn_cast<clang::MemberExpr>(callee))
      given = member->template_arguments();
    else if (const auto *lookup = dyn_cast<clang::OverloadExpr>(callee))
      given = lookup->template_arguments();
    else if (const auto *dependent = dyn_cast<clang::CXXDependentScopeMemberExpr>(callee))
      given = dependent->template_arguments();
    else if (const auto *dependentName = dyn_cast<clang::DependentScopeDeclRefExpr>(callee))
      given = dependentName->template_arguments();
    return index < given.size() ? unit.textIn(given[index].getSourceRange()) : std::string();
  }

  /// Also of a variable that Clang refuses.
  clang::QualType typeOf(const Expr *expression) const {
    const clang::VarDecl *variable = variableNamed(expression, selectable.function);
    return variable && variable->isInvalidDecl() ? variable->getType() : expression->IgnoreImplicit()->getType();
  }

  /// A barrier is in shared memory whoever declares it; of other objects no address may be taken, for it would move them out of
  /// registers.
  void base(const Expr *object, bool isKnownBarrier) {
    if (!object)
      return giveUp();
    clang::QualType type = typeOf(object);
    if (!isKnownBarrier && type->isDependentType() && !type->isPointerType())
      return instantiated(object);
    const bool isAddress = type->isPointerType();
    if (isAddress)
      type = type->getPointeeType();
    if (!isKnownBarrier && !StringRef(type.getAsString()).contains_insensitive("barrier"))
      return giveUp();
    expression(object, !isAddress);
  }

  /// Whether more is said where a barrier's type is not known than an arrival at the block's own takes.
  bool mayNameBlock(const clang::CallExpr *call) const {
    const SyncConstruct &construct = *selectable.construct;
    const Expr *object = calledObject(call);
    const unsigned own = construct.name == "arrive" ? 0 : 1;
    return construct.operation == format::SyncOperation::Arrive && object && object->getType()->isDependentType() &&
           call->getNumArgs() > own;
  }

  /// A member or a reference whose type an instantiation knows. The probe finds out whether it is a barrier; one that arrives by more than
  /// its class' own words may name another block of the cluster.
  void instantiated(const Expr *object) {
    const auto *call = cast<clang::CallExpr>(selectable.at);
    const char *probe = selectable.construct->isWait() ? "barrierAwaitedOf" : mayNameBlock(call) ? "barrierOfBlock" : "barrierOf";
    expression(object, /*isReference=*/true);
    if (target.object == SyncObject::SharedBarrier && !target.shown.empty())
      target.value = formatv("::kperf::{0}({1})", probe, target.shown).str();
  }

  void group(const Expr *object) {
    if (!object)
      return giveUp();
    const std::string type = object->IgnoreImplicit()->getType().getAsString();
    const StringRef name = StringRef(type).split('<').first;
    if (name.contains("thread_block_tile") || name.contains("coalesced_group") || name.contains("tiled_group"))
      target.object = SyncObject::Lanes;
    else if (name.contains("thread_block"))
      target.object = SyncObject::BlockBarrier;
    else if (name.contains("cluster_group"))
      target.object = SyncObject::ClusterBarrier;
    else if (name.contains("grid_group"))
      target.object = SyncObject::GridBarrier;
    else if (name.contains_insensitive("barrier")) // a member like the groups' own
      target.object = SyncObject::SharedBarrier, expression(object, !object->getType()->isPointerType());
  }

  /// What is waited for and committed are the thread's own groups, or what the pipeline's threads committed; which
  /// pipeline that is, only the declaration of one in this function says. What is acquired are stages that its threads
  /// released: how many it has, and that all of them are released and committed here, has to be known.
  void pipeline(const clang::CallExpr *call, const Expr *object) {
    using format::SyncOperation;
    const std::optional<PipelineKind> kind = object ? pipelineKind(object, selectable.function) : std::nullopt;
    if (!kind)
      return slot(call, object);
    const StringRef name = selectable.construct->name;
    const bool isOfStages = name == "producer_acquire" || name == "consumer_release";
    target.shown = isRepeatable(object->IgnoreImplicit()) ? unit.textIn(object->IgnoreImplicit()->getSourceRange()) : std::string();
    if (kind == PipelineKind::OfThread) {
      target.isNothing = isOfStages;
      target.object = SyncObject::CopyGroup;
      target.value = selectable.construct->operation == SyncOperation::Await ? "~0u" : "0u"; // format::kNextGroup
      return;
    }
    const clang::VarDecl *variable = variableNamed(object, selectable.function);
    if (!variable || !variable->isLocalVarDecl() || variable->getType()->isReferenceType() || isOneOfSeveral(variable))
      return;
    const std::optional<PipelineState> state = isUsedHereOnly(variable) ? pipelineState(variable) : std::nullopt;
    if (isOfStages)
      return state ? stages(*state) : void();
    target.object = SyncObject::Pipeline; // no address of a state is odd
    target.value = state ? addressOf(*state) : std::to_string(2 * unit.expansionPlace(variable->getLocation()).offset + 1) + "u";
  }

  static std::string addressOf(const PipelineState &state) { return "::kperf::barrierAt(&(" + state.variable->getNameAsString() + "))"; }

  void stages(const PipelineState &state) {
    std::string count = state.stages ? std::to_string(state.stages) + "u" : std::string();
    if (const std::string written = state.written.isValid() ? unit.textIn(state.written) : std::string(); !written.empty())
      count = "static_cast<unsigned>(" + written + ")";
    if (count.empty())
      return;
    target.object = SyncObject::PipelineStage;
    target.value = addressOf(state) + " << " + std::to_string(format::kPipelineShift) + " | " + count;
  }

  /// Whether a pipeline's class is known here, and has no producer_get_barrier.
  bool hasNoBarriers(clang::QualType type) const {
    if (type->isPointerType())
      type = type->getPointeeType();
    const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->hasDefinition() && !record->isDependentContext() && !record->hasAnyDependentBases() &&
           !record->hasMemberName(&unit.context.Idents.get("producer_get_barrier"));
  }

  /// Of a pipeline whose stages have a barrier each, which producers can ask for: the probe finds out whether it is one. What a commit
  /// does there, its type says.
  void slot(const clang::CallExpr *call, const Expr *object) {
    const unsigned at = isMemberCall(call) ? 0 : 1;
    const StringRef name = selectable.construct->name;
    if (!object || call->getNumArgs() <= at || name == "producer_commit" || hasNoBarriers(object->getType()))
      return giveUp();
    const Expr *stage = call->getArg(at)->IgnoreImplicit();
    object = object->IgnoreImplicit();
    std::string of = isRepeatable(object) ? unit.textIn(object->getSourceRange()) : std::string();
    const std::string which = isRepeatable(stage) ? unit.textIn(stage->getSourceRange()) : std::string();
    if (of.empty() || which.empty())
      return giveUp();
    const char *probe = name == "producer_tail" ? "lastSlotAwaitedAt" : selectable.construct->isWait() ? "slotAwaitedAt" : "slotAt";
    target.object = name == "consumer_wait" ? SyncObject::SharedBarrier : SyncObject::PipelineSlot;
    target.operand = call;
    target.shown = of;
    if (object->getType()->isPointerType())
      of = "*(" + of + ")";
    target.value = formatv("::kperf::{0}({1}, {2})", probe, of, which).str();
  }

  /// Copies into a pipeline are followed from its commit on; those that a barrier counts, from here.
  void completion(const Expr *last) {
    if (!last)
      return;
    last = last->IgnoreImplicit();
    target.isNothing = pipelineKind(last, selectable.function).has_value();
    if (const clang::QualType type = typeOf(last); StringRef(type.getAsString()).contains_insensitive("barrier")) {
      target.object = SyncObject::SharedBarrier;
      expression(last, !type->isPointerType());
    }
  }

  void byCall(const clang::CallExpr *call) {
    const SyncConstruct &construct = *selectable.construct;
    const Expr *operand = operandOfCall(call, construct);
    if (construct.operand == SyncOperand::Template)
      number(templateArgument(call, 0));
    else if (construct.operand == SyncOperand::Group)
      group(operand);
    else if (construct.operand == SyncOperand::Base)
      base(operand, false);
    else if (construct.operand == SyncOperand::Pipeline)
      pipeline(call, operand);
    else if (construct.operand == SyncOperand::Completion)
      completion(operand);
    else if (construct.operand == SyncOperand::With)
      expression(barrierOfCopy(call), /*isReference=*/true);
    else if (construct.operand != SyncOperand::Nothing)
      expression(operand, construct.operand == SyncOperand::Reference);
  }

  /// By a call of the generated function that returns the number, with the same arguments.
  void askedFor(const clang::CallExpr *call, const BarrierNumber &number) {
    const auto reads = [&](const Expr *operand) { return !operand || isRepeatable(operand); };
    std::string text = unit.textIn(call->getSourceRange());
    const std::size_t name = unit.textIn(call->getCallee()->getSourceRange()).rfind(number.of);
    if (number.function.empty() || text.empty() || name == std::string::npos || !reads(calledObject(call)) ||
        !all_of(call->arguments(), reads))
      return giveUp();
    target.operand = call;
    target.numberBy = &number;
    target.value = text.replace(name, number.of.size(), number.name);
  }

  void byWrapper(const SyncWrapper &wrapper) {
    const auto *call = cast<clang::CallExpr>(selectable.at);
    switch (wrapper.source) {
    case SyncWrapper::Source::Nothing:
      return wrapper.construct.operand == SyncOperand::Nothing ? void() : giveUp();
    case SyncWrapper::Source::Constant:
      return isBarrier() ? giveUp() : number(wrapper.constant);
    case SyncWrapper::Source::Parameter:
      expression(wrapper.index < call->getNumArgs() ? call->getArg(wrapper.index) : nullptr, wrapper.isReference);
      if (wrapper.offset > 0 && target.object == wrapper.construct.object)
        target.value = "(" + target.value + " + " + std::to_string(wrapper.offset) + "u)";
      return;
    case SyncWrapper::Source::Template:
      return number(templateArgument(call, wrapper.index));
    case SyncWrapper::Source::Computed:
      return askedFor(call, barrierNumber(unit, wrapper));
    case SyncWrapper::Source::Object:
      return mayNameBlock(call) ? instantiated(calledObject(call)) : base(calledObject(call), true);
    }
  }

  const TranslationUnit &unit;
  const Selectable &selectable;
  SyncTarget target;
};

} // namespace

namespace {

struct Found {
  Found(const Stmt *, const TranslationUnit &unit, const Selectable &selectable) : target(TargetFinder(unit, selectable).run()) {}
  const SyncTarget target;
};

} // namespace

const SyncTarget &syncTarget(const TranslationUnit &unit, const Selectable &selectable) {
  return unit.analyses.get<Found>(selectable.at, unit, selectable).target;
}

bool outlives(const SyncTarget &target, const Stmt *code, const Expr *object) {
  return !target.operand || isVariable(target) || outlives(target.operand, code, object);
}

} // namespace kperf
