// Lists the operands of each kind of Clang expression that names an object.
#include "rewriters/access/GlvalueOperands.h"

#include "rewriters/analysis/PointerOrigin.h"

using namespace clang;

namespace kperf {

bool namesObject(const Expr *expression) {
  return !expression->getType()->isArrayType() &&
         (expression->isTypeDependent() || (expression->isGLValue() && !expression->getType()->isFunctionType()));
}

llvm::SmallVector<std::pair<const Expr *, Use>, 2> operandsOf(const Expr *glvalue) {
  const Use read = readIn(glvalue);
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(glvalue)) {
    const PointerOrigins::Subscript subscript(element);
    return {{subscript.base, Use::None}, {subscript.index, read}};
  }
  if (const auto *member = dyn_cast<MemberExpr>(glvalue))
    return {{member->getBase(), member->isArrow() ? read : Use::None}};
  if (const auto *member = dyn_cast<CXXDependentScopeMemberExpr>(glvalue)) {
    if (member->isImplicitAccess())
      return {};
    return {{member->getBase(), member->isArrow() ? Use::Value : Use::None}};
  }
  if (const auto *part = dyn_cast<ExtVectorElementExpr>(glvalue))
    return {{part->getBase(), part->isArrow() ? read : Use::None}};
  if (const auto *operation = dyn_cast<UnaryOperator>(glvalue))
    return {{operation->getSubExpr(), read}};
  if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(glvalue))
    return {{operation->getArg(0), read}};
  if (const auto *operation = dyn_cast<BinaryOperator>(glvalue)) // .* and ->*
    return {{operation->getLHS(), operation->getOpcode() == BO_PtrMemI ? read : Use::None}, {operation->getRHS(), read}};
  if (const auto *cast = dyn_cast<CastExpr>(glvalue))
    return {{cast->getSubExpr(), Use::None}};
  return {};
}

} // namespace kperf
