// Queries about statements: what is directly below one, whether it is a loop, what its attributes apply to.
#ifndef KPERF_REWRITERS_STATEMENTSHAPE_H
#define KPERF_REWRITERS_STATEMENTSHAPE_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"

namespace kperf {

/// The statements directly below one that are statements of their own: a compound's, a loop's body, both branches.
llvm::SmallVector<const clang::Stmt *, 4> subStatements(const clang::Stmt *statement);

bool isLoop(const clang::Stmt *statement);
/// "for", "while", "do"; empty for what is no loop.
llvm::StringRef loopKeyword(const clang::Stmt *statement);
const clang::Stmt *withoutAttributes(const clang::Stmt *statement);

} // namespace kperf

#endif
