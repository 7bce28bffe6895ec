// Looks for what templates leave open in an expression.
#include "rewriters/analysis/OpenPointer.h"

#include "rewriters/analysis/Operation.h"
#include "rewriters/analysis/PointerOrigin.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace llvm;
using namespace clang;

namespace kperf {

bool declaresOpenType(const ValueDecl *variable) {
  QualType type = variable->getType();
  if (type->getAs<AutoType>()) {
    const auto *declared = dyn_cast<VarDecl>(variable);
    return declared && declared->getInit() && !openPointerName(declared->getInit()).empty();
  }
  return isa<TemplateTypeParmType, DependentNameType, DecltypeType>(type.getCanonicalType()) && type->isDependentType();
}

std::string openPointerName(const Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  if (!expression->isTypeDependent())
    return {};
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    const bool isName = variable && variable->getIdentifier() && !reference->hasQualifier();
    return isName && declaresOpenType(variable) ? variable->getName().str() : std::string();
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression)) {
    const bool isOfThis = isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) && member->isArrow() && !member->hasQualifier();
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    return isOfThis && field && field->getIdentifier() && declaresOpenType(field) ? "this->" + field->getName().str() : std::string();
  }
  const Operation operation(expression);
  if (operation.isStep())
    return openPointerName(operation.operands[0]);
  if (!operation.isSum())
    return {};
  const std::string left = openPointerName(operation.operands[0]), right = openPointerName(operation.operands[1]);
  return left.empty() || right.empty() ? left + right : left + (operation.kind == OO_Plus ? " + " : " - ") + right;
}

bool mayBePointer(const Expr *expression) { return PointerOrigins::isPointer(expression) || !openPointerName(expression).empty(); }

std::string openPointerNameOf(const Expr *lvalue) {
  lvalue = lvalue->IgnoreParenImpCasts();
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(lvalue))
    return openPointerName(PointerOrigins::Subscript(subscript).base);
  if (const Operation operation(lvalue); operation.isUnary(OO_Star))
    return openPointerName(operation.operands[0]);
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(lvalue); member && !member->isImplicitAccess())
    return member->isArrow() ? openPointerName(member->getBase()) : openPointerNameOf(member->getBase());
  return {};
}

} // namespace kperf
