// How an expression uses the object that it names: it reads it, writes it, both, or neither.
#ifndef KPERF_REWRITERS_ACCESS_USE_H
#define KPERF_REWRITERS_ACCESS_USE_H

#include <kperf/format.h>

#include "clang/AST/ExprCXX.h"

namespace kperf {

enum class Use {
  None,  ///< nothing that touches memory: bound to a reference, its address taken, discarded
  Value, ///< read, if it is a glvalue that no conversion reads: templates leave conversions to their instances
  Load,
  Store,
  Update,
};

inline format::SiteKind kindOf(Use use) {
  return use == Use::Store ? format::SiteKind::Store : use == Use::Update ? format::SiteKind::Update : format::SiteKind::Load;
}

/// Where templates leave conversions out, an operand that is to be read stands there as it is.
inline Use readIn(const clang::Expr *parent) { return parent->isInstantiationDependent() ? Use::Value : Use::None; }

/// Whether what the function's return statements give is read there, and not bound to a reference.
inline bool returnsValue(const clang::FunctionDecl *function) {
  const clang::QualType type = function->getReturnType();
  return !type->isReferenceType() && !type->isDecltypeType() &&
         !(type->getContainedAutoType() && type->getContainedAutoType()->isDecltypeAuto());
}

/// What an operator of a library class does with its object. Some give a part of it, which is used elsewhere.
inline Use useOfObject(const clang::CXXOperatorCallExpr *operation) {
  const clang::OverloadedOperatorKind kind = operation->getOperator();
  if (kind == clang::OO_Subscript || kind == clang::OO_Call || kind == clang::OO_Arrow || kind == clang::OO_Star)
    return Use::None;
  return operation->isAssignmentOp() || kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus ? Use::Update : Use::Load;
}

} // namespace kperf

#endif
