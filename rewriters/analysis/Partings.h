// What a branch or a loop is like at which lanes of a warp part so that those that go on still come together (WarpUniformity.h).
#ifndef KPERF_REWRITERS_PARTINGS_H
#define KPERF_REWRITERS_PARTINGS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kperf {

/// An `if` with a condition and one branch, and nothing else.
bool isPlainBranch(const clang::IfStmt *branch);

/// A loop with a condition that neither calls anything, which may be a lock that one lane waits for and another gives back behind the loop,
/// nor reads what is volatile; and that may hold no lock.
bool isPlainLoop(const clang::Stmt *loop, const clang::ASTContext &context);
/// Whether what it does, or calls, may be to wait for what another lane of the warp does behind it, or to keep that from others until then:
/// it exchanges a number in memory for another by an atomic operation, takes a lock by its name, or reads what is volatile;
/// in inline assembly, too.
bool mayHoldLock(const clang::Stmt *statement, const clang::ASTContext &context);
/// Of such a loop.
const clang::Expr *conditionOf(const clang::Stmt *loop);

/// Whether control that enters the statement leaves it by a `return`.
bool endsInReturn(const clang::Stmt *statement);
/// Those in it, but in lambdas.
void eachReturn(const clang::Stmt *statement, llvm::function_ref<void(const clang::ReturnStmt *)> take);

/// Whether there is a loop in the statement.
bool holdsLoop(const clang::Stmt *statement);

} // namespace kperf

#endif
