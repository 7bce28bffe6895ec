// Finds scopes that jumps skip, annotations in uneditable macros, kernels without braces of their own, ranges of one architecture.
#include "rewriters/kernel/RefusedRegions.h"

#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/unit/FunctionBodies.h"
#include "rewriters/unit/SitePlace.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

bool isOfRange(const MarkerSite &site) {
  return site.annotation.kind == AnnotationKind::Begin || site.annotation.kind == AnnotationKind::End;
}

bool isWithoutPlace(const TranslationUnit &unit, const AnnotatedFunction &holder) {
  const clang::FunctionDecl *kernel = enclosingKernel(holder.function);
  return kernel && !hasPlaceForKernel(unit, kernel);
}

class Refusals {
public:
  Refusals(const TranslationUnit &unit, const AnnotatedFunctions &annotated) : unit(unit) {
    for (const AnnotatedFunction &holder : annotated.functions)
      if (isWithoutPlace(unit, holder))
        for (const MarkerSite &site : holder.markers)
          if (const auto place = macroPlaceOf(site))
            ofWrittenKernels.insert(*place);
  }

  void apply(AnnotatedFunction &holder) {
    if (!obstacle(holder).empty() || isDamaged(unit, holder.body))
      return;
    if (isWithoutPlace(unit, holder))
      return refuseAll(holder);
    std::set<std::string> ranges;
    begins.clear();
    if (unit.context.getLangOpts().CUDAIsDevice)
      for (const MarkerSite &site : holder.markers)
        if (site.annotation.kind == AnnotationKind::Begin)
          begins.push_back({site.annotation.name, architecturesOf(site)});
    erase_if(holder.markers, [&](const MarkerSite &site) {
      const bool isRefused = !ranges.contains(site.annotation.name) && refuse(holder, site);
      if (isRefused && isOfRange(site))
        ranges.insert(site.annotation.name);
      return isRefused;
    });
    erase_if(holder.markers, [&](const MarkerSite &site) { return isOfRange(site) && ranges.contains(site.annotation.name); });
  }

private:
  struct Begin {
    std::string name;
    std::set<std::string> architectures;
  };
  using Key = std::pair<std::string, unsigned>;

  /// Where an annotation is spelled in a macro's definition.
  std::optional<Key> macroPlaceOf(const MarkerSite &site) const {
    const auto place = unit.spelledPlace(site.annotation.token);
    if (!place || !unit.isInDirective(*place))
      return std::nullopt;
    return Key{unit.pathOf(place->file), place->offset};
  }

  /// The regions of a kernel whose body a macro writes: its object has no place. Those that rules chose stay.
  void refuseAll(AnnotatedFunction &holder) const {
    const clang::FunctionDecl *kernel = enclosingKernel(holder.function);
    std::set<std::string> names;
    for (const MarkerSite &site : holder.markers)
      names.insert(site.annotation.name);
    for (const StatementSite &site : holder.statements)
      if (site.pragma)
        names.insert(site.name);
    for (const std::string &name : names) {
      unit.refuse(kernel->getLocation(), name,
                  "the body of kernel '" + functionName(kernel) + "' is written by a macro: regions need its braces in the source");
      if (unit.isStrict())
        break;
    }
    holder.markers.clear();
    erase_if(holder.statements, [](const StatementSite &site) { return site.pragma != nullptr; });
  }

  /// The conditions around an annotation that hold for one architecture and not for another.
  std::set<std::string> architecturesOf(const MarkerSite &site) const {
    const Place place = unit.expansionPlace(site.annotation.token);
    std::set<std::string> found;
    for (const std::string &condition : unit.layoutOf(place.file).conditionsAt(place.offset))
      if (StringRef(condition).contains("__CUDA_ARCH") || StringRef(condition).contains("__HIP_DEVICE_COMPILE__"))
        found.insert(condition);
    return found;
  }

