// Collects the expressions that are in no loop.
#include "rewriters/analysis/RunsOnce.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace llvm;

namespace kperf {
namespace {

/// Collects the statements; false where a jump is among them.
bool collect(const clang::Stmt *statement, DenseSet<const clang::Stmt *> &found) {
  if (!statement || isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::LambdaExpr>(statement))
    return true;
  if (isa<clang::GotoStmt, clang::IndirectGotoStmt>(statement))
    return false;
  found.insert(statement);
  return all_of(statement->children(), [&](const clang::Stmt *child) { return collect(child, found); });
}

} // namespace

RunsOnce::RunsOnce(const clang::Stmt *body) {
  if (!collect(body, statements))
    statements.clear();
}

} // namespace kperf
