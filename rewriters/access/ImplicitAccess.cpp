// Finds implicit accesses in Clang's AST.
#include "rewriters/access/ImplicitAccess.h"

#include "rewriters/access/AccessSize.h"
#include "rewriters/analysis/OpenPointer.h"
#include "rewriters/analysis/Operation.h"
#include "rewriters/analysis/TemplateInstance.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace llvm;
using namespace clang;
using kperf::format::SiteKind;

namespace kperf {
namespace {

Access unseen(const Expr *expression, SiteKind kind, StringRef reason) {
  Access access;
  access.expression = expression;
  access.kind = kind;
  access.reason = reason.str();
  return access;
}

/// Past what copies an object.
const Expr *copied(const Expr *value) {
  value = value->IgnoreParenImpCasts();
  const auto *made = dyn_cast<CXXConstructExpr>(value);
  return made && made->getNumArgs() == 1 ? copied(made->getArg(0)) : value;
}

Origin ofElements(const PointerOrigins &origins, const CXXForRangeStmt *loop) {
  const Expr *range = loop->getRangeInit();
  const Expr *element = loop->getLoopVariable()->getInit();
  if (range->getType()->isArrayType())
    return origins.ofLvalue(range);
  return element && !element->isTypeDependent() ? origins.ofLvalue(copied(element)) : Origin::Unknown;
}

/// What may be captured: past what an access to a part of it is made of.
const ValueDecl *rootOf(const Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<MemberExpr>(expression); member && !member->isArrow())
    return rootOf(member->getBase());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression)) {
    const Expr *base = PointerOrigins::Subscript(element).base->IgnoreParenImpCasts();
    return mayBePointer(base) && !base->getType()->isArrayType() ? nullptr : rootOf(base);
  }
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  return reference ? reference->getDecl() : nullptr;
}

/// Why the store of a new-expression can't be counted; "" where it can.
StringRef whyNotCounted(const ASTContext &context, const CXXNewExpr *made) {
  const FunctionDecl *allocation = made->getOperatorNew();
  const Expr *value = made->getInitializer();
  if (made->getNumPlacementArgs() != 1 || (allocation && !allocation->isReservedGlobalPlacementOperator()))
    return "new has no expression of what it allocates";
  if (!allocation || made->getAllocatedType()->isDependentType())
    return "what new constructs depends on template arguments";
  if (made->isArray())
    return "new constructs an array";
  const auto *construction = dyn_cast<CXXConstructExpr>(value);
  const bool isCopy =
      construction && construction->getConstructor()->isCopyOrMoveConstructor() && construction->getConstructor()->isTrivial();
  if ((construction && !isCopy) || !made->getAllocatedType().isTriviallyCopyableType(context))
    return "a constructor stores it";
  return "";
}

bool hasField(QualType type, DeclarationName member) {
  const FieldDecl *field = fieldOf(type, member);
  return field && !field->isBitField();
}

/// Classes of the member's object in the instances of the templates around, where their arguments say it; a null one stands for what is no
/// class. Nothing where none is known; an empty list where nothing is instantiated.
std::optional<SmallVector<QualType, 4>> classesInInstances(const CXXDependentScopeMemberExpr *member, const FunctionDecl *function) {
  bool isInstantiated = false;
  if (!member->isImplicitAccess())
    for (const std::vector<TemplateInstance> &around : instancesAround(function)) {
      SmallVector<QualType, 4> out;
      for (const TemplateInstance &instance : around)
        out.push_back(instance.behind(member->getBase(), member->isArrow()));
      if (any_of(out, [](QualType type) { return !type.isNull(); }))
        return out;
      isInstantiated |= !out.empty();
    }
  return isInstantiated ? std::nullopt : std::optional(SmallVector<QualType, 4>());
}

/// Whether what stands behind so many subscripts of the field is an element of an array, or lies where a pointer leads to.
bool hasElements(const FieldDecl *field, unsigned subscripts) {
  QualType type = field ? field->getType() : QualType();
  for (; subscripts > 0 && !type.isNull(); --subscripts)
    type = type->isPointerType() ? type->getPointeeType()
           : type->isArrayType() ? type->getAsArrayTypeUnsafe()->getElementType()
                                 : QualType();
  return !type.isNull() && !type->isArrayType();
}

} // namespace

std::optional<Access> readOfElements(const PointerOrigins &origins, const CXXForRangeStmt *loop) {
  if (loop->getLoopVariable()->getType()->isReferenceType() || ofElements(origins, loop) == Origin::Automatic)
    return std::nullopt;
  return unseen(loop->getRangeInit(), SiteKind::Load, "a range-based for reads the elements");
}

std::optional<Access> readByCapture(const PointerOrigins &origins, const LambdaCapture &capture, const Expr *value) {
  if (!value || capture.getCaptureKind() != LCK_ByCopy)
    return std::nullopt;
  const ValueDecl *captured = capture.getCapturedVar();
  if ((!captured->getType()->isReferenceType() && !isa<BindingDecl>(captured)) || origins.ofVariable(captured) == Origin::Automatic)
    return std::nullopt;
  return unseen(value, SiteKind::Load, "a lambda's capture copies it");
}

