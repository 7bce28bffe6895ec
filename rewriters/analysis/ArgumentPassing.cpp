// Whether a call may change a variable that stands among its arguments.
#include "rewriters/analysis/ArgumentPassing.h"

#include "rewriters/analysis/LaneInvariantFunction.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {
namespace {

using Candidates = SmallVector<const FunctionDecl *, 4>;

void addCandidate(const NamedDecl *declaration, Candidates &found) {
  declaration = declaration->getUnderlyingDecl();
  if (const auto *pattern = dyn_cast<FunctionTemplateDecl>(declaration))
    declaration = pattern->getTemplatedDecl();
  if (const auto *function = dyn_cast<FunctionDecl>(declaration))
    found.push_back(function);
}

/// The members of that name in the class template that a dependent type names, its specialisations included.
void addMembers(QualType type, DeclarationName name, Candidates &found) {
  const auto *specialisation = type.isNull() ? nullptr : type->getAs<TemplateSpecializationType>();
  const TemplateDecl *declared = specialisation ? specialisation->getTemplateName().getAsTemplateDecl() : nullptr;
  const auto *pattern = dyn_cast_or_null<ClassTemplateDecl>(declared);
  if (!pattern)
    return;
  const auto addFrom = [&](const CXXRecordDecl *record) {
    if (const CXXRecordDecl *definition = record->getDefinition())
      for (const NamedDecl *member : definition->lookup(name))
        addCandidate(member, found);
  };
  addFrom(pattern->getTemplatedDecl());
  for (const ClassTemplateSpecializationDecl *each : pattern->specializations())
    if (each->isExplicitSpecialization())
      addFrom(each);
}

Candidates candidatesOf(const CallExpr *call) {
  Candidates found;
  const Expr *callee = call->getCallee()->IgnoreParenImpCasts();
  if (const FunctionDecl *direct = call->getDirectCallee())
    found.push_back(direct);
  else if (const auto *lookup = dyn_cast<OverloadExpr>(callee))
    for (const NamedDecl *declaration : lookup->decls())
      addCandidate(declaration, found);
  else if (const auto *scoped = dyn_cast<DependentScopeDeclRefExpr>(callee)) {
    const NestedNameSpecifier qualifier = scoped->getQualifier();
    if (qualifier.getKind() == NestedNameSpecifier::Kind::Type)
      addMembers(QualType(qualifier.getAsType(), 0), scoped->getDeclName(), found);
  } else if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(callee)) {
    const QualType base = member->getBaseType();
    addMembers(base->isPointerType() ? base->getPointeeType() : base, member->getMember(), found);
  }
  return found;
}

bool takesByReference(const FunctionDecl *function, unsigned index) {
  if (index >= function->getNumParams())
    return function->getNumParams() > 0 && function->parameters().back()->isParameterPack() &&
           function->parameters().back()->getType().getNonPackExpansionType()->isReferenceType();
  const QualType type = function->getParamDecl(index)->getType().getNonPackExpansionType();
  return type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
}

} // namespace

bool mayTakeByReference(const CallExpr *call, unsigned index) {
  const Candidates candidates = candidatesOf(call);
  return candidates.empty() || any_of(candidates, [&](const FunctionDecl *function) {
           const auto *method = dyn_cast<CXXMethodDecl>(function);
           if (!isa<CXXOperatorCallExpr>(call) || !method || method->isStatic())
             return takesByReference(function, index);
           return index == 0 ? !method->isConst() : takesByReference(function, index - 1); // the object comes first
         });
}

bool mayKeep(const CXXConstructorDecl *constructor, unsigned index) {
  if (index >= constructor->getNumParams())
    return false;
  const QualType type = constructor->getParamDecl(index)->getType();
  if (!type->isReferenceType())
    return isa<TemplateTypeParmType>(type); // a reference where an instance says so
  return !type.getNonReferenceType().isConstQualified() && !constructor->isMoveConstructor();
}

bool mayKeep(QualType type, unsigned index) {
  const CXXRecordDecl *record = classOf(type);
  if (!record)
    return type->isDependentType() || type->isRecordType();
  return any_of(record->decls(), [&](const Decl *each) {
    const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(each->getAsFunction());
    return constructor && (constructor->isInheritingConstructor() || mayKeep(constructor, index));
  });
}

} // namespace kperf
