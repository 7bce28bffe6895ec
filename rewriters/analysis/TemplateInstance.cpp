// Looks up what template arguments are, and what follows from them.
#include "rewriters/analysis/TemplateInstance.h"

#include "rewriters/analysis/OpenPointer.h"
#include "rewriters/analysis/Operation.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

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

QualType elementOf(QualType type) {
  return type->isPointerType() ? type->getPointeeType() : type->isArrayType() ? type->getAsArrayTypeUnsafe()->getElementType() : QualType();
}

std::vector<TemplateInstance> instancesOf(const FunctionTemplateDecl *pattern) {
  std::vector<TemplateInstance> out;
  for (const FunctionDecl *instance : pattern->specializations())
    out.emplace_back(instance->getTemplateSpecializationArgs(), pattern->getTemplateParameters()->getDepth());
  return out;
}

std::vector<TemplateInstance> instancesOf(const ClassTemplateDecl *pattern) {
  std::vector<TemplateInstance> out;
  for (const ClassTemplateSpecializationDecl *instance : pattern->specializations())
    out.emplace_back(&instance->getTemplateArgs(), pattern->getTemplateParameters()->getDepth());
  return out;
}

} // namespace

const FieldDecl *fieldOf(QualType type, DeclarationName member) { return dyn_cast_or_null<FieldDecl>(declaredIn(type, member)); }

std::vector<std::vector<TemplateInstance>> instancesAround(const FunctionDecl *function) {
  std::vector<std::vector<TemplateInstance>> out;
  for (const DeclContext *context = function; context; context = context->getParent())
    if (const auto *inner = dyn_cast<FunctionDecl>(context); inner && inner->getDescribedFunctionTemplate())
      out.push_back(instancesOf(inner->getDescribedFunctionTemplate()));
    else if (const auto *record = dyn_cast<CXXRecordDecl>(context); record && record->getDescribedClassTemplate())
      out.push_back(instancesOf(record->getDescribedClassTemplate()));
  return out;
}

QualType TemplateInstance::typeOf(QualType type) const {
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

QualType TemplateInstance::behind(QualType type, unsigned indirections) const {
  for (; indirections > 0 && !type.isNull() && !elementOf(type).isNull(); --indirections)
    type = elementOf(type);
  for (type = typeOf(type); indirections > 0 && !type.isNull(); --indirections)
    type = elementOf(type);
  return type;
}

QualType TemplateInstance::behind(const Expr *expression, unsigned indirections) const {
  expression = expression->IgnoreParenImpCasts();
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression))
    return behind(PointerOrigins::Subscript(element).base, indirections + 1);
  if (const auto *open = dyn_cast<CXXDependentScopeMemberExpr>(expression)) {
    const FieldDecl *field = open->isImplicitAccess() ? nullptr : fieldOf(behind(open->getBase(), open->isArrow()), open->getMember());
    return field ? behind(field->getType(), indirections) : QualType();
  }
  const Operation operation(expression);
  if (operation.isUnary(OO_Star))
    return behind(operation.operands[0], indirections + 1);
  if (operation.isStep())
    return behind(operation.operands[0], indirections);
  if (operation.isSum() && expression->isTypeDependent())
    return behind(operation.operands[!mayBePointer(operation.operands[0])], indirections);
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        variable && variable->getInit() && variable->getType()->isDependentType() && variable->getType()->getAs<AutoType>())
      return behind(variable->getInit(), indirections);
  return behind(expression->getType().getNonReferenceType(), indirections);
}

} // namespace kperf