  /// Whether an end has a begin for every architecture for which it is there itself; or none at all, which is another mistake.
  bool hasBegin(const MarkerSite &end) const {
    const std::set<std::string> own = architecturesOf(end);
    bool isAlone = true;
    for (const Begin &begin : begins) {
      if (begin.name != end.annotation.name)
        continue;
      if (std::includes(own.begin(), own.end(), begin.architectures.begin(), begin.architectures.end()))
        return true;
      isAlone = false;
    }
    return isAlone;
  }

  bool refuse(const AnnotatedFunction &holder, const MarkerSite &site) const {
    const Stmt *label = nullptr;
    const std::string reason = reasonAgainst(holder, site, label);
    if (reason.empty())
      return false;
    unit.refuse(site.annotation.token, site.annotation.name, reason);
    if (label)
      unit.reporter.note(label->getBeginLoc(), "the label is here");
    return true;
  }

  /// Another tool pairs them while the kernel runs, and they may stand in two functions.
  static bool isWithoutPartner(const AnnotatedFunction &holder, const MarkerSite &site) {
    return !site.annotation.importedAs.empty() && isOfRange(site) && none_of(holder.markers, [&](const MarkerSite &other) {
      return isOfRange(other) && other.annotation.kind != site.annotation.kind && other.annotation.name == site.annotation.name;
    });
  }

  std::string reasonAgainst(const AnnotatedFunction &holder, const MarkerSite &site, const Stmt *&label) const {
    if (isWithoutPartner(holder, site))
      return "the other half of " + textOf(site.annotation) + " is not in '" + functionName(holder.function) +
             "': put both into one function";
    if (const auto place = macroPlaceOf(site); place && ofWrittenKernels.contains(*place))
      return "its macro writes the body of a kernel too, where no probe can be: use another macro there";
    if (site.annotation.kind == AnnotationKind::Scope && needsBraces(site.parents))
      return "KPERF_SCOPE is the whole body of a statement and would end at once: put braces around the code to time, or use #pragma kperf "
             "region";
    if (site.annotation.kind == AnnotationKind::Scope)
      label = jumpTargetWithin(unit, holder.body, site.statement->getEndLoc(), enclosingCompound(site.parents)->getRBracLoc());
    if (label)
      return "a jump to a label further down in this block would pass by KPERF_SCOPE: put braces around the code to time";
    if (site.annotation.kind == AnnotationKind::End && !hasBegin(site))
      return "its KPERF_BEGIN is under an #if on the architecture and this end is not, and the compiler reads the source once for the host "
             "and once for each architecture: put both under the same #if, or neither";
    Expected<Place> place = placeOfAnnotation(unit, site);
    if (!place)
      return toString(place.takeError());
    if (needsBraces(site.parents) && !endOfWholeBody(unit, site, *place))
      return "this annotation is the whole body of a statement and stands inside a macro: put braces around it";
    return {};
  }

  const TranslationUnit &unit;
  std::set<Key> ofWrittenKernels;
  std::vector<Begin> begins; ///< of one function's ranges, where the compiler reads it for several architectures
};

} // namespace

std::string obstacle(const AnnotatedFunction &holder) {
  const clang::FunctionDecl *function = holder.function;
  std::string name = functionName(function);
  if (!isDeviceFunction(function))
    return "'" + name +
           "' is a host function: regions are recorded in __global__ and __device__ functions; move the "
           "annotation there, or remove it";
  bool isLambda = isa<clang::CXXMethodDecl>(function) && cast<clang::CXXMethodDecl>(function)->getParent()->isLambda();
  // Clang marks every lambda constexpr that could be.
  if (function->isConsteval() || (function->isConstexprSpecified() && !isLambda))
    return "'" + name +
           "' is constexpr and may run at compile time, where no probe can: drop constexpr, or annotate its "
           "caller";
  return {};
}

void refuseRegions(const TranslationUnit &unit, AnnotatedFunctions &annotated) {
  Refusals refusals(unit, annotated);
  for (AnnotatedFunction &holder : annotated.functions)
    refusals.apply(holder);
  erase_if(annotated.functions, [](const AnnotatedFunction &holder) { return holder.markers.empty() && holder.statements.empty(); });
}

} // namespace kperf
