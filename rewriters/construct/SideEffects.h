// Tells expressions that may be evaluated once more from those that do something.
#ifndef KPERF_REWRITERS_SIDEEFFECTS_H
#define KPERF_REWRITERS_SIDEEFFECTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kperf {

/// Whether evaluating an expression changes nothing, so far as its own words say. A call counts as a change but for those that give or
/// convert an address, of overloaded operators, and of functions that do no more than return such an expression.
bool onlyReads(const clang::Stmt *expression);

/// Whether the code may give a variable another value, by its name.
bool mayAssign(const clang::Stmt *code, const clang::ValueDecl *variable);

} // namespace kperf

#endif
