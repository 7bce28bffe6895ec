// Follows pointers and references back to what they were made from.
#include "rewriters/analysis/PointerOrigin.h"

#include "rewriters/analysis/Callees.h"
#include "rewriters/analysis/MemoryIntrinsics.h"
#include "rewriters/analysis/OpenPointer.h"
#include "rewriters/analysis/Operation.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

Origin joined(Origin left, Origin right) { return left == right ? left : Origin::Unknown; }

/// Past parentheses and casts that keep the object.
const Expr *stripped(const Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression))
      expression = cast->getSubExpr();
    else if (const auto *cleanups = dyn_cast<ExprWithCleanups>(expression))
      expression = cleanups->getSubExpr();
    else
      return expression;
  }
}

bool movesPointer(const Operation &operation) {
  const bool isDifference = operation.isSum() && operation.kind == OO_Minus && PointerOrigins::isPointer(operation.operands[1]);
  return (operation.isSum() || operation.isStep()) && !isDifference && any_of(operation.operands, PointerOrigins::isPointer);
}

QualType typeOf(const Expr *expression);

/// The class that primary templates declare for a type that depends on arguments, as Tile<T>, or a class or alias in that: null where
/// the type is an argument's, or an alias leads to another in a class of the same template without end.
const CXXRecordDecl *declaredClass(QualType type, unsigned steps = 8) {
  if (steps == 0)
    return nullptr;
  if (const auto *instance = type->getAs<TemplateSpecializationType>()) {
    if (instance->isTypeAlias())
      return declaredClass(instance->getAliasedType(), steps - 1);
    const auto *declaration = dyn_cast_or_null<ClassTemplateDecl>(instance->getTemplateName().getAsTemplateDecl());
    return declaration ? declaration->getTemplatedDecl() : nullptr;
  }
  if (const auto *nested = type->getAs<DependentNameType>()) {
    const NestedNameSpecifier outer = nested->getQualifier();
    const CXXRecordDecl *record =
        outer.getKind() == NestedNameSpecifier::Kind::Type ? declaredClass(QualType(outer.getAsType(), 0), steps - 1) : nullptr;
    const auto found = record ? record->lookup(nested->getIdentifier()) : DeclContext::lookup_result();
    if (const auto *alias = found.empty() ? nullptr : dyn_cast<TypedefNameDecl>(found.front()))
      return declaredClass(alias->getUnderlyingType(), steps - 1);
    return found.empty() ? nullptr : dyn_cast<CXXRecordDecl>(found.front());
  }
  return type->getAsCXXRecordDecl();
}

const FieldDecl *memberOfTemplate(const CXXDependentScopeMemberExpr *member) {
  return dyn_cast_or_null<FieldDecl>(PointerOrigins::declaredMember(member));
}

/// The type without a reference, or null. Where a type depends on template arguments, Clang does not say a member's, nor, of an index, an
/// element's.
QualType typeOf(const Expr *expression) {
  expression = expression->IgnoreParens();
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression))
    if (const FieldDecl *field = memberOfTemplate(member))
      return field->getType().getNonReferenceType();
  const auto *element = dyn_cast<ArraySubscriptExpr>(expression);
  if (element && expression->isTypeDependent()) {
    const QualType base = typeOf(PointerOrigins::Subscript(element).base);
    if (!base.isNull() && base->isPointerType())
      return base->getPointeeType();
    if (!base.isNull() && base->isArrayType())
      return base->getAsArrayTypeUnsafe()->getElementType();
  }
  if (const Operation operation(expression); expression->isTypeDependent() && operation.isUnary(OO_Star))
    if (const QualType pointer = typeOf(operation.operands[0]); !pointer.isNull() && pointer->isPointerType())
      return pointer->getPointeeType();
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const QualType type = expression->getType();
  const bool isOpen = variable && variable->getInit() && (type.isNull() || (type->getContainedAutoType() && type->isDependentType()));
  if (isOpen && variable->getInit()->getType()->isDependentType() && !isa<DeclRefExpr>(variable->getInit()->IgnoreParens()))
    return typeOf(variable->getInit()); // of `auto &tile = *reinterpret_cast<Tile<T> *>(bytes)`
  return type.isNull() ? type : type.getNonReferenceType();
}

