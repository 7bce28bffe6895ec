// Tells whether an expression may have different values in the lanes of one warp.
#include "rewriters/analysis/LaneDependence.h"

#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/LaneInvariantFunction.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

/// Whether a value of the type is a thread's index as it is, for all that a division or a comparison makes of it.
bool keepsIndex(QualType type) {
  return !type->isDependentType() && type->isIntegerType() && !type->isBooleanType() && type->isScalarType() &&
         !type->isSpecificBuiltinType(BuiltinType::SChar) && !type->isCharType() && !type->isSpecificBuiltinType(BuiltinType::Short) &&
         !type->isSpecificBuiltinType(BuiltinType::UShort);
}

/// Whether the variable is its own initialiser, or a part of it.
bool names(const Stmt *statement, const VarDecl *variable) {
  const auto *reference = dyn_cast_or_null<DeclRefExpr>(statement);
  return statement && ((reference && reference->getDecl() == variable) ||
                       any_of(statement->children(), [&](const Stmt *child) { return names(child, variable); }));
}

/// An integer constant's value as far as the syntax shows it; nothing in dependent code.
std::optional<uint64_t> constantOf(const Expr *expression) {
  if (const auto *literal = dyn_cast<IntegerLiteral>(expression->IgnoreParenImpCasts()))
    return literal->getValue().getLimitedValue();
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts()))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      if (variable->isConstexpr() && keepsIndex(variable->getType()) && variable->getInit() && !variable->getInit()->isValueDependent() &&
          !names(variable->getInit(), variable))
        return constantOf(variable->getInit());
  return std::nullopt;
}

/// What a constant local variable was given; null for any other expression.
const Expr *valueOfConstant(const Expr *expression) {
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const bool isConstant = variable && variable->isLocalVarDecl() && variable->getType().isConstQualified();
  return isConstant && !names(variable->getInit(), variable) ? variable->getInit() : nullptr;
}

/// ROCm 5's threadIdx.x is an object that converts itself to a number: that object; else the expression itself.
const Expr *withoutConversion(const Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  const auto *call = dyn_cast<CXXMemberCallExpr>(expression);
  const bool isConversion = call && isa_and_nonnull<CXXConversionDecl>(call->getMethodDecl());
  return isConversion ? call->getImplicitObjectArgument()->IgnoreParenImpCasts() : expression;
}

/// Whether it is the compiler's own warpSize, a constant or not, or a constant local variable that was given it.
bool isWarpSize(const Expr *expression) {
  expression = withoutConversion(expression);
  if (const Expr *value = valueOfConstant(expression))
    return isWarpSize(value);
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return variable && variable->isFileVarDecl() && variable->getName() == "warpSize";
}

/// Whether a cooperative group says how many of it, or the one that calls, there are, where a group is a block, or a tile of warps.
bool isOfWholeWarps(const CallExpr *call, unsigned warpLanes) {
  const auto *member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
  const CXXRecordDecl *group =
      member && !member->isArrow() ? member->getBase()->IgnoreParenImpCasts()->getType()->getAsCXXRecordDecl() : nullptr;
  const StringRef name = calledName(call);
  if (!group || !group->getIdentifier() ||
      !is_contained({"size", "num_threads", "meta_group_rank", "meta_group_size", "group_index", "group_dim", "dim_blocks", "dim_threads"},
                    name))
    return false;
  if (group->getName() == "thread_block" || group->getName() == "grid_group")
    return true;
  const auto *tile = dyn_cast<ClassTemplateSpecializationDecl>(group);
  if (!tile || group->getName() != "thread_block_tile" || tile->getTemplateArgs().size() == 0)
    return false;
  const TemplateArgument &lanes = tile->getTemplateArgs()[0];
  return lanes.getKind() == TemplateArgument::Integral && lanes.getAsIntegral().getLimitedValue() % warpLanes == 0;
}

