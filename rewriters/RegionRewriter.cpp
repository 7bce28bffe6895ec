// The region rewriter: annotations become probes, kernels get the object that the probes find their warp through.
#include "KernelFences.h"
#include "RangePlan.h"
#include "RecordPart.h"
#include "Rewriter.h"
#include "StatementEdit.h"
#include "StatementPlan.h"

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
  RegionPlanner(TranslationUnit &unit, const AnnotatedFunction &holder, KernelParts &parts)
      : unit(unit), holder(holder), parts(holder, parts), name(functionName(holder.function)) {}

  /// Whether anything is timed or marked.
  bool run() {
    for (const MarkerSite &site : holder.markers)
      if (site.annotation.kind == AnnotationKind::Scope)
        planScope(site);
      else if (site.annotation.kind == AnnotationKind::Mark)
        planMark(site);
    planRanges(unit, holder, parts);
    return planStatements(unit, holder, parts) || !holder.markers.empty();
  }

private:
  void planScope(const MarkerSite &site) {
    SourceLocation token = site.annotation.token;
    if (needsBraces(site.parents)) {
      unit.reporter.error(token, "KPERF_SCOPE is the whole body of a statement and would end at once: put braces around "
                                 "the code to time, or use #pragma kperf region");
      return;
    }
    const clang::CompoundStmt *block = enclosingCompound(site.parents);
    if (const Stmt *target = jumpTargetWithin(unit, holder.body, site.statement->getEndLoc(), block->getRBracLoc())) {
      unit.reporter.error(token, "a jump to a label further down in this block would pass by KPERF_SCOPE: put braces "
                                 "around the code to time");
      unit.reporter.note(target->getBeginLoc(), "the label is here");
      return;
    }
    Expected<Place> place = placeOfAnnotation(unit, site);
    if (!place) {
      unit.reporter.error(token, toString(place.takeError()));
      return;
    }
    Region region = unit.regionAt(*place, RegionKind::Scope, site.annotation.name);
    region.function = name;
    const bool isInMacro = unit.isInDirective(*place); // which others may use, with ends of their own
    if (!isInMacro)
      region.endLine = std::max(region.line, unit.lineOf(unit.expansionPlace(block->getRBracLoc())));
    RecordPart part = isInMacro ? parts.partInMacro(site.statement)
                                : parts.partOfRegion(site.statement, block, isToBeSummed(unit, holder, region, *place));
    addScope(unit, parts, region, part, *place, unit.expansionPlace(block->getRBracLoc()).offset, {}, " ");
  }

  void planMark(const MarkerSite &site) {
    Expected<Place> place = placeOfAnnotation(unit, site);
    if (!place) {
      unit.reporter.error(site.annotation.token, toString(place.takeError()));
      return;
    }
    Region region = unit.regionAt(*place, RegionKind::Mark, site.annotation.name);
    region.function = name;
    const AnnotationExpansion *expansion = unit.preprocessing.annotationAt(site.annotation.token);
    std::string payload = site.annotation.hasPayload && expansion ? ", (" + expansion->payload + ")" : std::string();
    RecordPart part = unit.isInDirective(*place) ? parts.partInMacro(site.statement) : parts.partOfEvent(site.statement);
    insertCall(unit, site, *place, probeCall(part, "mark"), unit.plan.addRegion(region), payload + "); ");
  }

  TranslationUnit &unit;
  const AnnotatedFunction &holder;
  RecordPartChooser parts;
  std::string name;
};

/// Why no probe can stand in a function, or an empty string.
std::string obstacle(TranslationUnit &unit, const AnnotatedFunction &holder) {
  const clang::FunctionDecl *function = holder.function;
  std::string name = functionName(function);
  if (!isDeviceFunction(function))
    return "'" + name + "' is a host function: regions are recorded in __global__ and __device__ functions; move the "
           "annotation there, or remove it";
  bool isLambda = isa<clang::CXXMethodDecl>(function) && cast<clang::CXXMethodDecl>(function)->getParent()->isLambda();
  // Clang marks every lambda constexpr that could be.
  if (function->isConsteval() || (function->isConstexprSpecified() && !isLambda))
    return "'" + name + "' is constexpr and may run at compile time, where no probe can: drop constexpr, or annotate its "
                        "caller";
  return {};
}

