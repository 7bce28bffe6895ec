// Puts probes around statements, runs of statements and bodies.
#include "rewriters/region/StatementPlan.h"

#include "rewriters/kernel/ProbeNames.h"
#include "rewriters/region/AdjacentScopes.h"
#include "rewriters/region/RangePlan.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace llvm;
using clang::Stmt;
using kperf::format::RegionKind;

namespace kperf {

namespace {

/// The statement that another one is a part of; null for one that the tree does not show, such as a lambda's.
const Stmt *parentOf(const Stmt *part, const Stmt *tree) {
  for (const Stmt *child : subStatements(tree))
    if (child == part)
      return tree;
    else if (const Stmt *parent = parentOf(part, child))
      return parent;
  return nullptr;
}

class StatementPlanner {
public:
  StatementPlanner(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, RecordPartChooser &parts)
      : unit(unit), additions(additions), holder(holder), parts(parts), function(functionName(holder.function)) {}

  bool run() {
    std::vector<const StatementSite *> sites;
    for (const StatementSite &site : holder.statements)
      sites.push_back(&site);
    stable_sort(sites, [&](const StatementSite *left, const StatementSite *right) { return isOutside(*left, *right); });
    for (const StatementSite *site : sites)
      planSite(*site);
    addWaiting();
    for (Edit &edit : reverse(closings)) // the inner one of two that end together ends first
      additions.addEdit(std::move(edit));
    return isPlanned;
  }

private:
  /// Whether the left one begins earlier, or at the same place and ends later.
  bool isOutside(const StatementSite &left, const StatementSite &right) const {
    if (left.run.empty() || right.run.empty())
      return !left.run.empty() && right.run.empty();
    auto begins = [&](const StatementSite &site) { return unit.sources.getExpansionLoc(site.first()->getBeginLoc()); };
    auto ends = [&](const StatementSite &site) { return unit.sources.getExpansionLoc(site.last()->getEndLoc()); };
    if (begins(left) != begins(right))
      return unit.sources.isBeforeInTranslationUnit(begins(left), begins(right));
    return unit.sources.isBeforeInTranslationUnit(ends(right), ends(left));
  }

  void refuse(const StatementSite &site, StringRef pragmaError, StringRef reason, const Stmt *cause = nullptr) {
    if (site.pragma) {
      unit.refuse(site.pragma->location, site.name, pragmaError);
      if (cause)
        unit.reporter.note(cause->getBeginLoc(), "the label is here");
      return;
    }
    std::string line = cause ? " at line " + std::to_string(unit.lineOf(unit.expansionPlace(cause->getBeginLoc()))) : "";
    skipSite(unit, additions, holder, site, reason.str() + line);
  }

  void planSite(const StatementSite &site) {
    if (site.run.empty())
      return unit.reporter.error(site.pragma->location, "no statement follows #pragma kperf region in its block");
    if (site.isBody)
      return planBody(site);
    if (!site.pragma && !isWhollyWritten(unit, site.run))
      return refuse(site, {}, "a macro writes it together with other code");
    Expected<StatementSpan> span = spanOf(unit, site.run);
    if (!span) {
      std::string reason = toString(span.takeError());
      return refuse(site, reason, reason);
    }
    if (const Stmt *target = jumpTargetWithin(unit, holder.body, site.first()->getBeginLoc(), site.last()->getEndLoc()))
      return refuse(site,
                    "a jump into the statement behind #pragma kperf region would pass by its begin: put the pragma "
                    "further in",
                    "a jump passes by its begin, to the label", target);
    const bool declares = declaresForOthers(site);
    if (const Stmt *exit = declares ? exitWithin(site.run) : nullptr)
      return refuse(site, {}, "it declares what may be used behind it, so it gets no block of its own, and is left early", exit);
    planSpan(site, *span, declares);
  }

  /// Whether what it declares can be used behind it, as it can't where it is all of a branch or a loop.
  bool declaresForOthers(const StatementSite &site) const {
    if (none_of(site.run, [](const Stmt *statement) { return isa<clang::DeclStmt>(statement); }))
      return false;
    const Stmt *parent = parentOf(site.first(), holder.body);
    return !parent || isa<clang::CompoundStmt, clang::SwitchCase, clang::LabelStmt>(parent);
  }