bool isArray(const Expr *expression) {
  const QualType type = typeOf(expression);
  return !type.isNull() && type->isArrayType();
}

/// The object that an expression names a part of, as far as it says so.
const Expr *wholeOf(const Expr *part) {
  part = part->IgnoreParenImpCasts();
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(part)) {
    const Expr *base = PointerOrigins::Subscript(element).base->IgnoreParenImpCasts();
    const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(base);
    return isArray(base) || (open && !PointerOrigins::declaredMember(open)) ? wholeOf(base) : part;
  }
  if (const auto *member = dyn_cast<MemberExpr>(part); member && !member->isArrow())
    return wholeOf(member->getBase());
  const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(part);
  return open && !open->isImplicitAccess() && !open->isArrow() ? wholeOf(open->getBase()) : part;
}

/// What is subscripted, dereferenced, or asked for a member by ->; null where it is nothing such.
const Expr *pointerIn(const Expr *lvalue) {
  lvalue = lvalue->IgnoreParenImpCasts();
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue))
    return PointerOrigins::Subscript(element).base;
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(lvalue))
    return member->isArrow() && !member->isImplicitAccess() ? member->getBase() : nullptr;
  const Operation operation(lvalue);
  return operation.isUnary(OO_Star) ? operation.operands[0] : nullptr;
}

/// What a body's return statements give; lambdas in it are functions of their own.
void collectResults(const Stmt *statement, SmallVectorImpl<const Expr *> &results) {
  if (!statement || isa<LambdaExpr>(statement))
    return;
  if (const auto *given = dyn_cast<ReturnStmt>(statement); given && given->getRetValue())
    results.push_back(given->getRetValue());
  for (const Stmt *child : statement->children())
    collectResults(child, results);
}

/// Whether objects of the type may hold pointers or references, so that what they give may lie outside of them.
bool mayLeadElsewhere(QualType type) {
  type = type.getCanonicalType();
  if (const clang::Type *element = type->getArrayElementTypeNoTypeQual())
    return mayLeadElsewhere(QualType(element, 0));
  if (type->isArithmeticType() || type->isEnumeralType() || type->isVectorType())
    return false;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isDependentType())
    return true;
  return any_of(record->bases(), [](const CXXBaseSpecifier &base) { return base.isVirtual() || mayLeadElsewhere(base.getType()); }) ||
         any_of(record->fields(), [](const FieldDecl *field) { return mayLeadElsewhere(field->getType()); });
}

/// Clang adds attributes of its own to constants of the host that device code may use.
template <typename Attribute> bool isDeclared(const VarDecl *variable) {
  const auto *attribute = variable->getAttr<Attribute>();
  return attribute && !attribute->isImplicit();
}

} // namespace

