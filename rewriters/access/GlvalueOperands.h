// The operands of an expression that names an object (a subscript, a member, a dereference), and how each is used.
#ifndef KPERF_REWRITERS_GLVALUEOPERANDS_H
#define KPERF_REWRITERS_GLVALUEOPERANDS_H

#include "rewriters/access/Use.h"

#include "llvm/ADT/SmallVector.h"

#include <utility>

namespace kperf {

/// Whether the expression names an object that is read where its value is used; in templates, whether it may.
bool namesObject(const clang::Expr *expression);

/// The operands of a subscript, a member access, a dereference, a pointer to member or a cast, and what is done with each to
/// find the object.
llvm::SmallVector<std::pair<const clang::Expr *, Use>, 2> operandsOf(const clang::Expr *glvalue);

} // namespace kperf

#endif
