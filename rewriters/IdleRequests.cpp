// Compares a request with what was planned for it.
#include "rewriters/IdleRequests.h"

#include "rewriters/parse/Diagnostic.h"
#include "rewriters/pattern/ProfileDecision.h"
#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

using namespace llvm;
using kperf::format::RegionKind;
using kperf::format::SiteKind;

namespace kperf {
namespace {

/// The line of a selection file that names the headers.
std::string headersFor(ArrayRef<UnsearchedKernel> kernels) {
  std::vector<std::string> patterns;
  for (const UnsearchedKernel &kernel : kernels)
    if (std::string pattern = "\"*/" + sys::path::filename(kernel.header).str() + "\""; !is_contained(patterns, pattern))
      patterns.push_back(std::move(pattern));
  return "headers: [" + join(patterns, ", ") + "]";
}

/// Whether the source names the kernel, or makes an instance of it.
bool isUsed(const clang::FunctionDecl *kernel) {
  const clang::FunctionTemplateDecl *pattern = kernel->getDescribedFunctionTemplate();
  return pattern ? pattern->isReferenced() || !pattern->specializations().empty() : kernel->isReferenced();
}

class IdleRequests {
public:
  explicit IdleRequests(const Outcome &outcome) : outcome(outcome) {}

  std::vector<std::string> all() {
    addSkipped();
    addAggregate();
    addAutomatic();
    addAccesses();
    return std::move(sentences);
  }

private:
  bool isAsked(StringRef probe) const { return is_contained(outcome.probes, probe); }

  template <typename Row> static std::string placeOf(const Row &row) {
    return (row.file + ":" + Twine(row.line) + ":" + Twine(row.column)).str();
  }

  /// What is wrong with the first place; the others have their own reasons.
  void addSkipped() {
    if (!isAsked("region") && !isAsked("sync")) // nothing that is selected is timed
      return;
    const auto first = find_if(outcome.skipped, [](const SkippedSite &site) { return !site.isTooSmall; });
    const std::size_t count = count_if(outcome.skipped, [](const SkippedSite &site) { return !site.isTooSmall; });
    if (count == 0)
      return;
    sentences.push_back(countOf(count, "selected place") + " can't be timed, " + (count > 1 ? "the first, " : "") + "'" + first->name +
                        "' at " + placeOf(*first) + ": " + first->reason +
                        (count > 1 ? "; kperf-rewrite --list-regions, with the same options, names each" : ""));
  }

  void addAggregate() {
    const std::vector<Region> &regions = outcome.plan.regions();
    std::vector<std::string> idle;
    for (const NamePattern &pattern : outcome.selection.aggregate)
      if (none_of(regions, [&](const Region &region) { return pattern.matchesName(region.name) || pattern.matchesName(region.function); }))
        idle.push_back("'" + pattern.spelling().str() + "'");
    if (idle.empty() || regions.empty())
      return;
    std::set<std::string> names;
    for (const Region &region : regions)
      names.insert(region.name);
    constexpr std::size_t kMaxNames = 8;
    const std::vector<std::string> shown(names.begin(), std::next(names.begin(), std::min(names.size(), kMaxNames)));
    sentences.push_back("--aggregate: no region or function matches " + join(idle, ", ") + "; its regions are " + join(shown, ", ") +
                        (names.size() > kMaxNames ? ", …" : ""));
  }

  void addAutomatic() {
    const std::vector<SelectionRule> &rules = outcome.selection.rules;
    const auto asked = find_if(rules, [](const SelectionRule &rule) { return rule.isAutomatic && rule.place != kProfileRule; });
    if (asked == rules.end() || outcome.kernels == 0)
      return;
    const std::string request = StringRef(asked->place).starts_with("--auto") ? "--auto" : "'auto' at " + asked->place;
    if (!isAsked("region")) {
      sentences.push_back(request + " has no effect with --probes=" + join(outcome.probes, ",") +
                          ": add region, the probe of what it selects");
      return;
    }
    const bool isTimed = any_of(outcome.plan.regions(), [](const Region &region) {
      return region.kind != RegionKind::Kernel && region.kind != RegionKind::Wait && region.kind != RegionKind::Signal;
    });
    const std::size_t small = count_if(outcome.skipped, [](const SkippedSite &site) { return site.isTooSmall; });
    if (!isTimed && small == outcome.skipped.size()) // else something is selected
      sentences.push_back(request + " selects nothing in it: " + whyNothingSelected(small));
    else
      addUnsearched();
  }

