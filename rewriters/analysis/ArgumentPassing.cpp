// Tells whether a call may change a variable that is among its arguments.
#include "rewriters/analysis/ArgumentPassing.h"

#include "rewriters/analysis/Callees.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// Whether a function's code only reads its object, or a parameter.
class UseReader {
public:
  /// `parameter`: null for the object.
  UseReader(Instantiator *instantiator, const ParmVarDecl *parameter) : instantiator(instantiator), parameter(parameter) {}

  bool leavesAlone(const Stmt *statement) {
    if (!statement || isRead(statement))
      return true;
    if (isUsed(statement))
      return false;
    const auto *call = dyn_cast<CXXMemberCallExpr>(statement);
    if (!parameter && call && call->getMethodDecl() && isPart(call->getCallee()))
      return leavesObject(call->getMethodDecl()) && all_of(call->arguments(), [&](const Expr *each) { return leavesAlone(each); });
    return all_of(statement->children(), [&](const Stmt *child) { return leavesAlone(child); });
  }

  bool leavesObject(const CXXMethodDecl *method) {
    if (method->isConst() || method->isStatic())
      return true;
    const FunctionDecl *definition = method->isVirtual() ? nullptr : definitionOf(method, instantiator);
    if (!definition || isa<CXXConstructorDecl, CXXDestructorDecl>(definition))
      return false;
    return !seen.insert(definition->getCanonicalDecl()).second || leavesAlone(definition->getBody());
  }

  /// Null for templates of which nobody makes instances.
  static const FunctionDecl *definitionOf(const FunctionDecl *function, Instantiator *instantiator) {
    const FunctionDecl *definition = nullptr;
    if (instantiator)
      return instantiator->define(function);
    return function->isDefined(definition) && definition->getBody() && !definition->isDependentContext() ? definition : nullptr;
  }

private:
  bool isUsed(const Stmt *statement) const {
    const auto *reference = dyn_cast<DeclRefExpr>(statement);
    return parameter ? reference && reference->getDecl() == parameter : isa<CXXThisExpr>(statement);
  }

  /// Whether it is the value of what is read, or of a part of that.
  bool isRead(const Stmt *statement) const {
    const auto *cast = dyn_cast<ImplicitCastExpr>(statement);
    return cast && cast->getCastKind() == CK_LValueToRValue && (isPart(cast->getSubExpr()) || isParameter(cast->getSubExpr()));
  }

  bool isParameter(const Expr *expression) const { return parameter && isUsed(expression->IgnoreParens()); }

  bool isPart(const Expr *expression) const {
    const auto *member = dyn_cast<MemberExpr>(expression->IgnoreParens());
    if (!member)
      return false;
    if (member->isArrow())
      return !parameter && isUsed(member->getBase()->IgnoreParenImpCasts());
    return isParameter(member->getBase()) || isPart(member->getBase());
  }

  Instantiator *instantiator;
  const ParmVarDecl *parameter;
  SmallPtrSet<const FunctionDecl *, 8> seen;
};

bool mayChangeParameter(const FunctionDecl *function, unsigned index, Instantiator *instantiator) {
  if (function->getNumParams() == 0)
    return false;
  const bool isOfPack = function->parameters().back()->isParameterPack() && index + 1 >= function->getNumParams();
  if (index >= function->getNumParams() && !isOfPack)
    return false;
  const ParmVarDecl *parameter = isOfPack ? function->parameters().back() : function->getParamDecl(index);
  const QualType type = parameter->getType().getNonPackExpansionType();
  if (!type->isReferenceType() || type.getNonReferenceType().isConstQualified())
    return false;
  const FunctionDecl *pattern = nullptr;
  if (function->isDefined(pattern) && pattern->getNumParams() == function->getNumParams() &&
      !pattern->getParamDecl(parameter->getFunctionScopeIndex())->getIdentifier())
    return false; // nothing can be done with what has no name
  const FunctionDecl *definition = UseReader::definitionOf(function, instantiator);
  if (!definition || isOfPack || isa<CXXConstructorDecl>(definition))
    return true;
  return !UseReader(instantiator, definition->getParamDecl(index)).leavesAlone(definition->getBody());
}

} // namespace

bool mayChangeObject(const FunctionDecl *function, Instantiator *instantiator) {
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  return !method || !UseReader(instantiator, nullptr).leavesObject(method);
}

bool mayChangeArgument(const CallExpr *call, unsigned index, Instantiator *instantiator) {
  const Candidates candidates = candidatesOf(call);
  return candidates.empty() || any_of(candidates, [&](const FunctionDecl *function) {
           const auto *method = dyn_cast<CXXMethodDecl>(function);
           const bool isObjectFirst = isa<CXXOperatorCallExpr>(call) && method && !method->isStatic();
           if (isObjectFirst && index == 0)
             return mayChangeObject(function, instantiator);
           return mayChangeParameter(function, index - isObjectFirst, instantiator);
         });
}

bool mayKeep(const CXXConstructorDecl *constructor, unsigned index) {
  if (index >= constructor->getNumParams())
    return false;
  const QualType type = constructor->getParamDecl(index)->getType();
  if (!type->isReferenceType())
    return type->isDependentType() && !type->isPointerType() && !classOf(type); // a reference where an instance says so
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
