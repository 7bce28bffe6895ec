// Follows each begin to the jumps behind it, and each jump to the function's exits.
#include "rewriters/region/OpenJumps.h"

#include "rewriters/unit/StatementShape.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

/// Empty for what is no jump.
StringRef jumpKeyword(const Stmt *statement) {
  switch (statement->getStmtClass()) {
  case Stmt::BreakStmtClass:
    return "break";
  case Stmt::ContinueStmtClass:
    return "continue";
  case Stmt::GotoStmtClass:
    return "goto";
  case Stmt::ReturnStmtClass:
    return "return";
  default:
    return "";
  }
}

void addJumps(const Stmt *statement, SmallVectorImpl<const Stmt *> &jumps) {
  if (!jumpKeyword(statement).empty())
    jumps.push_back(statement);
  else
    for (const Stmt *child : subStatements(statement))
      addJumps(child, jumps);
}

/// Those behind a begin that only what its block runs can come to.
SmallVector<const Stmt *, 8> jumpsBehind(const MarkerSite &begin) {
  SmallVector<const Stmt *, 8> jumps;
  const Stmt *child = begin.statement;
  for (const Stmt *parent : reverse(begin.parents)) {
    if (const auto *block = dyn_cast<clang::CompoundStmt>(parent)) {
      for (const Stmt *next : make_range(find(block->body(), child) + 1, block->body_end()))
        addJumps(next, jumps);
      return jumps;
    }
    if (!isa<clang::SwitchCase, clang::LabelStmt>(parent))
      return jumps; // the begin is all that a branch or a loop has
    child = parent;
  }
  return jumps;
}

enum class Fate { Ended, EndedLate, LeftOpen };

class JumpFollower {
public:
  JumpFollower(const FollowedRanges &ranges, unsigned range) : ranges(ranges), range(range) {}

  /// What becomes of a begin's entry at each jump.
  std::vector<std::pair<const Stmt *, Fate>> fatesOf(const MarkerSite &begin) const {
    std::vector<std::pair<const Stmt *, Fate>> fates;
    const SmallVector<const Stmt *, 8> jumps = jumpsBehind(begin);
    if (jumps.empty() || !ranges.flow.beforeStep.contains(begin.statement)) // which nothing reaches
      return fates;
    const RangeFlow fromBegin = followFrom(begin.statement);
    for (const Stmt *jump : jumps)
      if (const OpenCounts *counts = countsAt(fromBegin, jump); counts && (*counts)[range].least > 0)
        fates.emplace_back(jump, fateOf(jump));
    return fates;
  }

private:
  RangeFlow followFrom(const Stmt *start) const { return followRangeFrom(start, range, ranges.body, ranges.steps, ranges.count); }

  static const OpenCounts *countsAt(const RangeFlow &flow, const Stmt *jump) {
    if (const auto *exit = dyn_cast<clang::ReturnStmt>(jump)) {
      const auto entry = flow.atReturn.find(exit);
      return entry == flow.atReturn.end() ? nullptr : &entry->second;
    }
    const auto entry = flow.atJump.find(jump);
    return entry == flow.atJump.end() ? nullptr : &entry->second;
  }

  Fate fateOf(const Stmt *jump) const {
    const RangeFlow flow = followFrom(jump);
    bool isLeft = false, isEndedAtExits = true;
    const auto addExit = [&](const OpenCounts &counts, const OpenCounts &onAllPaths) {
      isLeft = true;
      isEndedAtExits &= onAllPaths[range].least > 0;
      return counts[range].least > 0;
    };
    for (const auto &[exit, counts] : flow.atReturn)
      if (!addExit(counts, ranges.flow.atReturn.find(exit)->second))
        return Fate::Ended;
    if (flow.atEnd && !addExit(*flow.atEnd, *ranges.flow.atEnd))
      return Fate::Ended;
    if (isLeft && !isEndedAtExits)
      return Fate::LeftOpen;
    return isLeft && flow.hasWork && !isa<clang::ReturnStmt>(jump) ? Fate::EndedLate : Fate::Ended;
  }

  const FollowedRanges &ranges;
  unsigned range;
};

void report(const TranslationUnit &unit, const MarkerSite &begin, const MarkerSite &end, const Stmt *jump, Fate fate) {
  const bool isOwn = begin.annotation.importedAs.empty();
  unit.reporter.warning(jump->getBeginLoc(),
                        "this '" + jumpKeyword(jump) + "' leaves " + textOf(begin.annotation) + " open" +
                            (fate == Fate::LeftOpen ? ", and nothing on its way ends it" : " until the function is left") + ": put " +
                            textOf(end.annotation) + " before it" + (isOwn ? ", or use KPERF_SCOPE, which ends with its block" : ""));
  unit.reporter.note(begin.annotation.token, "begun here");
}

} // namespace

void reportOpenJumps(const TranslationUnit &unit, ArrayRef<const MarkerSite *> begins, ArrayRef<const MarkerSite *> ends,
                     const FollowedRanges &ranges, unsigned range) {
  const JumpFollower follower(ranges, range);
  for (const MarkerSite *begin : begins)
    for (const auto &[jump, fate] : follower.fatesOf(*begin))
      if (fate != Fate::Ended)
        report(unit, *begin, *ends.front(), jump, fate);
}

} // namespace kperf
