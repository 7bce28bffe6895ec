// An operator and its operands, whether Clang has resolved it or leaves it open in a template.
#ifndef KPERF_REWRITERS_OPERATION_H
#define KPERF_REWRITERS_OPERATION_H

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"

namespace kperf {

/// In templates, Clang leaves also operators on pointers open as soon as anybody has overloaded them, as cuda_fp16.h does.
struct Operation {
  clang::OverloadedOperatorKind kind = clang::OO_None;
  llvm::SmallVector<const clang::Expr *, 2> operands;

  explicit Operation(const clang::Expr *expression) {
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
      kind = clang::BinaryOperator::getOverloadedOperator(binary->getOpcode());
      operands = {binary->getLHS(), binary->getRHS()};
    } else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      kind = clang::UnaryOperator::getOverloadedOperator(unary->getOpcode());
      operands = {unary->getSubExpr()};
    } else if (const auto *open = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression); open && !open->getDirectCallee()) {
      kind = open->getOperator();
      operands.append(open->arg_begin(), open->arg_end());
      if (isStep() && operands.size() == 2) // the second one tells x++ from ++x
        operands.pop_back();
    }
  }

  bool isUnary(clang::OverloadedOperatorKind asked) const { return kind == asked && operands.size() == 1; }
  bool isStep() const { return kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus; }
  bool isSum() const { return (kind == clang::OO_Plus || kind == clang::OO_Minus) && operands.size() == 2; }
};

} // namespace kperf

#endif
