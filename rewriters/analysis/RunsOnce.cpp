// Collects the expressions that are in no loop.
#include "rewriters/analysis/RunsOnce.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace llvm;

namespace kperf {
namespace {

/// Collects the statements outside of loops; false where a jump is among them or in a loop, which it may leave for a place before it.
bool collect(const clang::Stmt *statement, bool isInLoop, DenseSet<const clang::Stmt *> &found) {
  if (!statement || isa<clang::LambdaExpr>(statement))
    return true;
  if (isa<clang::GotoStmt, clang::IndirectGotoStmt>(statement))
    return false;
  isInLoop |= isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
  if (!isInLoop)
    found.insert(statement);
  return all_of(statement->children(), [&](const clang::Stmt *child) { return collect(child, isInLoop, found); });
}

} // namespace

RunsOnce::RunsOnce(const clang::Stmt *body) {
  if (!collect(body, /*isInLoop=*/false, statements))
    statements.clear();
}

} // namespace kperf
