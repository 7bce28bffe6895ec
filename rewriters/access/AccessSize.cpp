// Computes access sizes from types in Clang's AST.
#include "rewriters/access/AccessSize.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kperf {
namespace {

/// Whether nobody can tell how often the expression is evaluated: no side effects, and classes that do nothing but hold
/// a number (cuda::aligned_size_t).
bool mayBeRepeated(const Expr *expression, const ASTContext &context) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression))
    return mayBeRepeated(cast->getSubExpr(), context);
  auto mayRepeat = [&](const Expr *each) { return mayBeRepeated(each, context); };
  if (const auto *made = dyn_cast<CXXConstructExpr>(expression))
    return made->getConstructor()->isConstexpr() && llvm::all_of(made->arguments(), mayRepeat);
  if (const auto *made = dyn_cast<CXXUnresolvedConstructExpr>(expression)) // in a template
    return llvm::all_of(made->arguments(), mayRepeat);
  if (const auto *operation = dyn_cast<BinaryOperator>(expression); operation && !operation->isAssignmentOp())
    return mayRepeat(operation->getLHS()) && mayRepeat(operation->getRHS());
  return isa<DependentScopeDeclRefExpr>(expression) || !expression->HasSideEffects(context);
}

} // namespace

unsigned bytesOf(QualType type, const ASTContext &context) {
  if (type.isNull() || type->isDependentType() || type->isIncompleteType())
    return 0;
  return static_cast<unsigned>(context.getTypeSizeInChars(type).getQuantity());
}

void checkOperands(Access &access, const ASTContext &context) {
  if (!access.reason.empty())
    return;
  if (access.condition && !mayBeRepeated(access.condition, context))
    access.reason = "a probe would evaluate its condition a second time";
  if (!access.size)
    return;
  Expr::EvalResult value;
  if (access.isBulk && !mayBeRepeated(access.size, context)) {
    access.reason = "a probe would evaluate its size a second time";
  } else if (!access.isBulk && !access.size->isValueDependent()) {
    if (access.size->EvaluateAsInt(value, context) && value.Val.getInt() != 0)
      access.bytes = static_cast<unsigned>(value.Val.getInt().getZExtValue());
    else
      access.reason = "its size is no constant";
    access.size = nullptr;
  }
}

void setBytes(Access &access, const Expr *bytes, const ASTContext &context) {
  const QualType type = access.expression->getType();
  if (!bytes) {
    const clang::ArrayType *array = type.isNull() ? nullptr : context.getAsArrayType(type);
    access.bytes = bytesOf(array ? array->getElementType() : type.isNull() ? type : type->getPointeeType(), context);
    return;
  }
  Expr::EvalResult value;
  access.hasOwnBytes = true;
  if (!bytes->isValueDependent() && bytes->EvaluateAsInt(value, context))
    access.bytes = static_cast<unsigned>(value.Val.getInt().getZExtValue());
  if (!access.reason.empty())
    return;
  if (access.isBulk) {
    access.size = bytes;
    checkOperands(access, context);
  } else if (access.bytes == 0) {
    access.reason = "the number of bytes depends on template arguments";
  }
}

} // namespace kperf
