// The region rewriter: annotations become probes.
#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/kernel/ProbeNames.h"
#include "rewriters/kernel/RecordPart.h"
#include "rewriters/kernel/RefusedRegions.h"
#include "rewriters/region/AdjacentScopes.h"
#include "rewriters/region/RangePlan.h"
#include "rewriters/region/StatementPlan.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using clang::SourceLocation;
using clang::Stmt;
using kperf::format::RegionKind;

namespace kperf {

namespace {

class RegionPlanner {
public:
  RegionPlanner(const RewriteContext &context, PlanAdditions &additions, const AnnotatedFunction &holder, KernelNeeds &needs)
      : unit(context.unit), additions(additions), holder(holder), parts(unit, holder, context.kernels, needs),
        name(functionName(holder.function)) {}

  void run() {
    const ArrayRef<MarkerSite> sites = holder.markers;
    for (std::size_t i = 0; i < sites.size(); ++i)
      if (sites[i].annotation.kind == AnnotationKind::Scope)
        i += planScopes(parts.sharesRecords ? adjacentScopes(unit, holder, sites[i]) : sites.slice(i, 1)) - 1;
      else if (sites[i].annotation.kind == AnnotationKind::Mark)
        planMark(sites[i]);
    planRanges(unit, additions, holder, parts);
    if (planStatements(unit, additions, holder, parts) || !holder.markers.empty())
      parts.keep();
  }

private:
  /// Plans scopes whose blocks are adjacent, as far as they can share records. Returns how many there are.
  std::size_t planScopes(ArrayRef<MarkerSite> sites) {
    std::vector<PlannedScope> scopes;
    std::size_t first = 0;
    const auto add = [&](std::size_t end) {
      if (scopes.size() > 1)
        addAdjacentObjects(unit, additions, parts, sites.slice(first, scopes.size()), scopes);
      else if (!scopes.empty())
        addObject(unit, additions, scopes.front(), {}, " ");
      scopes.clear();
      first = end;
    };
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const PlannedScope scope = planOne(sites[i]);
      if (!scopes.empty() && !canShare(scopes.back(), scope))
        add(i);
      scopes.push_back(scope);
    }
    add(sites.size());
    return sites.size();
  }

  bool canShare(const PlannedScope &left, const PlannedScope &right) const {
    return parts.mayShareRecord(left.part) && parts.mayShareRecord(right.part);
  }

  /// A scope without its object.
  PlannedScope planOne(const MarkerSite &site) {
    const clang::CompoundStmt *block = enclosingCompound(site.parents);
    const Place place = placeOf(site);
    Region region = unit.regionAt(place, RegionKind::Scope, site.annotation.name);
    region.function = name;
    const bool isInMacro = unit.isInDirective(place); // which others may use, with ends of their own
    if (!isInMacro)
      region.endLine = std::max(region.line, unit.lineOf(unit.expansionPlace(block->getRBracLoc())));
    const RecordPart part = isInMacro
                                ? parts.chooseInMacro(site.statement)
                                : parts.chooseForRegion(site.statement, {block}, isToBeSummed(unit, holder, region, place, site.isSummed));
    return planScope(unit, additions, parts, region, part, place, unit.expansionPlace(block->getRBracLoc()).offset, site.statement);
  }

  /// Where there is none, the annotation was refused (rewriters/kernel/RefusedRegions.h).
  Place placeOf(const MarkerSite &site) const { return cantFail(placeOfAnnotation(unit, site)); }

  void planMark(const MarkerSite &site) {
    const Place place = placeOf(site);
    Region region = unit.regionAt(place, RegionKind::Mark, site.annotation.name);
    region.function = name;
    const AnnotationExpansion *expansion = unit.preprocessing.annotationAt(site.annotation.token);
    std::string payload = site.annotation.hasPayload && expansion ? ", (" + expansion->payload + ")" : std::string();
    RecordPart part = unit.isInDirective(place) ? parts.chooseInMacro(site.statement) : parts.chooseForEvent(site.statement);
    const std::size_t index = additions.addRegion(region);
    parts.addToStream(additions, part, {site.statement}, index);
    insertCall(unit, additions, site, place, probeNames(part).call(&ProbeNames::mark), index, payload + "); ");
  }

  const TranslationUnit &unit;
  PlanAdditions &additions;
  const AnnotatedFunction &holder;
  RecordPartChooser parts;
  std::string name;
};

} // namespace

/// Reports what was annotated in a function that gets no probes, and remembers what rules chose there.
static void leaveOut(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, const std::string &reason,
                     void (Reporter::*report)(SourceLocation, const Twine &)) {
  for (const MarkerSite &site : holder.markers)
    (unit.reporter.*report)(site.annotation.token, reason);
  for (const StatementSite &site : holder.statements)
    if (site.pragma)
      (unit.reporter.*report)(site.pragma->location, reason);
    else
      skipSite(unit, additions, holder, site, reason);
}

/// Leaves out what rules chose in a kernel whose Kernel object has no place.
static AnnotatedFunction withoutRules(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder) {
  AnnotatedFunction annotated = holder;
  erase_if(annotated.statements, [](const StatementSite &site) { return !site.pragma; });
  for (const StatementSite &site : holder.statements)
    if (!site.pragma)
      skipSite(unit, additions, holder, site, "the body of its kernel is written by a macro");
  return annotated;
}

RewriterResult planRegions(const RewriteContext &context) {
  const TranslationUnit &unit = context.unit;
  PlanAdditions additions(context.plan);
  KernelNeeds needs;
  for (const AnnotatedFunction &holder : context.annotated.functions) {
    std::string reason = obstacle(holder);
    if (reason.empty() && isDamaged(unit, holder.body)) {
      leaveOut(unit, additions, holder,
               "clang can't read all of '" + functionName(holder.function) +
                   "', so its statements can't be "
                   "trusted and this is not instrumented: --strict shows the errors",
               &Reporter::warning);
      continue;
    }
    if (!reason.empty()) {
      leaveOut(unit, additions, holder, reason, &Reporter::error);
      continue;
    }
    const clang::FunctionDecl *kernel = enclosingKernel(holder.function);
    if (kernel && !hasPlaceForKernel(unit, kernel))
      RegionPlanner(context, additions, withoutRules(unit, additions, holder), needs).run();
    else
      RegionPlanner(context, additions, holder, needs).run();
  }
  return {std::move(additions), std::move(needs)};
}

} // namespace kperf
