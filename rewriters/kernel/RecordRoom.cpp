// Counts records by loop.
#include "rewriters/kernel/RecordRoom.h"

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

  RecordRooms run(const Stmt *body) {
    rooms.most = recordsOf(body);
    walk(body, rooms.most);
    if (!isPossible)
      rooms.most = 0;
    return std::move(rooms);
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
    unsigned records = parts.ownRecords.lookup(statement);
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
        rooms.loops.push_back({block, outside});
        rooms.most = std::max(rooms.most, outside);
      }
      return walk(body, outside);
    }
    for (const Stmt *child : statement->children())
      if (child && !isa<Expr>(child))
        walk(child, outside);
  }

  const KernelParts &parts;
  RecordRooms rooms;
  bool isPossible = true;
};

} // namespace

RecordRooms recordRooms(const FunctionDecl *kernel, const KernelParts &parts) { return Counter(parts).run(kernel->getBody()); }

} // namespace kperf