/// The variable that a member is a part of, without a pointer in between; else null.
const VarDecl *objectAround(const Expr *member) {
  for (;;) {
    member = member->IgnoreParenImpCasts();
    if (const auto *part = dyn_cast<MemberExpr>(member); part && !part->isArrow()) {
      member = part->getBase();
      continue;
    }
    const auto *reference = dyn_cast<DeclRefExpr>(member);
    const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    const Expr *bound = variable ? boundTo(variable) : nullptr;
    if (!bound)
      return variable;
    member = bound;
  }
}

} // namespace

const Expr *boundTo(const VarDecl *variable) {
  if (!variable->isLocalVarDecl() || !variable->getType()->isReferenceType() || !variable->getInit() ||
      names(variable->getInit(), variable))
    return nullptr;
  const Expr *place = variable->getInit()->IgnoreParens();
  return isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, UnaryOperator>(place) ? place : nullptr;
}

/// Where lanes are counted by it, a warp of another size divides as the largest one does.
std::optional<uint64_t> LaneDependence::countOf(const Expr *expression) const {
  if (const auto *omitted = dyn_cast<CXXDefaultArgExpr>(expression))
    expression = omitted->getExpr();
  return isWarpSize(expression) ? std::optional<uint64_t>(warpLanes) : constantOf(expression);
}

bool LaneDependence::isThreadIndexX(const Expr *expression) const {
  expression = withoutConversion(expression);
  if (const auto *object = dyn_cast<PseudoObjectExpr>(expression))
    return isThreadIndexX(object->getSyntacticForm());
  if (const auto *property = dyn_cast<MSPropertyRefExpr>(expression)) {
    const auto *base = dyn_cast<DeclRefExpr>(property->getBaseExpr()->IgnoreParenImpCasts());
    return base && base->getDecl()->getName() == "threadIdx" && property->getPropertyDecl()->getName() == "x";
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    const auto *base = dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
    return base && base->getDecl()->getName() == "threadIdx" && member->getMemberDecl()->getName() == "x";
  }
  if (const Expr *value = valueOfConstant(expression))
    return keepsIndex(expression->getType()) && isThreadIndexX(value);
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression))
    return keepsIndex(cast->getType()) && isThreadIndexX(cast->getSubExpr());
  return false;
}

bool LaneDependence::isOfWarp(const BinaryOperator *operation) const {
  const std::optional<uint64_t> right = countOf(operation->getRHS());
  if (!lanesAreNeighbours || !right || !isThreadIndexX(operation->getLHS()))
    return false;
  switch (operation->getOpcode()) {
  case BO_Div: // the warp's index, or that of a group of warps
  case BO_LT:  // whether the warp is one of the first
  case BO_GE:
    return *right % warpLanes == 0;
  case BO_GT:
  case BO_LE:
    return *right % warpLanes == warpLanes - 1;
  case BO_Shr:
    return *right < 64 && (uint64_t{1} << *right) % warpLanes == 0;
  default:
    return false;
  }
}

/// Whether the value is a multiple of the warp's size in its first lane and in no other.
bool LaneDependence::isMultipleInFirstLaneOnly(const Expr *expression) const {
  if (isThreadIndexX(expression))
    return true;
  expression = expression->IgnoreParenImpCasts();
  if (const Expr *value = valueOfConstant(expression))
    return isMultipleInFirstLaneOnly(value);
  const auto *operation = dyn_cast<BinaryOperator>(expression);
  const std::optional<uint64_t> right = operation ? countOf(operation->getRHS()) : std::nullopt;
  if (!right || !isThreadIndexX(operation->getLHS()))
    return false;
  return (operation->getOpcode() == BO_Rem && *right > 0 && *right % warpLanes == 0) ||
         (operation->getOpcode() == BO_And && (*right + 1) % warpLanes == 0);
}

