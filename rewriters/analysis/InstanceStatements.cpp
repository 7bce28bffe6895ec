// Walks the statements of a body.
#include "rewriters/analysis/InstanceStatements.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace kperf {

Extent extentOf(const Stmt *statement) {
  return {statement->getBeginLoc().getRawEncoding(), statement->getEndLoc().getRawEncoding(),
          isa<Expr>(statement) ? 0 : static_cast<unsigned>(statement->getStmtClass())};
}

bool isWithin(const Stmt *outer, const Stmt *inner) {
  return outer == inner || any_of(outer->children(), [&](const Stmt *child) { return child && isWithin(child, inner); });
}

void eachStatement(const Stmt *statement, bool isChosen, function_ref<void(const Stmt *, bool isChosen)> take) {
  take(statement, isChosen);
  if (isa<Expr, DeclStmt>(statement))
    return;
  const auto *branch = dyn_cast<IfStmt>(statement);
  for (const Stmt *child : statement->children())
    if (child)
      eachStatement(child, isChosen || (branch && branch->isConstexpr()), take);
}

} // namespace kperf
