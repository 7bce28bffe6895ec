// Finds the statements that annotations begin and end at.
#include "rewriters/kernel/RegionExtents.h"

#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::CompoundStmt;
using clang::Stmt;

namespace kperf {

const CompoundStmt *Parents::passOf(const Stmt *statement) const {
  const Stmt *inner = statement;
  for (const Stmt *parent = of(statement); parent; inner = parent, parent = of(parent))
    if (isLoop(parent))
      return dyn_cast<CompoundStmt>(inner);
  return dyn_cast<CompoundStmt>(body);
}

bool Parents::isInLoop(const Stmt *statement) const {
  for (const Stmt *parent = of(statement); parent; parent = of(parent))
    if (isLoop(parent))
      return true;
  return false;
}

bool Parents::areAllWithin(const Stmt *statement, const CompoundStmt *pass, function_ref<bool(const Stmt *)> isIt) const {
  for (const Stmt *parent = of(statement); parent && parent != pass; parent = of(parent))
    if (!isa<CompoundStmt, clang::AttributedStmt>(parent) && !isIt(parent))
      return false;
  return true;
}

bool Parents::isAlwaysRun(const Stmt *statement, const CompoundStmt *pass) const {
  return areAllWithin(statement, pass, [](const Stmt *) { return false; });
}

bool Parents::isRunByAllLanes(const Stmt *statement, const CompoundStmt *pass) const {
  return areAllWithin(statement, pass, [](const Stmt *parent) {
    const auto *branch = dyn_cast<clang::IfStmt>(parent);
    return branch && branch->isConstexpr();
  });
}

void Parents::walk(const Stmt *statement) {
  for (const Stmt *child : statement->children())
    if (child) {
      parents[child] = statement;
      if (!isa<clang::Expr>(child))
        walk(child);
    }
}

bool holds(const Stmt *statement, function_ref<bool(const Stmt *)> isIt) {
  return isIt(statement) || any_of(statement->children(), [&](const Stmt *child) { return child && holds(child, isIt); });
}

namespace {

/// What around a part of a statement is in the statement too.
struct Around {
  bool isLoop = false, isSwitch = false;
};

bool anyJump(const Stmt *part, Around around, function_ref<bool(const Stmt *)> isOne) {
  if (isa<clang::LambdaExpr>(part))
    return false;
  const bool isJump = isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt>(part) ||
                      (isa<clang::BreakStmt>(part) && !around.isLoop && !around.isSwitch) ||
                      (isa<clang::ContinueStmt>(part) && !around.isLoop) || (isa<clang::SwitchCase>(part) && !around.isSwitch);
  if (isJump && isOne(part))
    return true;
  around.isLoop |= isLoop(part);
  around.isSwitch |= isa<clang::SwitchStmt>(part);
  return any_of(part->children(), [&](const Stmt *child) { return child && anyJump(child, around, isOne); });
}

} // namespace

bool anyJump(const Stmt *statement, function_ref<bool(const Stmt *)> isOne) { return anyJump(statement, {}, isOne); }

bool mayJump(const Stmt *statement) {
  return anyJump(statement, [](const Stmt *) { return true; });
}

std::vector<const Stmt *> statementsBetween(const CompoundStmt *block, const Stmt *first, const Stmt *last) {
  std::vector<const Stmt *> statements;
  bool isInside = false;
  for (const Stmt *statement : block->body()) {
    if (statement == last)
      break;
    if (isInside)
      statements.push_back(statement);
    isInside |= statement == first;
  }
  return statements;
}

namespace {

class ExtentFinder {
public:
  ExtentFinder(const TranslationUnit &unit, const AnnotatedFunction &holder)
      : unit(unit), holder(holder), parents(unit.analyses.get<Parents>(holder.body)) {}

  /// All regions of the function; nothing where one does not fit into a frame.
  std::optional<std::vector<RegionExtent>> find() {
    for (const MarkerSite &site : holder.markers)
      if (site.annotation.kind == AnnotationKind::Mark || !addMarker(site))
        return std::nullopt;
    for (const StatementSite &site : holder.statements)
      if (!addStatements(site))
        return std::nullopt;
    return std::move(found);
  }

private:
  std::optional<unsigned> offsetOf(clang::SourceLocation location) const {
    const std::optional<Place> place = unit.editablePlace(location);
    return place && !unit.isInDirective(*place) ? std::optional(place->offset) : std::nullopt;
  }

  bool addMarker(const MarkerSite &site) {
    const auto *block = dyn_cast_or_null<CompoundStmt>(parents.of(site.statement));
    const std::optional<unsigned> begin = offsetOf(site.annotation.token);
    if (!block || !begin)
      return false;
    if (site.annotation.kind == AnnotationKind::Scope) {
      const std::optional<unsigned> end = offsetOf(block->getRBracLoc());
      if (end)
        found.push_back({site.statement, *begin, *end, nullptr, nullptr, statementsBetween(block, site.statement, nullptr)});
      return end.has_value();
    }
    const auto isSame = [&](const MarkerSite &other) {
      return (other.annotation.kind == AnnotationKind::Begin || other.annotation.kind == AnnotationKind::End) &&
             other.annotation.name == site.annotation.name;
    };
    if (count_if(holder.markers, isSame) != 2)
      return false;
    if (site.annotation.kind == AnnotationKind::End)
      return true;
    const auto last = find_if(holder.markers, [&](const MarkerSite &other) { return isSame(other) && &other != &site; });
    const std::optional<unsigned> end = offsetOf(last->annotation.token);
    if (last->annotation.kind != AnnotationKind::End || parents.of(last->statement) != block || !end || *end < *begin)
      return false;
    found.push_back(
        {site.statement, *begin, *end, site.statement, last->statement, statementsBetween(block, site.statement, last->statement)});
    return none_of(found.back().content, mayJump);
  }

  bool addStatements(const StatementSite &site) {
    if (site.run.empty())
      return true; // refused where it is planned
    Expected<StatementSpan> span = spanOf(unit, site.run);
    if (!span || site.isBody)
      return consumeError(span.takeError()), false;
    const bool declares = any_of(site.run, [](const Stmt *statement) { return isa<clang::DeclStmt>(statement); });
    found.push_back({site.first(), span->open.offset, span->end, nullptr, nullptr, {site.run.begin(), site.run.end()}});
    return !declares || none_of(site.run, mayJump);
  }

  const TranslationUnit &unit;
  const AnnotatedFunction &holder;
  const Parents &parents;
  std::vector<RegionExtent> found;
};

struct Extents {
  Extents(const clang::FunctionDecl *, const TranslationUnit &unit, const AnnotatedFunction &holder)
      : found(ExtentFinder(unit, holder).find()) {}
  const std::optional<std::vector<RegionExtent>> found;
};

} // namespace

const std::optional<std::vector<RegionExtent>> &extentsOf(const TranslationUnit &unit, const AnnotatedFunction &holder) {
  return unit.analyses.get<Extents>(holder.function, unit, holder).found;
}

} // namespace kperf
