// Descends to the block whose statements are on the lines.
#include "rewriters/select/LineRun.h"

#include "rewriters/select/Selectable.h"
#include "rewriters/unit/AnnotatedFunction.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

static NumberRange linesOf(const TranslationUnit &unit, const Stmt *statement) {
  return {unit.lineOf(unit.expansionPlace(statement->getBeginLoc())), unit.lineOf(unit.expansionEnd(statement->getEndLoc()))};
}

static StringRef nounFor(const Stmt *statement) {
  statement = withoutAttributes(statement);
  if (StringRef keyword = loopKeyword(statement); !keyword.empty())
    return keyword;
  return isa<clang::IfStmt>(statement)         ? "if"
         : isa<clang::SwitchStmt>(statement)   ? "switch"
         : isa<clang::CompoundStmt>(statement) ? "block"
         : isa<clang::DeclStmt>(statement)     ? "declaration"
                                               : "statement";
}

Expected<LineRun> statementsOnLines(const TranslationUnit &unit, const Stmt *parent, NumberRange lines) {
  std::string range = std::to_string(lines.first) + "-" + std::to_string(lines.last);
  LineRun run;
  const Stmt *cut = nullptr;
  unsigned touched = 0;
  for (const Stmt *child : subStatements(withoutAttributes(parent))) {
    while (isa<clang::SwitchCase, clang::LabelStmt>(child))
      child = subStatements(child).front();
    NumberRange covered = linesOf(unit, child);
    if (covered.last < lines.first || covered.first > lines.last)
      continue;
    ++touched;
    if (covered.first < lines.first || covered.last > lines.last) {
      cut = cut ? cut : child;
      continue;
    }
    run.push_back(child);
  }
  if (!touched)
    return createStringError("there is no statement on lines " + range);
  if (!cut && (run.size() == 1 || isa<clang::CompoundStmt>(parent)))
    return run;
  if (!cut) // both arms of an if
    return createStringError("lines " + range + " hold more than one arm of a branch: select all of it, or one arm");
  NumberRange covered = linesOf(unit, cut);
  const bool isAround = covered.first <= lines.first && covered.last >= lines.last;
  if (touched == 1 && isAround && !subStatements(withoutAttributes(cut)).empty() && covered.first < lines.first)
    return statementsOnLines(unit, cut, lines);
  return createStringError("lines " + range + " cut the " + nounFor(cut) + " on lines " + Twine(covered.first) + "-" + Twine(covered.last) +
                           ": select all of it, or lines inside of it");
}

} // namespace kperf