  void addUnsearched() {
    std::vector<UnsearchedKernel> leftOut = outcome.unsearched;
    erase_if(leftOut, [](const UnsearchedKernel &kernel) { return !kernel.isUsed || kernel.isRecorded; });
    if (leftOut.empty())
      return;
    const std::string first = "'" + leftOut.front().name + "' of '" + leftOut.front().header + "'";
    sentences.push_back(
        (leftOut.size() == 1 ? "--auto leaves out kernel " + first : "--auto leaves out kernels of headers, such as " + first) +
        ": headers are searched where a file for --select, given beside --auto, says " + headersFor(leftOut));
  }

  std::string whyNothingSelected(std::size_t small) const {
    std::vector<std::string> reasons;
    if (small > 0)
      reasons.push_back(countOf(small, "place") + " of its kind " + (small == 1 ? "is" : "are") + " too small, see --auto-guard");
    if (!outcome.unsearched.empty())
      reasons.push_back("its kernels are in headers, which are searched where a file for --select, given beside --auto, says " +
                        headersFor(outcome.unsearched));
    return reasons.empty() ? "there is nothing of its kind" : join(reasons, "; and ");
  }

  /// Those that are not counted beside others are listed with them.
  void addAccesses() {
    const std::vector<Site> &sites = outcome.plan.sites();
    if (outcome.kernels == 0 || sites.empty() || any_of(sites, [](const Site &site) { return site.kind != SiteKind::Unseen; }))
      return;
    const Site &first = *std::min_element(sites.begin(), sites.end(), [](const Site &left, const Site &right) {
      return std::tie(left.file, left.line, left.column) < std::tie(right.file, right.line, right.column);
    });
    sentences.push_back("none of its memory accesses can be counted, the first at " + placeOf(first) + ": " + first.reason);
  }

  const Outcome &outcome;
  std::vector<std::string> sentences;
};

} // namespace

std::vector<UnsearchedKernel> unsearchedKernels(const TranslationUnit &unit, ArrayRef<const clang::FunctionDecl *> kernels,
                                                const Plan &plan) {
  std::vector<UnsearchedKernel> out;
  for (const clang::FunctionDecl *kernel : kernels) {
    const Place place = unit.expansionPlace(kernel->getLocation());
    if (place.file == unit.sources.getMainFileID() || unit.isLookedInto(place.file) ||
        unit.sources.isInSystemHeader(unit.sources.getExpansionLoc(kernel->getLocation())))
      continue;
    const std::string &path = unit.pathOf(place.file);
    const bool isRecorded = any_of(plan.regions(), [&, line = unit.lineOf(place)](const Region &region) {
      return region.kind == RegionKind::Kernel && region.path == path && region.line == line;
    });
    out.push_back({kernel->getQualifiedNameAsString(), unit.fileOf(place.file).name, isUsed(kernel), isRecorded});
  }
  return out;
}

std::vector<std::string> idleRequests(const Outcome &outcome) { return IdleRequests(outcome).all(); }

std::string whyNothingIsRecorded(const Outcome &outcome, bool isWarnedOf) {
  if (isWarnedOf)
    return "";
  if (outcome.kernels == 0)
    return "it has no kernel, and no annotation: name the sources that define kernels (__global__)";
  if (!is_contained(outcome.probes, "region"))
    return "its kernels have nothing that --probes=" + join(outcome.probes, ",") + " records";
  const bool areInHeaders = outcome.unsearched.size() == outcome.kernels;
  return kNothingChosen.str() + (areInHeaders ? ", in headers with --select=FILE that says " + headersFor(outcome.unsearched) : "");
}

} // namespace kperf