std::string PointerOrigins::whyUnknown(const Expr *node) {
  node = wholeOf(node);
  if (const auto *member = dyn_cast<MemberExpr>(node->IgnoreParenImpCasts()); member && member->isArrow())
    if (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      return "the object of a member function may be an automatic variable";
  if (isa<CallExpr>(node->IgnoreParenImpCasts()) && !isDereference(node->IgnoreParenImpCasts()))
    return "the reference that a function gives may be bound to an automatic variable";
  if (const auto *reference = dyn_cast<DeclRefExpr>(node->IgnoreParenImpCasts()))
    if (reference->getDecl()->getType()->isReferenceType() || isa<BindingDecl>(reference->getDecl()))
      return "a reference may be bound to an automatic variable";
  if (const Expr *pointer = pointerIn(node); pointer && pointer->isTypeDependent() && !mayBePointer(pointer))
    return "what leads to it depends on template arguments, by which it may be no pointer";
  return "it may be an automatic variable, which would have to leave its registers";
}

const NamedDecl *PointerOrigins::declaredMember(const CXXDependentScopeMemberExpr *member) {
  QualType type = member->isImplicitAccess() ? QualType() : typeOf(member->getBase()->IgnoreParenImpCasts());
  if (type.isNull())
    return nullptr;
  if (member->isArrow() && type->isPointerType())
    type = type->getPointeeType();
  const CXXRecordDecl *record = declaredClass(type);
  const auto found = record ? record->lookup(member->getMember()) : DeclContext::lookup_result();
  return found.empty() ? nullptr : found.front();
}

bool PointerOrigins::isPointer(const Expr *expression) {
  expression = expression->IgnoreParens();
  if (const QualType type = typeOf(expression); !type.isNull() && (type->isPointerType() || type->isArrayType()))
    return true;
  if (!expression->isTypeDependent())
    return false;
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable && declaresPointer(variable);
  }
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression)) {
    const FieldDecl *field = memberOfTemplate(member);
    return field && (field->getType()->isPointerType() || field->getType()->isArrayType());
  }
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression))
    return cast->getTypeAsWritten()->isPointerType();
  if (const auto *call = dyn_cast<CallExpr>(expression); call && !isa<CXXOperatorCallExpr>(call)) {
    const auto functions = callees(call);
    return !functions.empty() && all_of(functions, [](const FunctionDecl *function) { return function->getReturnType()->isPointerType(); });
  }
  if (const Operation operation(expression); operation.kind != OO_None)
    return operation.isUnary(OO_Amp) || movesPointer(operation);
  if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
    return isPointer(choice->getTrueExpr()) || isPointer(choice->getFalseExpr());
  return false;
}

bool PointerOrigins::declaresPointer(const VarDecl *variable) {
  QualType type = variable->getType().getNonReferenceType();
  if (type->isPointerType() || type->isArrayType())
    return true;
  const bool isOpen = type->isUndeducedType() || (type->getContainedAutoType() && type->isDependentType());
  return isOpen && variable->getInit() && PointerOrigins::isPointer(variable->getInit());
}

bool PointerOrigins::isDereference(const Expr *expression) { return Operation(expression).isUnary(OO_Star); }

PointerOrigins::Subscript::Subscript(const ArraySubscriptExpr *expression) : base(expression->getBase()), index(expression->getIdx()) {
  if (expression->getRHS()->isTypeDependent() && !isPointer(expression->getRHS()))
    base = expression->getLHS(), index = expression->getRHS();
}

