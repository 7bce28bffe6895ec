// Compares a rule that chose nothing with the names, the headers and the loops that are there.
#include "rewriters/select/IdleRule.h"

#include "rewriters/select/Selectable.h"

#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace kperf {
namespace {

using Names = std::vector<std::string>;

std::string listOf(const Names &names) {
  constexpr std::size_t kMaxNames = 8;
  std::string text;
  for (const std::string &name : ArrayRef(names).take_front(kMaxNames))
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text + (names.size() > kMaxNames ? ", …" : "");
}

void addOnce(Names &names, StringRef name) {
  if (!is_contained(names, name))
    names.push_back(name.str());
}

StringRef lastPart(StringRef name) { return name.substr(name.rfind(':') + 1); }

/// The name that a pattern may have been meant to cover; "" when some third of the letters differ, or when it is more than a name.
std::string nearestName(StringRef pattern, const Names &names) {
  const StringRef wanted = pattern.trim('*');
  std::string nearest;
  if (wanted.find_first_of("*?[]{}/\\") != StringRef::npos)
    return nearest;
  unsigned best = ~0u;
  for (const std::string &name : names) {
    const StringRef compared = wanted.contains(':') ? StringRef(name) : lastPart(name);
    const unsigned distance = wanted.edit_distance(compared);
    if (3 * distance <= std::max(wanted.size(), compared.size()) + 1 && distance < best) { // two letters of five that are swapped
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

class IdleRule {
public:
  IdleRule(const TranslationUnit &unit, const SelectionRule &rule, const std::vector<RuleCandidate> &candidates)
      : unit(unit), rule(rule), candidates(candidates) {}

  std::string remedy() const {
    for (const auto say :
         {&IdleRule::otherKind, &IdleRule::nearName, &IdleRule::idleHeader, &IdleRule::inHeader, &IdleRule::inNone, &IdleRule::loopDepth})
      if (std::string text = (this->*say)(); !text.empty())
        return text;
    const Names names = namesThere();
    const std::string elsewhere = "if it is meant for another file, name that with 'files'";
    return isMisnamed() && !names.empty() ? whatIsThere(names) + "; " + elsewhere : elsewhere;
  }

private:
  bool isKernel(const RuleCandidate &candidate) const { return candidate.function->function->hasAttr<clang::CUDAGlobalAttr>(); }

  /// What says in which functions the rule looks, or which functions are called.
  const NamePatterns &patterns() const { return rule.kind == SelectionKind::Match ? rule.in : rule.patterns; }

  std::string whatIsThere(const Names &names) const {
    if (rule.kind == SelectionKind::Calls)
      return "it calls " + listOf(names);
    const std::string noun = rule.kind == SelectionKind::Kernels ? "kernel" : "function";
    return "its " + noun + (names.size() > 1 ? "s are " : " is ") + listOf(names);
  }

  /// Whether the rule is about functions like this one.
  bool isOfKind(const RuleCandidate &candidate) const {
    return rule.kind == SelectionKind::Kernels ? isKernel(candidate) : rule.kind != SelectionKind::Functions || !isKernel(candidate);
  }

  bool isMisnamed() const {
    if (rule.kind == SelectionKind::Lines || patterns().empty())
      return false;
    return rule.kind == SelectionKind::Calls || none_of(candidates, [&](const RuleCandidate &each) {
             return appliesTo(rule, each) && isOfKind(each) && selectsFunction(patterns(), {}, each);
           });
  }

  /// The functions that the rule could name.
  Names namesThere() const {
    Names names;
    for (const RuleCandidate &each : candidates) {
      if (!appliesTo(rule, each))
        continue;
      if (rule.kind != SelectionKind::Calls) {
        if (isOfKind(each) && !StringRef(each.name).ends_with("(lambda)"))
          addOnce(names, each.name);
        continue;
      }
      if (selectsFunction(rule.in, {}, each))
        for (const Selectable &selectable : selectablesOf(unit, *each.function))
          if (selectable.kind == SelectionKind::Calls)
            addOnce(names, selectable.name);
    }
    return names;
  }

  std::string otherKind() const {
    const bool asksForKernels = rule.kind == SelectionKind::Kernels;
    if (!asksForKernels && rule.kind != SelectionKind::Functions)
      return {};
    for (const RuleCandidate &each : candidates)
      if (each.isLookedInto && isKernel(each) != asksForKernels && selectsFunction(rule.patterns, rule.exclude, each))
        return "'" + each.name +
               (asksForKernels ? "' is no kernel: write 'functions' for 'kernels'" : "' is a kernel: write 'kernels' for 'functions'");
    return {};
  }

  std::string nearName() const {
    const Names names = isMisnamed() ? namesThere() : Names();
    for (const NamePattern &pattern : patterns())
      if (const std::string nearest = nearestName(pattern.spelling(), names); !nearest.empty())
        return (names.size() > 1 ? whatIsThere(names) + "; " : std::string()) + "did you mean '" + nearest + "'?";
    return {};
  }

  static StringRef shortPath(StringRef path) {
    path.consume_front("./");
    return path;
  }

  bool isIncluded(const NamePattern &header) const {
    return any_of(unit.preprocessing.includes,
                  [&](const IncludeUse &use) { return use.target && anyMatchesPath({header}, use.target->getName()); });
  }

  /// Of the headers that are not looked into, those with kernels first.
  Names headersWithCode() const {
    Names files;
    for (const bool wantsKernels : {true, false})
      for (const RuleCandidate &each : candidates)
        if (!each.isLookedInto && isKernel(each) == wantsKernels)
          addOnce(files, shortPath(each.file));
    constexpr std::size_t kMaxFiles = 3;
    files.resize(std::min(files.size(), kMaxFiles));
    return files;
  }

  std::string idleHeader() const {
    for (const NamePattern &pattern : unit.selection.headers) {
      if (isIncluded(pattern))
        continue;
      const Names files = headersWithCode();
      return "no header that it includes matches '" + pattern.spelling().str() + "' of 'headers'" +
             (files.empty() ? "" : "; kernels and functions are in " + listOf(files));
    }
    return {};
  }

  /// Whether calls are to be in functions that are not there.
  bool isInNone() const {
    return rule.kind == SelectionKind::Calls && !rule.in.empty() &&
           none_of(candidates, [&](const RuleCandidate &each) { return appliesTo(rule, each) && selectsFunction(rule.in, {}, each); });
  }

  std::string inNone() const {
    Names names;
    for (const RuleCandidate &each : candidates)
      if (isInNone() && appliesTo(rule, each) && !StringRef(each.name).ends_with("(lambda)"))
        addOnce(names, each.name);
    if (names.empty())
      return {};
    std::string text = "'in' matches none of its functions, " + listOf(names);
    for (const NamePattern &pattern : rule.in)
      if (const std::string nearest = nearestName(pattern.spelling(), names); !nearest.empty())
        return text + "; did you mean '" + nearest + "'?";
    return text;
  }

  /// What the rule names is there, but not looked into.
  std::string inHeader() const {
    const bool isOfCalls = rule.kind == SelectionKind::Calls;
    if (isOfCalls ? !isInNone() : !isMisnamed())
      return {};
    for (const RuleCandidate &each : candidates)
      if (!each.isLookedInto && isOfKind(each) && selectsFunction(isOfCalls ? rule.in : patterns(), rule.exclude, each))
        return "'" + each.name + "' is in '" + shortPath(each.file).str() +
               "', which is searched where the selection names it: headers: [\"*/" + sys::path::filename(each.file).str() + "\"]";
    return {};
  }

  std::string loopDepth() const {
    if (rule.kind != SelectionKind::Loops || !rule.depth)
      return {};
    unsigned deepest = 0;
    for (const RuleCandidate &each : candidates)
      if (appliesTo(rule, each) && selectsFunction(rule.patterns, rule.exclude, each))
        for (const Selectable &selectable : selectablesOf(unit, *each.function))
          deepest = std::max(deepest, selectable.kind == SelectionKind::Loops ? selectable.depth : 0);
    if (deepest == 0 || deepest >= rule.depth->first)
      return {};
    return "its loops have a 'depth' of at most " + std::to_string(deepest);
  }

  const TranslationUnit &unit;
  const SelectionRule &rule;
  const std::vector<RuleCandidate> &candidates;
};

} // namespace

std::string remedyFor(const TranslationUnit &unit, const SelectionRule &rule, const std::vector<RuleCandidate> &candidates) {
  return IdleRule(unit, rule, candidates).remedy();
}

} // namespace kperf
