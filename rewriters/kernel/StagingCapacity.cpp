// Counts the records that each loop's body produces.
#include "rewriters/kernel/StagingCapacity.h"

#include "rewriters/unit/StatementShape.h"

#include "clang/AST/ExprCXX.h"

using namespace llvm;
using namespace clang;

namespace kperf {

namespace {

/// Null for what is no loop.
const Stmt *loopBody(const Stmt *statement) { return isLoop(statement) ? subStatements(statement).front() : nullptr; }

class Counter {
public:
  explicit Counter(const KernelParts &parts) : parts(parts) {}

  StagingCapacity run(const Stmt *body) {
    capacity.most = recordsOf(body);
    walk(body, capacity.most);
    if (!isPossible)
      capacity.most = 0;
    return std::move(capacity);
  }

private:
  /// Whether a switch around the statement leads into it, past its beginning.
  static bool holdsForeignCase(const Stmt *statement) {
    return isa<SwitchCase>(statement) || any_of(statement->children(), [](const Stmt *child) {
             return child && !isa<Expr, SwitchStmt>(child) && holdsForeignCase(child);
           });
  }

  /// Of running the statement, without what loops below it record.
  unsigned recordsOf(const Stmt *statement) const {
    unsigned records = parts.convergentRecords.lookup(statement);
    if (!loopBody(statement))
      for (const Stmt *child : statement->children())
        if (child && !isa<LambdaExpr>(child))
          records += recordsOf(child);
    return records;
  }

  /// Looks for loops; `outside` records may follow around them.
  void walk(const Stmt *statement, unsigned outside) {
    if (const Stmt *body = loopBody(statement)) {
      if (const unsigned own = recordsOf(body)) {
        const auto *block = dyn_cast<CompoundStmt>(body);
        isPossible &= block && !holdsForeignCase(block);
        outside += own;
        capacity.loops.push_back({block, outside});
        capacity.most = std::max(capacity.most, outside);
      }
      return walk(body, outside);
    }
    for (const Stmt *child : statement->children())
      if (child && !isa<Expr>(child))
        walk(child, outside);
  }

  const KernelParts &parts;
  StagingCapacity capacity;
  bool isPossible = true;
};

} // namespace

StagingCapacity stagingCapacity(const FunctionDecl *kernel, const KernelParts &parts) { return Counter(parts).run(kernel->getBody()); }

} // namespace kperf
