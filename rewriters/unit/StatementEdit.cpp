// Finds statements' source ranges, and the jumps into them.
#include "rewriters/unit/StatementEdit.h"

#include "rewriters/unit/AnnotatedFunction.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

#include <vector>

using namespace llvm;
using clang::SourceLocation;
using clang::Stmt;

namespace kperf {

/// Where the statement's tokens stand: spelled if that can be edited, else the use of the macro that holds it all.
static std::pair<Place, Place> endsOf(const TranslationUnit &unit, const Stmt *statement) {
  std::optional<Place> begin = unit.editablePlace(statement->getBeginLoc());
  std::optional<Place> end = unit.editablePlace(statement->getEndLoc());
  if (begin && end && begin->file == end->file && begin->offset <= end->offset)
    return {*begin, *end};
  return {unit.expansionPlace(statement->getBeginLoc()), unit.expansionEnd(statement->getEndLoc())};
}

/// A loop's `unroll` pragma as an operator says it; empty for any other.
static std::string unrollPragma(const clang::AttributedStmt *statement) {
  for (const clang::Attr *attribute : statement->getAttrs())
    if (const auto *hint = dyn_cast<clang::LoopHintAttr>(attribute)) {
      const auto *count = dyn_cast_or_null<clang::IntegerLiteral>(hint->getValue());
      if (hint->getOption() == clang::LoopHintAttr::UnrollCount && count)
        return ("_Pragma(\"unroll " + Twine(count->getValue().getZExtValue()) + "\")").str();
      if (hint->getOption() == clang::LoopHintAttr::Unroll && hint->getState() == clang::LoopHintAttr::Enable)
        return "_Pragma(\"unroll\")";
    }
  return {};
}

/// In front of a statement. A macro that stands for a loop's pragma stays first on its line: CUTLASS's is a plain `#pragma unroll`
/// for nvcc.
static OpenPoint openPointOf(const TranslationUnit &unit, const Stmt *statement, Place begin) {
  const TokenLayout &layout = unit.layoutOf(begin.file);
  OpenPoint usual = layout.before(begin.offset);
  const auto *attributed = dyn_cast<clang::AttributedStmt>(statement);
  const StringRef text = unit.sources.getBufferData(begin.file);
  const StringRef line = text.take_front(begin.offset).rsplit('\n').second;
  if (!attributed || !attributed->getBeginLoc().isMacroID() || usual.offset != begin.offset || !line.trim().empty())
    return usual;
  const std::optional<unsigned> previous = layout.previousToken(begin.offset);
  if (previous && layout.inSameBranch(*previous, begin.offset))
    return {static_cast<unsigned>(*previous + layout.tokenText(*previous).size()), " ", {}};
  // Nothing but a directive's own line is left: say the pragma itself, and turn the macro into a comment.
  const StringRef rest = text.drop_front(begin.offset + layout.tokenText(begin.offset).size()).split('\n').first.trim();
  const std::string pragma = unrollPragma(attributed);
  if (!pragma.empty() && (rest.empty() || rest.starts_with("//")))
    usual.suffix = pragma + " //";
  return usual;
}

Expected<StatementSpan> spanOf(const TranslationUnit &unit, const Stmt *statement) {
  auto [begin, end] = endsOf(unit, statement);
  // A loop with #pragma unroll begins at the pragma.
  while (isa<clang::AttributedStmt>(statement) && unit.layoutOf(begin.file).directiveAt(begin.offset)) {
    statement = cast<clang::AttributedStmt>(statement)->getSubStmt();
    begin = endsOf(unit, statement).first;
  }
  if (begin.file != end.file)
    return createStringError("the statement begins and ends in different files");
  const TokenLayout &layout = unit.layoutOf(begin.file);
  if (layout.directiveAt(begin.offset))
    return createStringError("the statement is part of a macro's definition");
  if (!layout.inSameBranch(begin.offset, end.offset))
    return createStringError("the statement begins and ends in different branches of an #if: put braces around all of it");
  return StatementSpan{begin.file, openPointOf(unit, statement, begin), layout.after(end.offset)};
}

Expected<StatementSpan> spanOf(const TranslationUnit &unit, ArrayRef<const Stmt *> run) {
  Expected<StatementSpan> first = spanOf(unit, run.front());
  if (!first || run.size() == 1)
    return first;
  Expected<StatementSpan> last = spanOf(unit, run.back());
  if (!last)
    return last;
  if (first->file != last->file || !unit.layoutOf(first->file).inSameBranch(first->open.offset, last->end - 1))
    return createStringError("the statements begin and end in different files or branches of an #if");
  first->end = last->end;
  return first;
}

std::optional<ExpressionSpan> spanOfExpression(const TranslationUnit &unit, const Stmt *expression) {
  const std::optional<Place> begin = unit.editablePlace(expression->getBeginLoc()), last = unit.editablePlace(expression->getEndLoc());
  if (!begin || !last || begin->file != last->file || begin->offset > last->offset || unit.isInDirective(*begin))
    return std::nullopt;
  const TokenLayout &layout = unit.layoutOf(begin->file);
  if (!layout.inSameBranch(begin->offset, last->offset))
    return std::nullopt;
  return ExpressionSpan{begin->file, begin->offset, last->offset + static_cast<unsigned>(layout.tokenText(last->offset).size())};
}

bool isWhollyWritten(const TranslationUnit &unit, ArrayRef<const Stmt *> run) {
  const clang::LangOptions &options = unit.context.getLangOpts();
  SourceLocation begin = run.front()->getBeginLoc(), end = run.back()->getEndLoc();
  bool isBeginWhole = unit.editablePlace(begin) || clang::Lexer::isAtStartOfMacroExpansion(begin, unit.sources, options);
  bool isEndWhole = unit.editablePlace(end) || clang::Lexer::isAtEndOfMacroExpansion(end, unit.sources, options);
  return isBeginWhole && isEndWhole;
}

namespace {

const Stmt *exitBelow(const Stmt *statement, bool inLoop, bool inSwitch) {
  if (isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt>(statement) || (isa<clang::ContinueStmt>(statement) && !inLoop) ||
      (isa<clang::BreakStmt>(statement) && !inLoop && !inSwitch))
    return statement;
  if (isa<clang::Expr>(statement))
    return nullptr;
  inLoop |= isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement);
  inSwitch |= isa<clang::SwitchStmt>(statement);
  for (const Stmt *child : statement->children())
    if (const Stmt *found = child ? exitBelow(child, inLoop, inSwitch) : nullptr)
      return found;
  return nullptr;
}

} // namespace