bool LaneDependence::isFirstLaneOnly(const Expr *condition) const {
  condition = condition->IgnoreParenImpCasts();
  if (const Expr *value = valueOfConstant(condition))
    return isFirstLaneOnly(value);
  if (const auto *negation = dyn_cast<UnaryOperator>(condition); negation && negation->getOpcode() == UO_LNot)
    return lanesAreNeighbours && isMultipleInFirstLaneOnly(negation->getSubExpr());
  const auto *operation = dyn_cast<BinaryOperator>(condition);
  if (!operation)
    return false;
  if (operation->getOpcode() == BO_LAnd)
    return isFirstLaneOnly(operation->getLHS()) || isFirstLaneOnly(operation->getRHS());
  if (operation->getOpcode() != BO_EQ || !lanesAreNeighbours)
    return false;
  const auto isMultiple = [&](const Expr *side) {
    const std::optional<uint64_t> value = countOf(side);
    return value && *value % warpLanes == 0;
  };
  return (isMultiple(operation->getRHS()) && isMultipleInFirstLaneOnly(operation->getLHS())) ||
         (isMultiple(operation->getLHS()) && isMultipleInFirstLaneOnly(operation->getRHS()));
}

bool LaneDependence::addressDiffers(const Expr *place) const {
  place = place->IgnoreParens();
  if (const auto *reference = dyn_cast<DeclRefExpr>(place)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return !variable || variable->getType()->isReferenceType() || !(variable->hasGlobalStorage() || variable->hasAttr<CUDASharedAttr>());
  }
  if (const auto *member = dyn_cast<MemberExpr>(place))
    return member->isArrow() ? differs(member->getBase()) : addressDiffers(member->getBase());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
    const PointerOrigins::Subscript subscript(element);
    const Expr *base = subscript.base;
    const auto *decay = dyn_cast<ImplicitCastExpr>(base->IgnoreParens());
    const bool isArray = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
    return differs(subscript.index) || (isArray ? addressDiffers(decay->getSubExpr()) : differs(base));
  }
  return true;
}

bool LaneDependence::differsReference(const ValueDecl *declaration) const {
  if (isa<EnumConstantDecl, NonTypeTemplateParmDecl, FunctionDecl>(declaration))
    return false;
  const auto *variable = dyn_cast<VarDecl>(declaration);
  if (!variable)
    return true;
  if (const Expr *bound = boundTo(variable))
    return differs(bound);
  if (variable->getType()->isReferenceType())
    return true;
  if (isa<ParmVarDecl>(variable) || variable->isLocalVarDecl())
    return marked.contains(variable->getCanonicalDecl());
  return variable->getName() == "threadIdx" || variable->getTLSKind() != VarDecl::TLS_None; // ROCm's threadIdx is constexpr
}

bool LaneDependence::differsElement(const ArraySubscriptExpr *element) const {
  const PointerOrigins::Subscript subscript(element);
  if (differs(subscript.index))
    return true;
  const auto *decay = dyn_cast<ImplicitCastExpr>(subscript.base->IgnoreParens());
  if (decay && decay->getCastKind() == CK_ArrayToPointerDecay)
    return differs(decay->getSubExpr());
  return differsAt(subscript.base);
}

/// What a pointer points to. One load gives all lanes the value at an address, unless each has memory of its own there.
bool LaneDependence::differsAt(const Expr *pointer) const { return differs(pointer) || !isToCommonMemory(pointer); }

