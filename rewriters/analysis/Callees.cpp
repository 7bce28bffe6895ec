// Looks functions up by name where Clang leaves a call open.
#include "rewriters/analysis/Callees.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

using Functions = SmallVector<const FunctionDecl *, 4>;

/// Functions of a name in a class; none when a base class could have more.
Functions membersNamed(const CXXRecordDecl *record, DeclarationName name) {
  Functions found;
  if (!record || record->getNumBases() > 0)
    return found;
  for (const NamedDecl *declaration : record->lookup(name))
    if (const auto *function = declaration->getAsFunction())
      found.push_back(function);
    else
      return {};
  return found;
}

} // namespace

StringRef calledName(const CallExpr *call) {
  if (const FunctionDecl *callee = call->getDirectCallee())
    return callee->getIdentifier() ? callee->getName() : StringRef();
  if (const auto *lookup = dyn_cast<OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
    if (const IdentifierInfo *name = lookup->getName().getAsIdentifierInfo())
      return name->getName();
  return {};
}

const LambdaExpr *lambdaIn(const ValueDecl *declaration) {
  const auto *variable = dyn_cast_or_null<VarDecl>(declaration);
  const Expr *value = variable ? variable->getInit() : nullptr;
  return value ? dyn_cast<LambdaExpr>(value->IgnoreUnlessSpelledInSource()) : nullptr;
}

const CXXRecordDecl *classOf(QualType type) {
  type = type.getNonReferenceType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (const auto *specialization = type->getAs<TemplateSpecializationType>(); specialization && !record)
    if (auto *pattern = dyn_cast_or_null<ClassTemplateDecl>(specialization->getTemplateName().getAsTemplateDecl()))
      record = pattern->getTemplatedDecl();
  return !record || type->isPointerType() ? nullptr : patternOf(record);
}

const CXXRecordDecl *patternOf(const CXXRecordDecl *record) {
  const CXXRecordDecl *pattern = record->getTemplateInstantiationPattern();
  return (pattern ? pattern : record)->getDefinition();
}

Functions callees(const CallExpr *call) {
  if (const FunctionDecl *callee = call->getDirectCallee())
    return {callee};
  const Expr *called = call->getCallee()->IgnoreParenImpCasts();
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(called))
    return membersNamed(classOf(member->getBaseType()), member->getMember());
  if (const auto *member = dyn_cast<DependentScopeDeclRefExpr>(called)) {
    const NestedNameSpecifier qualifier = member->getQualifier();
    if (qualifier.getKind() == NestedNameSpecifier::Kind::Type)
      return membersNamed(classOf(QualType(qualifier.getAsType(), 0)), member->getDeclName());
  }
  Functions found;
  const auto *lookup = dyn_cast<OverloadExpr>(called);
  if (!lookup) // an object that is called
    return called->getType().isNull() ? found : callOperatorsOf(called->getType());
  for (const NamedDecl *declaration : lookup->decls())
    if (const FunctionDecl *function = declaration->getUnderlyingDecl()->getAsFunction())
      found.push_back(function);
    else
      return {};
  return found;
}

Functions callOperatorsOf(QualType type) {
  const CXXRecordDecl *record = classOf(type);
  return record ? membersNamed(record, record->getASTContext().DeclarationNames.getCXXOperatorName(OO_Call)) : Functions();
}

} // namespace kperf