bool isCapturedCopy(const Expr *expression, const FunctionDecl *function) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method || !method->getParent()->isLambda())
    return false;
  const ValueDecl *root = rootOf(expression);
  for (const LambdaCapture &capture : method->getParent()->captures())
    if (root && capture.capturesVariable() && capture.getCapturedVar() == root)
      return capture.getCaptureKind() == LCK_ByCopy;
  return false;
}

std::optional<Access> storeByNew(const ASTContext &context, const PointerOrigins &origins, const CXXNewExpr *made) {
  if (!made->hasInitializer() && !made->getConstructExpr())
    return std::nullopt;
  if (const CXXConstructExpr *built = made->getConstructExpr();
      built && built->getNumArgs() == 0 && built->getConstructor()->isTrivial() && !built->requiresZeroInitialization())
    return std::nullopt;
  const StringRef why = whyNotCounted(context, made);
  if (made->getNumPlacementArgs() == 0)
    return unseen(made, SiteKind::Store, why);
  const Expr *address = made->getPlacementArg(0)->IgnoreImpCasts();
  const Origin origin = origins.ofPointer(address);
  if (origin == Origin::Automatic)
    return std::nullopt;
  Access access = unseen(address, SiteKind::Store, why);
  access.isAddress = access.hasOwnBytes = true;
  access.bytes = bytesOf(made->getAllocatedType(), context);
  if (access.reason.empty() && origin == Origin::Unknown)
    access.reason = "it may be the address of an automatic variable";
  return access;
}

std::optional<StringRef> whyNoElement(const PointerOrigins &origins, const Expr *expression, const FunctionDecl *function) {
  unsigned subscripts = 0;
  for (; const auto *element = dyn_cast<ArraySubscriptExpr>(expression); ++subscripts)
    expression = PointerOrigins::Subscript(element).base->IgnoreParenImpCasts();
  const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression);
  if (subscripts == 0 || !member || PointerOrigins::declaredMember(member) || origins.ofLvalue(member) != Origin::Memory)
    return std::nullopt;
  const SmallVector<QualType, 4> classes = classesInInstances(member, function).value_or(SmallVector<QualType, 4>());
  const bool isElement =
      !classes.empty() && all_of(classes, [&](QualType type) { return hasElements(fieldOf(type, member->getMember()), subscripts); });
  return isElement ? "" : "its class depends on template arguments, by which it may be no element of an array";
}

StringRef whyMayLackAddress(const Expr *expression, Use use, const FunctionDecl *function) {
  const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(expression);
  if (!member || PointerOrigins::declaredMember(member))
    return "";
  const std::optional<SmallVector<QualType, 4>> classes = classesInInstances(member, function);
  const bool isWritten = use == Use::Store || use == Use::Update; // no constant, then
  const bool isField = classes && all_of(*classes, [&](QualType type) { return hasField(type, member->getMember()); });
  return isField && (isWritten || !classes->empty())
             ? ""
             : "its class is a template argument, in which it may be static or a bit-field, without an address";
}

StringRef whyNoPointer(const Expr *expression, const FunctionDecl *function) {
  const FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
  const auto *element = dyn_cast<ArraySubscriptExpr>(expression);
  const Operation operation(expression);
  const Expr *base = element ? PointerOrigins::Subscript(element).base : operation.isUnary(OO_Star) ? operation.operands[0] : nullptr;
  const auto *reference = base ? dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
  if (!pattern || !reference || !declaresOpenType(reference->getDecl()) || pattern->specializations().empty())
    return "";
  const QualType type = reference->getDecl()->getType();
  const bool isClass = all_of(pattern->specializations(), [&](const FunctionDecl *instance) {
    const QualType known =
        TemplateInstance(instance->getTemplateSpecializationArgs(), pattern->getTemplateParameters()->getDepth()).typeOf(type);
    return !known.isNull() && known->isRecordType();
  });
  return isClass ? "an object of a class in all known instances, of which the operator's own accesses are seen" : "";
}

StringRef whyNoAddress(const Expr *expression) {
  const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(expression);
  const auto *field = open ? dyn_cast_or_null<FieldDecl>(PointerOrigins::declaredMember(open)) : nullptr;
  if (expression->refersToBitField() || (field && field->isBitField()))
    return "a bit-field has no address";
  if (expression->refersToVectorElement())
    return "an element of a vector has no address";
  if (expression->getType()->isArrayType())
    return "an array is copied as a whole";
  const auto *cast = dyn_cast<ImplicitCastExpr>(expression);
  return cast && (cast->getCastKind() == CK_DerivedToBase || cast->getCastKind() == CK_UncheckedDerivedToBase)
             ? "its base class alone is accessed"
             : "";
}

} // namespace kperf