bool LaneDependence::isToCommonMemory(const Expr *pointer) const {
  pointer = pointer->IgnoreParens();
  if (const auto *cast = dyn_cast<CastExpr>(pointer))
    return cast->getCastKind() == CK_ArrayToPointerDecay ? !addressDiffers(cast->getSubExpr()) : isToCommonMemory(cast->getSubExpr());
  if (const auto *reference = dyn_cast<DeclRefExpr>(pointer)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (const Expr *bound = variable ? boundTo(variable) : nullptr)
      return isToCommonMemory(bound);
    if (!variable || variable->getType()->isReferenceType())
      return false;
    if (variable->getType()->isArrayType())
      return !addressDiffers(reference);
    return variable->getType()->isPointerType() && !ofOneLane.contains(variable->getCanonicalDecl());
  }
  if (const auto *member = dyn_cast<MemberExpr>(pointer)) {
    if (member->isArrow())
      return isToCommonMemory(member->getBase());
    const VarDecl *object = objectAround(member);
    return object && (isa<ParmVarDecl>(object) ? !ofOneLane.contains(object->getCanonicalDecl()) : object->hasGlobalStorage());
  }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(pointer))
    return isToCommonMemory(PointerOrigins::Subscript(element).base);
  if (const auto *operation = dyn_cast<UnaryOperator>(pointer)) {
    if (operation->getOpcode() == UO_Deref)
      return isToCommonMemory(operation->getSubExpr());
    if (operation->getOpcode() != UO_AddrOf)
      return false;
    const Expr *place = operation->getSubExpr()->IgnoreParens();
    const auto *element = dyn_cast<ArraySubscriptExpr>(place);
    return element ? isToCommonMemory(PointerOrigins::Subscript(element).base) : !addressDiffers(place);
  }
  if (const auto *operation = dyn_cast<BinaryOperator>(pointer)) {
    const Expr *left = operation->getLHS(), *right = operation->getRHS();
    const auto isAddress = [](const Expr *operand) { return operand->getType()->isPointerType() || operand->getType()->isArrayType(); };
    if (!operation->isAdditiveOp())
      return false;
    if (isAddress(left) != isAddress(right)) // the other one is a distance
      return isToCommonMemory(isAddress(left) ? left : right);
    return isToCommonMemory(left) && isToCommonMemory(right);
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(pointer))
    return isToCommonMemory(choice->getTrueExpr()) && isToCommonMemory(choice->getFalseExpr());
  return isa<GNUNullExpr, CXXNullPtrLiteralExpr, IntegerLiteral>(pointer);
}

/// The object that a member function is called on.
bool LaneDependence::differsObject(const Expr *callee) const {
  callee = callee->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<MemberExpr>(callee))
    return member->isArrow() || differs(member->getBase());
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(callee))
    return member->isImplicitAccess() || member->isArrow() || differs(member->getBase());
  return false;
}

bool LaneDependence::differsCall(const CallExpr *call) const {
  const auto argumentDiffers = [&](const Expr *argument) { return differs(argument); };
  if (isa<CXXOperatorCallExpr>(call) && call->isTypeDependent())
    return any_of(call->arguments(), argumentDiffers);
  if (const auto *member = dyn_cast<MemberExpr>(withoutConversion(call)))
    if (const auto *index = dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
        index && is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim"}, index->getDecl()->getName()))
      return differsReference(index->getDecl());
  if (const std::optional<bool> isShuffled = differsShuffle(call))
    return *isShuffled;
  switch (resultOf(call)) {
  case CallResult::Uniform:
    return calledName(call).ends_with("_sync") && (call->getNumArgs() == 0 || differs(call->getArg(0))); // lanes that ask others
  case CallResult::AsItsArguments:
    return any_of(call->arguments(), argumentDiffers);
  case CallResult::Unknown:
  case CallResult::OfMember:
    break;
  }
  if (isOfWholeWarps(call, warpLanes))
    return false;
  if (any_of(call->arguments(), argumentDiffers) || differsObject(call->getCallee()))
    return true;
  const auto targets = callees(call);
  return targets.empty() || !all_of(targets, [&](const FunctionDecl *target) { return isInvariant(target); });
}

/// Of a shuffle that reads one lane's value: every lane of the warp gets the same where all name the same one of it.
std::optional<bool> LaneDependence::differsShuffle(const CallExpr *call) const {
  const StringRef name = calledName(call);
  const unsigned lane = name == "__shfl" ? 1 : 2, arguments = call->getNumArgs();
  if ((name != "__shfl_sync" && name != "__shfl") || resultOf(call) == CallResult::OfMember)
    return std::nullopt;
  if (arguments <= lane || any_of(call->arguments(), [](const Expr *each) { return isa<PackExpansionExpr>(each); }))
    return true;
  const std::optional<uint64_t> width = arguments > lane + 1 ? countOf(call->getArg(lane + 1)) : warpLanes;
  return !width || *width == 0 || *width % warpLanes != 0 || differs(call->getArg(lane)) || (lane == 2 && differs(call->getArg(0)));
}

bool LaneDependence::isInvariant(const FunctionDecl *function) const {
  return isLaneInvariant(function, [&](const BinaryOperator *operation) { return isOfWarp(operation); }, instantiator);
}

bool LaneDependence::isInvariant(const CXXConstructorDecl *constructor) const {
  return isLaneInvariantConstructor(constructor, [&](const BinaryOperator *operation) { return isOfWarp(operation); }, instantiator);
}

bool LaneDependence::isMadeOfArguments(const VarDecl *variable) const {
  if (const auto *construction = dyn_cast<CXXConstructExpr>(variable->getInit()->IgnoreImplicit()); construction && instantiator) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    if (constructor->isTrivial() || (constructor->isUserProvided() && isInvariant(static_cast<const FunctionDecl *>(constructor))))
      return true;
  }
  return kperf::isMadeOfArguments(variable->getType(), [&](const BinaryOperator *operation) { return isOfWarp(operation); });
}