/// An error of Clang inside a function that is to be edited makes its structure doubtful. It calls __shared__ objects with
/// a constructor invalid, but what uses them is read in full.
bool isDamaged(const Stmt *statement) {
  if (!statement)
    return false;
  if (isa<clang::RecoveryExpr>(statement))
    return true;
  if (const auto *declaration = dyn_cast<clang::DeclStmt>(statement))
    if (any_of(declaration->decls(), [](const clang::Decl *declared) {
          return declared->isInvalidDecl() && !declared->hasAttr<clang::CUDASharedAttr>();
        }))
      return true;
  return any_of(statement->children(), isDamaged);
}

/// 1 + the index of the smallest region that holds the one at `index`; 0 when none does.
std::size_t sumAround(ArrayRef<SummedRegion> sums, std::size_t index) {
  // Of two regions of one statement the one that was planned first opens first.
  const auto holds = [&](std::size_t outer, std::size_t inner) {
    const SummedRegion &left = sums[outer], &right = sums[inner];
    const bool isSame = left.begin == right.begin && left.end == right.end;
    return isSame ? outer < inner : left.begin <= right.begin && right.end <= left.end;
  };
  std::optional<std::size_t> smallest;
  for (std::size_t other = 0; other < sums.size(); ++other)
    if (holds(other, index) && (!smallest || holds(*smallest, other)))
      smallest = other;
  return smallest ? *smallest + 1 : 0;
}

void planKernel(TranslationUnit &unit, const clang::FunctionDecl *kernel, bool holdsRegions, const KernelParts &parts) {
  const auto *body = dyn_cast_or_null<clang::CompoundStmt>(kernel->getBody());
  if (!body)
    return;
  std::string name = functionName(kernel);
  std::optional<Place> brace = unit.editablePlace(body->getLBracLoc());
  if (!brace) {
    if (holdsRegions)
      unit.reporter.error(kernel->getLocation(), "the body of kernel '" + name +
                                                     "' is written by a macro: regions need its braces in the source");
    else
      unit.reporter.warning(kernel->getLocation(), "the body of kernel '" + name +
                                                       "' is written by a macro: regions of functions that it calls "
                                                       "are not recorded");
    return;
  }
  Place place = unit.expansionPlace(kernel->getLocation());
  Region region = unit.regionAt(place, RegionKind::Kernel, name);
  region.function = name;
  region.endLine = std::max(region.line, unit.lineOf(unit.expansionPlace(body->getRBracLoc())));
  bool isTemplate = kernel->getDescribedFunctionTemplate() != nullptr;
  const bool isStaged = parts.own.most() > 0 && hasFences(kernel);
  std::string last = !parts.sums.empty() ? formatv(", {0}, {1}u", isStaged, parts.sums.size()).str()
                     : isStaged          ? ", true"
                                         : "";
  std::string object = formatv(" ::kperf::Kernel<{0:x}u, {1:x}u, {2:x}u, {3}{4}> kperf_kernel(", parts.own.most(),
                               parts.lane.most(), parts.shared.most(), parts.isCalled, last);
  const auto insert = [&](std::string before, std::size_t region, std::string after) {
    unit.plan.addEdit(
        {unit.pathOf(brace->file), brace->offset + 1, EditOrder::Kernel, std::move(before), region, std::move(after)});
  };
  insert(std::move(object), unit.plan.addRegion(region), isTemplate ? ", __PRETTY_FUNCTION__);" : ");");
  for (std::size_t index = 0; index < parts.sums.size(); ++index)
    insert(formatv(" kperf_kernel.name<{0}u, {1}u>(", index, sumAround(parts.sums, index)), parts.sums[index].region, ");");
}

} // namespace