  void planSpan(const StatementSite &site, const StatementSpan &span, bool declares) {
    const Place place = placeOfStatement(unit, holder, site);
    Region region = unit.regionAt(place, declares ? RegionKind::Range : site.kind, site.name);
    region.function = function;
    region.endLine = std::max(region.line, unit.lineOf(Place{span.file, span.end - 1}));
    isPlanned = true;
    std::size_t index;
    Place open{span.file, span.open.offset}, close{span.file, span.end};
    if (declares) { // braces would hide what it declares
      region.asked = site.kind;
      addWaiting();
      const RecordPart part = partOfRun(site, region, open, close.offset);
      region.isSummed = part == RecordPart::Sum;
      index = additions.addRegion(region);
      parts.addToStream(additions, part, {site.first()}, index);
      const RangeText text = rangeText(parts, part, {site.first()}, region, index, close.offset);
      additions.addEdit(
          {unit.pathOf(open.file), open.offset, EditOrder::Open, span.open.prefix + text.begin, index, "); " + span.open.suffix});
      closings.push_back({unit.pathOf(close.file), close.offset, EditOrder::Close, " " + text.end, index, ");"});
    } else {
      const RecordPart part = partOf(site, region, open);
      const Waiting next{&site, span, planScope(unit, additions, parts, region, part, open, span.end, site.first())};
      if (!waiting.empty() && !canShare(waiting.back(), next))
        addWaiting();
      waiting.push_back(next);
      index = next.scope.index;
    }
    if (site.pragma && site.pragma->isDirective) // the vendor's compiler would warn of a pragma it does not know
      additions.addEdit(owned(place, EditOrder::Open, "//", index));
  }

  /// A region without its object.
  struct Waiting {
    const StatementSite *site;
    StatementSpan span;
    PlannedScope scope;
  };

  bool canShare(const Waiting &left, const Waiting &right) {
    return parts.sharesRecords && parts.mayShareRecord(left.scope.part) && parts.mayShareRecord(right.scope.part) &&
           areAdjacent(unit, holder, *left.site, left.span, *right.site, right.span);
  }

  /// Adds the object of one region, or of adjacent ones.
  void addWaiting() {
    if (waiting.empty())
      return;
    const Waiting &front = waiting.front();
    if (waiting.size() == 1) {
      addObject(unit, additions, front.scope, front.span.open.prefix + "{ ", " " + front.span.open.suffix);
    } else {
      std::vector<PlannedScope> scopes;
      std::vector<const Stmt *> statements;
      for (const Waiting &each : waiting) {
        scopes.push_back(each.scope);
        statements.push_back(each.site->first());
      }
      const std::string name = addSharing(additions, parts, scopes, statements);
      std::string object = "{ ::kperf::ConvergentScopes " + name + "(kperf_kernel); ";
      for (const Waiting &each : waiting)
        additions.addEdit({unit.pathOf(each.span.file), each.span.open.offset, EditOrder::Open,
                           each.span.open.prefix + std::exchange(object, {}) + name + ".next(", each.scope.index,
                           "); " + each.span.open.suffix});
    }
    const StatementSpan &last = waiting.back().span;
    closings.push_back(owned({last.file, last.end}, EditOrder::Close, " }", front.scope.index));
    waiting.clear();
  }

  /// From the body's opening brace to its closing one.
  void planBody(const StatementSite &site) {
    addWaiting();
    const auto *body = dyn_cast<clang::CompoundStmt>(site.first());
    std::optional<Place> brace = body ? unit.editablePlace(body->getLBracLoc()) : std::nullopt;
    if (!brace || unit.isInDirective(*brace))
      return refuse(site, {}, "a macro writes its body");
    Region region = unit.regionAt(placeOfStatement(unit, holder, site), site.kind, site.name);
    region.function = function;
    region.endLine = std::max(region.line, unit.lineOf(unit.expansionPlace(body->getRBracLoc())));
    isPlanned = true;
    const Place place = unit.behind(*brace);
    RecordPart part = partOf(site, region, place);
    addScope(unit, additions, parts, region, part, place, unit.expansionPlace(body->getRBracLoc()).offset, site.first(), " ");
  }