bool LaneDependence::differsByDefault(const VarDecl *variable) const {
  return !isLaneInvariantObject(variable->getType(), [&](const BinaryOperator *operation) { return isOfWarp(operation); }, instantiator);
}

bool LaneDependence::differs(const Expr *expression) const {
  if (!expression)
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    return differsReference(reference->getDecl());
  if (const auto *call = dyn_cast<CallExpr>(expression))
    return differsCall(call);
  if (const auto *operation = dyn_cast<BinaryOperator>(expression); operation && isOfWarp(operation))
    return false;
  if (const auto *operation = dyn_cast<UnaryOperator>(expression)) {
    if (operation->getOpcode() == UO_Deref)
      return differsAt(operation->getSubExpr());
    if (operation->getOpcode() == UO_AddrOf)
      return addressDiffers(operation->getSubExpr());
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression); member && member->isArrow())
    return differsAt(member->getBase());
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression); member && member->isArrow() && !member->isImplicitAccess())
    return differsAt(member->getBase());
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression); member && member->isImplicitAccess())
    return true;
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
    return differsElement(element);
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(expression); cast && cast->getCastKind() == CK_ArrayToPointerDecay)
    return !isa<clang::StringLiteral>(cast->getSubExpr()->IgnoreParens()) && addressDiffers(cast->getSubExpr());
  if (const auto *object = dyn_cast<PseudoObjectExpr>(expression))
    return differs(object->getSyntacticForm());
  if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(expression))
    return differs(argument->getExpr());
  if (const auto *property = dyn_cast<MSPropertyRefExpr>(expression))
    return differs(property->getBaseExpr());
  if (isa<UnaryExprOrTypeTraitExpr, DependentScopeDeclRefExpr, TypeTraitExpr>(expression))
    return false;
  if (isa<LambdaExpr, StmtExpr, CXXThisExpr, OverloadExpr, RecoveryExpr, CXXNewExpr, AtomicExpr>(expression))
    return true;
  if (const auto *construction = dyn_cast<CXXConstructExpr>(expression); construction && !isInvariant(construction->getConstructor()))
    return true;
  if (const auto *construction = dyn_cast<CXXUnresolvedConstructExpr>(expression); construction && construction->getNumArgs() == 0)
    return true;
  if (const auto *member = dyn_cast<CXXDefaultInitExpr>(expression))
    return differs(member->getExpr());
  return any_of(expression->children(), [&](const Stmt *child) {
    const auto *part = dyn_cast_or_null<Expr>(child);
    return child && (!part || differs(part));
  });
}

} // namespace kperf
