// Finds the waits and signals of a source.
#include "rewriters/rewriter/SyncEvents.h"

#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementShape.h"

#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

StringRef obstacleIn(const TranslationUnit &unit, const FunctionBody &holder) {
  const clang::FunctionDecl *kernel = enclosingKernel(holder.function);
  if (mayRunAtCompileTime(holder.function))
    return "its function is constexpr and may run at compile time";
  if (isDamaged(unit, holder.body))
    return "clang can't read all of its function";
  return kernel && !hasPlaceForKernel(unit, kernel) ? "the body of its kernel is written by a macro" : "";
}

} // namespace

SyncEvents::SyncEvents(const TranslationUnit &unit, ArrayRef<RegionPlace> leftOut) {
  for (const FunctionBody &body : deviceBodies(unit))
    functions.push_back({{body, {}, {}}, selectablesOf(unit, body), obstacleIn(unit, body)});
  if (leftOut.empty())
    return;
  for (Function &function : functions)
    erase_if(function.selectables, [&](const Selectable &each) {
      return each.construct && is_contained(leftOut, regionPlace(unit, unit.expansionPlace(each.at->getBeginLoc()),
                                                                 nameOfSync(each, syncTarget(unit, each))));
    });
}

std::string nameOfSync(const Selectable &selectable, const SyncTarget &target) {
  return selectable.construct->name + (target.shown.empty() ? "" : "(" + target.shown + ")");
}

std::vector<FunctionEvents> SyncEvents::forStreams(const TranslationUnit &unit) const {
  std::vector<FunctionEvents> result;
  for (const Function &function : functions) {
    FunctionEvents events{function.holder.function, function.holder.body, {}};
    DenseSet<const Stmt *> waits;
    for (const Selectable &selectable : function.selectables) {
      if (!function.obstacle.empty() || !selectable.construct || selectable.statement->getBeginLoc().isMacroID())
        continue;
      Expected<StatementSpan> span = spanOfSync(unit, function.holder.body, selectable);
      const bool isWait = selectable.construct->isWait();
      if (!span || (isWait && !waits.insert(selectable.statement).second)) {
        consumeError(span.takeError());
        continue;
      }
      if (const SyncTarget &target = syncTarget(unit, selectable); !target.isNothing)
        events.events.push_back({selectable.at, selectable.statement, span->open.offset, span->end, isWait, target.value != "0u"});
    }
    result.push_back(std::move(events));
  }
  return result;
}

Expected<StatementSpan> spanOfSync(const TranslationUnit &unit, const Stmt *body, const Selectable &selectable) {
  const Stmt *statement = selectable.statement;
  if (!selectable.obstacle.empty())
    return createStringError(selectable.obstacle);
  if (!isWhollyWritten(unit, {statement}))
    return createStringError("a macro writes it together with other code");
  Expected<StatementSpan> span = spanOf(unit, statement);
  if (span && jumpTargetWithin(unit, body, statement->getBeginLoc(), statement->getEndLoc()))
    return createStringError("a jump passes by its begin");
  if (span && selectable.construct->isWait() && isa<clang::DeclStmt>(statement))
    return createStringError(
        "its statement declares what may be used behind it: declare that before, and assign in a statement of its own");
  return span;
}

} // namespace kperf