/// Reports what was annotated in a function that gets no probes, and remembers what rules chose there.
static void leaveOut(TranslationUnit &unit, const AnnotatedFunction &holder, const std::string &reason,
                     void (Reporter::*report)(SourceLocation, const Twine &)) {
  for (const MarkerSite &site : holder.markers)
    (unit.reporter.*report)(site.annotation.token, reason);
  for (const StatementSite &site : holder.statements)
    if (site.pragma)
      (unit.reporter.*report)(site.pragma->location, reason);
    else
      skipSite(unit, holder, site, reason);
}

/// Leaves out what rules chose in a kernel whose Kernel object has no place.
static AnnotatedFunction withoutRules(TranslationUnit &unit, const AnnotatedFunction &holder) {
  AnnotatedFunction annotated = holder;
  erase_if(annotated.statements, [](const StatementSite &site) { return !site.pragma; });
  for (const StatementSite &site : holder.statements)
    if (!site.pragma)
      skipSite(unit, holder, site, "the body of its kernel is written by a macro");
  return annotated;
}

static bool hasPlaceForKernel(const TranslationUnit &unit, const clang::FunctionDecl *kernel) {
  const auto *body = dyn_cast_or_null<clang::CompoundStmt>(kernel->getBody());
  return body && unit.editablePlace(body->getLBracLoc());
}

void planRegions(TranslationUnit &unit, const AnnotatedFunctions &annotated) {
  DenseMap<const clang::FunctionDecl *, KernelParts> kernelsWithRegions;
  DenseSet<clang::FileID> editedHeaders;
  bool functionsHoldRegions = false;
  auto fileOf = [&](const clang::FunctionDecl *function) { return unit.expansionPlace(function->getLocation()).file; };
  for (const AnnotatedFunction &holder : annotated.functions) {
    std::string reason = obstacle(unit, holder);
    if (reason.empty() && isDamaged(holder.body)) {
      leaveOut(unit, holder, "clang can't read all of '" + functionName(holder.function) + "', so its statements can't be "
                             "trusted and this is not instrumented: --strict shows the errors", &Reporter::warning);
      continue;
    }
    if (!reason.empty()) {
      leaveOut(unit, holder, reason, &Reporter::error);
      continue;
    }
    const clang::FunctionDecl *kernel = enclosingKernel(holder.function);
    KernelParts parts = kernel ? kernelsWithRegions.lookup(kernel) : KernelParts();
    const bool isPlanned = kernel && !hasPlaceForKernel(unit, kernel)
                               ? RegionPlanner(unit, withoutRules(unit, holder), parts).run()
                               : RegionPlanner(unit, holder, parts).run();
    if (!isPlanned)
      continue;
    if (kernel)
      kernelsWithRegions[kernel] = parts;
    functionsHoldRegions |= !kernel;
    editedHeaders.insert(fileOf(holder.function));
  }
  // A header is edited as a whole or not at all, so that its copy does not depend on who includes it.
  for (const clang::FunctionDecl *kernel : annotated.kernels) {
    clang::FileID file = fileOf(kernel);
    bool isInHeader = file != unit.sources.getMainFileID();
    bool holdsRegions = kernelsWithRegions.contains(kernel);
    if (!holdsRegions && !functionsHoldRegions && !(isInHeader && editedHeaders.contains(file)))
      continue;
    KernelParts parts = kernelsWithRegions.lookup(kernel);
    if (functionsHoldRegions || isInHeader) { // what a header's kernels call depends on who includes it
      parts.shared.addUnbounded();
      parts.isCalled = true;
    }
    planKernel(unit, kernel, holdsRegions, parts);
  }
}

} // namespace kperf