const Stmt *exitWithin(ArrayRef<const Stmt *> run) {
  for (const Stmt *statement : run)
    if (const Stmt *exit = exitBelow(statement, false, false))
      return exit;
  return nullptr;
}

bool needsBraces(ArrayRef<const Stmt *> parents) {
  while (!parents.empty() && isa<clang::SwitchCase, clang::LabelStmt>(parents.back()))
    parents = parents.drop_back();
  return parents.empty() || !isa<clang::CompoundStmt>(parents.back());
}

const clang::CompoundStmt *enclosingCompound(ArrayRef<const Stmt *> parents) {
  for (const Stmt *parent : reverse(parents))
    if (const auto *compound = dyn_cast<clang::CompoundStmt>(parent))
      return compound;
  return nullptr;
}

namespace {

/// The jumps of a body's own code, not of its lambdas.
struct Jumps {
  explicit Jumps(const Stmt *body) { visit(body, nullptr); }

  struct Case {
    const clang::SwitchStmt *from;
    const clang::SwitchCase *to;
  };
  std::vector<Case> cases;
  std::vector<const clang::GotoStmt *> gotos;

private:
  void visit(const Stmt *statement, const clang::SwitchStmt *around) {
    if (!statement || isa<clang::LambdaExpr>(statement))
      return;
    if (const auto *jump = dyn_cast<clang::GotoStmt>(statement))
      gotos.push_back(jump);
    else if (const auto *choice = dyn_cast<clang::SwitchStmt>(statement))
      around = choice;
    else if (const auto *label = dyn_cast<clang::SwitchCase>(statement))
      cases.push_back({around, label});
    for (const Stmt *child : statement->children())
      visit(child, around);
  }
};

} // namespace

const Stmt *jumpTargetWithin(const TranslationUnit &unit, const Stmt *body, SourceLocation first, SourceLocation last) {
  const SourceLocation from = unit.sources.getExpansionLoc(first), to = unit.sources.getExpansionLoc(last);
  const auto isInside = [&](SourceLocation location) {
    location = unit.sources.getExpansionLoc(location);
    return unit.sources.isBeforeInTranslationUnit(from, location) && unit.sources.isBeforeInTranslationUnit(location, to);
  };
  const auto begins = [&](const Stmt *choice) {
    return choice && (unit.sources.getExpansionLoc(choice->getBeginLoc()) == from || isInside(choice->getBeginLoc()));
  };
  const Jumps &jumps = unit.analyses.get<Jumps>(body);
  for (const Jumps::Case &jump : jumps.cases)
    if (isInside(jump.to->getBeginLoc()) && !begins(jump.from))
      return jump.to;
  for (const clang::GotoStmt *jump : jumps.gotos)
    if (!isInside(jump->getGotoLoc()) && isInside(jump->getLabel()->getLocation()))
      return jump->getLabel()->getStmt();
  return nullptr;
}

} // namespace kperf
