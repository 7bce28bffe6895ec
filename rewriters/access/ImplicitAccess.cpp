// Finds implicit accesses in Clang's AST.
#include "rewriters/access/ImplicitAccess.h"

#include "rewriters/access/AccessSize.h"
#include "rewriters/analysis/OpenPointer.h"
#include "rewriters/analysis/Operation.h"

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
    const bool mayBePointer = PointerOrigins::isPointer(base) || !openPointerName(base).empty();
    return mayBePointer && !base->getType()->isArrayType() ? nullptr : rootOf(base);
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

/// What a class declares by that name, of a template the template, where nothing has asked for the instance's own members yet; null.
const NamedDecl *declaredIn(QualType type, DeclarationName name) {
  const CXXRecordDecl *record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (record && !record->getDefinition()) {
    const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(record);
    record = instance ? instance->getSpecializedTemplate()->getTemplatedDecl() : record->getTemplateInstantiationPattern();
  }
  const CXXRecordDecl *definition = record ? record->getDefinition() : nullptr;
  const auto found = definition ? definition->lookup(name) : DeclContext::lookup_result();
  return found.empty() ? nullptr : found.front();
}

/// The field of that name; null where the type has none, which what is static is not.
const FieldDecl *fieldOf(QualType type, DeclarationName member) { return dyn_cast_or_null<FieldDecl>(declaredIn(type, member)); }

bool hasField(QualType type, DeclarationName member) {
  const FieldDecl *field = fieldOf(type, member);
  return field && !field->isBitField();
}

/// A template and what is given for its parameters where it is instantiated.
struct Instances {
  unsigned depth = 0;
  SmallVector<const TemplateArgumentList *, 4> arguments;
};

template <typename Template> Instances instancesOf(const Template *pattern) {
  Instances out{pattern->getTemplateParameters()->getDepth(), {}};
  for (const auto *instance : pattern->specializations())
    if constexpr (std::is_same_v<Template, FunctionTemplateDecl>)
      out.arguments.push_back(instance->getTemplateSpecializationArgs());
    else
      out.arguments.push_back(&instance->getTemplateArgs());
  return out;
}

/// Of the templates that a function is or stands in, from inside out.
SmallVector<Instances, 2> instancesAround(const FunctionDecl *function) {
  SmallVector<Instances, 2> out;
  for (const DeclContext *context = function; context; context = context->getParent())
    if (const auto *inner = dyn_cast<FunctionDecl>(context); inner && inner->getDescribedFunctionTemplate())
      out.push_back(instancesOf(inner->getDescribedFunctionTemplate()));
    else if (const auto *record = dyn_cast<CXXRecordDecl>(context); record && record->getDescribedClassTemplate())
      out.push_back(instancesOf(record->getDescribedClassTemplate()));
  return out;
}

/// What types and expressions that depend on a template's arguments are in one instance. Null where it is not known.
class Instance {
public:
  Instance(const TemplateArgumentList *arguments, unsigned depth) : arguments(arguments), depth(depth) {}

  /// An argument, what an argument declares, as `typename Traits::Tile`, or pointers to these.
  QualType typeOf(QualType type) const {
    if (type.isNull() || !type->isDependentType())
      return type;
    if (const auto *parameter = type->getAs<TemplateTypeParmType>()) {
      const bool isThere = parameter->getDepth() == depth && arguments && parameter->getIndex() < arguments->size();
      const TemplateArgument argument = isThere ? arguments->get(parameter->getIndex()) : TemplateArgument();
      return argument.getKind() == TemplateArgument::Type ? argument.getAsType() : QualType();
    }
    if (const auto *nested = type->getAs<DependentNameType>();
        nested && nested->getQualifier().getKind() == NestedNameSpecifier::Kind::Type) {
      const QualType outer = typeOf(QualType(nested->getQualifier().getAsType(), 0));
      const auto *declared = dyn_cast_or_null<TypeDecl>(declaredIn(outer, nested->getIdentifier()));
      return declared ? declared->getASTContext().getTypeDeclType(declared) : QualType();
    }
    return QualType();
  }

  /// What so many indirections lead to from a value of that type.
  QualType behind(QualType type, unsigned indirections) const {
    for (; indirections > 0 && !type.isNull() && !elementOf(type).isNull(); --indirections)
      type = elementOf(type);
    for (type = typeOf(type); indirections > 0 && !type.isNull(); --indirections)
      type = elementOf(type);
    return type;
  }

  /// The same of an expression: a variable, a member, an element of what these point to, or something near it.
  QualType behind(const Expr *expression, unsigned indirections) const {
    expression = expression->IgnoreParenImpCasts();
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
      return behind(PointerOrigins::Subscript(element).base, indirections + 1);
    if (const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(expression)) {
      const FieldDecl *field = open->isImplicitAccess() ? nullptr : fieldOf(behind(open->getBase(), open->isArrow()), open->getMember());
      return field ? behind(field->getType(), indirections) : QualType();
    }
    if (const Operation operation(expression); operation.isUnary(OO_Star))
      return behind(operation.operands[0], indirections + 1);
    else if (operation.isStep() || (operation.isSum() && !openPointerName(operation.operands[0]).empty()))
      return behind(operation.operands[0], indirections);
    else if (operation.isSum() && expression->isTypeDependent())
      return behind(operation.operands[!PointerOrigins::isPointer(operation.operands[0])], indirections);
    if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
      if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()); variable && variable->getType()->getAs<AutoType>())
        return variable->getInit() && variable->getType()->isDependentType() ? behind(variable->getInit(), indirections)
                                                                             : behind(variable->getType(), indirections);
    return behind(expression->getType().getNonReferenceType(), indirections);
  }

private:
  static QualType elementOf(QualType type) {
    return type->isPointerType() ? type->getPointeeType()
           : type->isArrayType() ? type->getAsArrayTypeUnsafe()->getElementType()
                                 : QualType();
  }

  const TemplateArgumentList *arguments;
  unsigned depth;
};

/// Classes of the member's object in the instances of the templates around, where their arguments say it; a null one stands for what is no
/// class. Nothing where none is known; an empty list where nothing is instantiated.
std::optional<SmallVector<QualType, 4>> classesInInstances(const CXXDependentScopeMemberExpr *member, const FunctionDecl *function) {
  bool isInstantiated = false;
  if (!member->isImplicitAccess())
    for (const Instances &around : instancesAround(function)) {
      SmallVector<QualType, 4> out;
      for (const TemplateArgumentList *arguments : around.arguments)
        out.push_back(Instance(arguments, around.depth).behind(member->getBase(), member->isArrow()));
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
    const QualType known = Instance(instance->getTemplateSpecializationArgs(), pattern->getTemplateParameters()->getDepth()).typeOf(type);
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