  /// A macro's argument may be read more than once, in other functions too.
  static bool isInMacroArgument(const StatementSite &site) { return !site.pragma && site.first()->getBeginLoc().isMacroID(); }

  RecordPart partOf(const StatementSite &site, const Region &region, Place place) {
    if (isInMacroArgument(site))
      return parts.chooseInMacro(site.first());
    return parts.chooseForRegion(site.first(), site.run, isToBeSummed(unit, holder, region, place, site.isSummed));
  }

  /// Of one that gets no block of its own.
  RecordPart partOfRun(const StatementSite &site, const Region &region, Place place, unsigned end) {
    if (isInMacroArgument(site))
      return parts.chooseInMacro(site.first(), 2);
    const bool isSummed = isToBeSummed(unit, holder, region, place, site.isSummed) && !parts.crossesSum(place.offset, end);
    return parts.chooseForBlockRange({site.first()}, {site.last()}, isSummed);
  }

  Edit owned(Place place, EditOrder order, std::string text, std::size_t owner) const {
    return {unit.pathOf(place.file), place.offset, order, std::move(text), std::nullopt, {}, 0, owner};
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
  const AnnotatedFunction &holder;
  RecordPartChooser &parts;
  std::string function;
  std::vector<Waiting> waiting; ///< each adjacent to the one before
  std::vector<Edit> closings;
  bool isPlanned = false;
};

} // namespace

PlannedScope planScope(const TranslationUnit &unit, PlanAdditions &additions, RecordPartChooser &parts, Region region, RecordPart part,
                       Place place, unsigned end, const Stmt *named) {
  region.isSummed = part == RecordPart::Sum;
  PlannedScope scope{0, part, 0, place, region.line, region.column, std::nullopt};
  scope.index = additions.addRegion(std::move(region));
  parts.addToStream(additions, part, {named}, scope.index);
  if (part == RecordPart::Frame)
    scope.words = parts.wordsOf({named});
  if (part == RecordPart::Sum)
    scope.sum = parts.addSum({scope.index, place.offset, end});
  return scope;
}

void addObject(const TranslationUnit &unit, PlanAdditions &additions, const PlannedScope &scope, const std::string &before,
               const std::string &after) {
  const ProbeNames names = probeNames(scope.part);
  const std::string words =
      scope.words ? formatv("<{0}u, {1}u, decltype({2})>", scope.words->begin, scope.words->end, names.owner).str() : "";
  std::string object =
      formatv("const ::kperf::{0}{1} kperf_scope_{2}_{3}({4}", names.scope, words, scope.line, scope.column, names.ownerArgument());
  if (scope.part == RecordPart::Sum)
    object += formatv("::kperf::Sum<{0}u>(), ", scope.sum);
  additions.addEdit({unit.pathOf(scope.place.file), scope.place.offset, EditOrder::Open, before + object, scope.index, ");" + after});
}

std::size_t addScope(const TranslationUnit &unit, PlanAdditions &additions, RecordPartChooser &parts, Region region, RecordPart part,
                     Place place, unsigned end, const Stmt *named, const std::string &before, const std::string &after) {
  const PlannedScope scope = planScope(unit, additions, parts, std::move(region), part, place, end, named);
  addObject(unit, additions, scope, before, after);
  return scope.index;
}

void skipSite(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, const StatementSite &site,
              StringRef reason) {
  clang::SourceLocation location = site.isBody ? holder.function->getLocation() : site.first()->getBeginLoc();
  additions.skip(unit.skippedAt(location, site.name, functionName(holder.function), reason, /*isTooSmall=*/false));
}

bool planStatements(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, RecordPartChooser &parts) {
  return StatementPlanner(unit, additions, holder, parts).run();
}

} // namespace kperf