Origin PointerOrigins::ofVariable(const ValueDecl *declaration) const {
  const auto *variable = dyn_cast<VarDecl>(declaration);
  if (!variable)
    return ofBinding(dyn_cast<BindingDecl>(declaration));
  static constexpr StringRef registers[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  if (is_contained(registers, variable->getName()) || variable->isConstexpr())
    return Origin::Automatic;
  if (isDeclared<CUDAConstantAttr>(variable))
    return Origin::Constant;
  if (isDeclared<CUDASharedAttr>(variable) || isDeclared<CUDADeviceAttr>(variable) || isDeclared<HIPManagedAttr>(variable))
    return Origin::Memory;
  if (variable->getType()->isReferenceType()) {
    if (tainted.contains(variable->getCanonicalDecl()))
      return Origin::Unknown;
    if (isa<ParmVarDecl>(variable))
      return bound.contains(variable->getCanonicalDecl()) ? Origin::Memory : Origin::Unknown;
    return variable->getInit() ? ofLvalue(variable->getInit()) : Origin::Unknown;
  }
  return Origin::Automatic; // or a constant of the host's, which is a number in device code
}

Origin PointerOrigins::ofBinding(const BindingDecl *binding) const {
  if (!binding)
    return Origin::Unknown; // template parameters
  if (const VarDecl *held = binding->getHoldingVar())
    return ofVariable(held);
  const auto *whole = cast<VarDecl>(binding->getDecomposedDecl());
  if (binding->getBinding() && !binding->getBinding()->isTypeDependent())
    return ofLvalue(binding->getBinding());
  return whole->getType()->isReferenceType() ? Origin::Unknown : Origin::Automatic;
}

Origin PointerOrigins::ofSubscript(const Expr *base) const {
  base = base->IgnoreParenImpCasts();
  if (isArray(base) || base->getType()->isVectorType())
    return ofLvalue(base);
  return mayBePointer(base) ? ofPointer(base) : Origin::Unknown;
}

bool PointerOrigins::givesPart(const FunctionDecl *function) {
  if (!function->getReturnType()->isLValueReferenceType() || !isOfLibrary(function))
    return false;
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (!method || method->isStatic())
    return !method && function->getNumParams() == 1 && function->getIdentifier() && function->getName() == "get";
  // Other operators give the object itself, which is used where they are called.
  const OverloadedOperatorKind kind = method->getOverloadedOperator();
  return kind == OO_None || kind == OO_Subscript || kind == OO_Call;
}

bool PointerOrigins::givesReference(const CallExpr *call) {
  const auto functions = callees(call);
  return !functions.empty() && all_of(functions, [](const FunctionDecl *function) {
    return givesPart(function) || (function->getReturnType()->isLValueReferenceType() && !isOfLibrary(function));
  });
}

Origin PointerOrigins::ofPart(const CallExpr *call) const {
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const Expr *whole = member ? member->getImplicitObjectArgument() : call->getNumArgs() > 0 ? call->getArg(0) : nullptr;
  if (!whole)
    return Origin::Unknown;
  const bool isPointer = whole->getType()->isPointerType();
  if (mayLeadElsewhere(isPointer ? whole->getType()->getPointeeType() : whole->getType()))
    return Origin::Unknown;
  return isPointer ? ofPointer(whole) : ofLvalue(whole);
}

Origin PointerOrigins::ofResult(const CallExpr *call) const {
  constexpr unsigned kMaxCalls = 4; // one within the other
  SmallVector<const Expr *> results;
  const auto functions = callees(call);
  for (const FunctionDecl *function : functions) {
    if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
      function = pattern;
    const std::size_t before = results.size();
    if (const FunctionDecl *definition = nullptr; function->isDefined(definition))
      collectResults(definition->getBody(), results);
    if (results.size() == before)
      return Origin::Unknown;
  }
  if (functions.empty() || depth >= kMaxCalls)
    return Origin::Unknown;
  ++depth;
  const bool isReference = functions.front()->getReturnType()->isReferenceType();
  const bool isMemory =
      all_of(results, [&](const Expr *result) { return (isReference ? ofLvalue(result) : ofPointer(result)) == Origin::Memory; });
  --depth;
  return isMemory ? Origin::Memory : Origin::Unknown;
}

bool PointerOrigins::areInMemory(const CXXRecordDecl *record) const {
  return record && called.contains(record) && !automatic.contains(record) &&
         none_of(record->methods(), [&](const CXXMethodDecl *method) { return calledOnUnknown.contains(method->getDeclName()); });
}

Origin PointerOrigins::ofLvalue(const Expr *expression) const {
  expression = stripped(expression);
  if (const auto *call = dyn_cast<CallExpr>(expression); call && givesReference(call))
    return call->getDirectCallee() && givesPart(call->getDirectCallee()) ? ofPart(call) : ofResult(call);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const bool mayBeCopy = reference->refersToEnclosingVariableOrCapture() && reference->getDecl()->getType()->isReferenceType();
    return mayBeCopy && isa<ParmVarDecl>(reference->getDecl()) ? Origin::Unknown : ofVariable(reference->getDecl());
  }
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression))
    return ofSubscript(Subscript(subscript).base);
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    if (!isa<FieldDecl>(member->getMemberDecl()))
      return ofVariable(member->getMemberDecl());
    if (member->getType()->isReferenceType() || member->getMemberDecl()->getType()->isReferenceType())
      return Origin::Unknown;
    return member->isArrow() ? ofPointer(member->getBase()) : ofLvalue(member->getBase());
  }
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression)) {
    if (member->isImplicitAccess())
      return Origin::Unknown;
    if (const NamedDecl *declared = declaredMember(member); isa_and_nonnull<VarDecl, EnumConstantDecl>(declared))
      return isa<VarDecl>(declared) ? ofVariable(cast<VarDecl>(declared)) : Origin::Automatic;
    if (!member->isArrow())
      return ofLvalue(member->getBase());
    return mayBePointer(member->getBase()) ? ofPointer(member->getBase()) : Origin::Unknown;
  }
  if (const Operation operation(expression); operation.isUnary(OO_Star))
    return mayBePointer(operation.operands[0]) ? ofPointer(operation.operands[0]) : Origin::Unknown;
  if (const auto *operation = dyn_cast<UnaryOperator>(expression); operation && operation->isPrefix())
    return ofLvalue(operation->getSubExpr());
  if (const auto *operation = dyn_cast<BinaryOperator>(expression)) {
    if (operation->isAssignmentOp())
      return ofLvalue(operation->getLHS());
    if (operation->getOpcode() == BO_Comma)
      return ofLvalue(operation->getRHS());
    if (operation->getOpcode() == BO_PtrMemD)
      return ofLvalue(operation->getLHS());
    if (operation->getOpcode() == BO_PtrMemI)
      return isPointer(operation->getLHS()) ? ofPointer(operation->getLHS()) : Origin::Unknown;
  }
  if (const auto *part = dyn_cast<ExtVectorElementExpr>(expression))
    return part->isArrow() ? ofPointer(part->getBase()) : ofLvalue(part->getBase());
  if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
    return joined(ofLvalue(choice->getTrueExpr()), ofLvalue(choice->getFalseExpr()));
  if (isa<CXXThisExpr>(expression) || expression->isGLValue())
    return Origin::Unknown;
  return Origin::Automatic; // a temporary
}

