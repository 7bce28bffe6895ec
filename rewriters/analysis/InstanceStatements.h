// Finds the statements of a template's instance in its pattern.
#ifndef KPERF_REWRITERS_INSTANCESTATEMENTS_H
#define KPERF_REWRITERS_INSTANCESTATEMENTS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <tuple>

namespace kperf {

/// Where a statement stands in the text, and of which kind it is: an instance's stand where the pattern's do. All expressions are of one
/// kind.
using Extent = std::tuple<clang::SourceLocation::UIntTy, clang::SourceLocation::UIntTy, unsigned>;
Extent extentOf(const clang::Stmt *statement);

/// Whether a statement is in another, or is that.
bool isWithin(const clang::Stmt *outer, const clang::Stmt *inner);

/// Calls `take` for the statement and those in it, whole expressions as one; `isChosen`: an `if constexpr` is around it.
void eachStatement(const clang::Stmt *statement, bool isChosen, llvm::function_ref<void(const clang::Stmt *, bool isChosen)> take);

} // namespace kperf

#endif
