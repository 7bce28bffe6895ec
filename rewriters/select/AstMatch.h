// Applies a rule's Clang AST matcher expression to one function.
#ifndef KPERF_REWRITERS_ASTMATCH_H
#define KPERF_REWRITERS_ASTMATCH_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace kperf {

/// What the expression matches in a function, in source order: statements and expressions, or the body when it matches the
/// function itself. A node bound to "region" stands for the match that it is in. The expression is known to parse.
std::vector<const clang::Stmt *> matchesIn(llvm::StringRef expression, const clang::FunctionDecl *function, const clang::Stmt *body);

} // namespace kperf

#endif