Origin PointerOrigins::ofPointer(const Expr *expression) const {
  expression = stripped(expression);
  if (isArray(expression))
    return ofLvalue(expression);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    if (const auto *binding = dyn_cast<BindingDecl>(reference->getDecl()))
      return binding->getBinding() && !binding->getHoldingVar() ? ofPointer(binding->getBinding()) : Origin::Unknown;
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable && !tainted.contains(variable->getCanonicalDecl()) ? Origin::Memory : Origin::Unknown;
  }
  if (const Operation operation(expression); operation.isUnary(OO_Amp))
    return ofLvalue(operation.operands[0]);
  else if (operation.isStep())
    return ofPointer(operation.operands[0]);
  else if (operation.isSum())
    return ofPointer(operation.operands[!mayBePointer(operation.operands[0])]);
  if (isa<UnaryOperator>(expression))
    return Origin::Memory; // a pointer that lay in memory
  if (const auto *operation = dyn_cast<BinaryOperator>(expression))
    return ofPointer(operation->isCompoundAssignmentOp() ? operation->getLHS() : operation->getRHS()); // or =, comma
  if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
    return joined(ofPointer(choice->getTrueExpr()), ofPointer(choice->getFalseExpr()));
  if (const auto *call = dyn_cast<CallExpr>(expression)) {
    // What a function makes of pointers into automatic variables, or a method of its object, may point there again.
    if (isa<CXXMemberCallExpr, CXXOperatorCallExpr>(call) || call->isTypeDependent())
      return ofResult(call);
    return all_of(call->arguments(), [&](const Expr *argument) { return !isPointer(argument) || ofPointer(argument) == Origin::Memory; })
               ? Origin::Memory
               : Origin::Unknown;
  }
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression)) {
    if (const auto *declared = dyn_cast_or_null<VarDecl>(declaredMember(member)))
      return declared->getType()->isArrayType() ? ofVariable(declared) : Origin::Memory;
    const FieldDecl *field = memberOfTemplate(member);
    return !field ? Origin::Unknown : field->getType()->isArrayType() ? ofLvalue(member) : Origin::Memory;
  }
  if (isa<CXXThisExpr>(expression))
    return areInMemory(classOf(expression->getType()->getPointeeType())) ? Origin::Memory : Origin::Unknown;
  if (isa<clang::StringLiteral>(expression))
    return Origin::Unknown;
  return Origin::Memory; // members, elements, integers that became pointers
}

} // namespace kperf
