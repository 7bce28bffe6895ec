// Matches the names of kernels and regions with the user's patterns.
#include "runtime/recorder/Switches.h"
#include "runtime/settings/Log.h"

#include <kperf/format.h>

#include <algorithm>
#include <fnmatch.h>
#include <utility>

namespace kperf::runtime {

namespace {

/// Where the first word of the list ends: at a comma, but for those among the arguments of a template.
std::size_t endOfWord(std::string_view list) {
  int depth = 0;
  for (std::size_t at = 0; at < list.size(); ++at) {
    const bool isBegin = list[at] == '<' || list.substr(at).starts_with(" ["), isEnd = list[at] == '>' || list[at] == ']';
    depth = std::max(0, depth + isBegin - isEnd);
    if (list[at] == ',' && depth == 0)
      return at;
  }
  return list.size();
}

} // namespace

NamePatterns::NamePatterns(const std::string &text, bool areOfKernels) {
  for (std::string_view left = text; !left.empty();) {
    std::string_view word = left.substr(0, areOfKernels ? endOfWord(left) : left.find(','));
    left.remove_prefix(std::min(word.size() + 1, left.size()));
    const bool excludes = word.starts_with('-');
    word.remove_prefix(excludes);
    if (!word.empty())
      (excludes ? excluded : included).push_back({.text = std::string(word), .takesInstances = areOfKernels && !excludes});
  }
}

bool NamePatterns::Pattern::matches(const std::string &name) const {
  const std::size_t scope = name.rfind("::");
  const std::string last = scope == std::string::npos ? name : name.substr(scope + 2);
  const auto isFor = [&](const std::string &pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0 || fnmatch(pattern.c_str(), last.c_str(), 0) == 0;
  };
  const std::size_t arguments = std::min(text.find('<'), text.find(" ["));
  return isFor(text) || (takesInstances && arguments > 0 && arguments < text.size() && isFor(text.substr(0, arguments)));
}

void NamePatterns::noteName(const std::string &name) {
  for (std::vector<Pattern> *patterns : {&included, &excluded})
    for (Pattern &pattern : *patterns)
      pattern.hasMatched |= pattern.matches(name);
}

std::string NamePatterns::unmatched() const {
  std::string out;
  for (const std::vector<Pattern> *patterns : {&included, &excluded})
    for (const Pattern &pattern : *patterns)
      if (!pattern.hasMatched)
        out += (out.empty() ? "'" : ", '") + pattern.text + "'";
  return out;
}

bool NamePatterns::wants(const std::string &name) const {
  const auto matches = [&](const Pattern &pattern) { return pattern.matches(name); };
  return (included.empty() || std::ranges::any_of(included, matches)) && std::ranges::none_of(excluded, matches);
}

void Switches::add(const kperf_module &module) {
  if ((isWindowSet || !regions.patterns.isEmpty()) && !module.is_switchable && module.region_count > 0 && !std::exchange(hasSaid, true))
    log("KPERF_REGIONS and KPERF_SKIP are heeded by builds with -DKPERF_SWITCHABLE: '%s' has none", module.regions[0].file);
  if (!areSet())
    return;
  for (const kperf_region &region : std::span(module.regions, module.region_count)) {
    const bool isKernel = region.kind == static_cast<std::uint32_t>(format::RegionKind::Kernel);
    if (!isKernel && !module.is_switchable)
      continue;
    Names &names = isKernel ? kernels : regions;
    names.patterns.noteName(region.name);
    names.there.insert(region.name);
    const bool isWanted = names.patterns.wants(region.name);
    const std::uint32_t bit = region.id % KPERF_SWITCHES;
    const auto [first, isNew] = seen.try_emplace(bit, Seen{region.id, region.name});
    if (!isNew && first->second.id == region.id)
      continue; // of a header that two modules include
    const bool isBitSet = (bits[bit / 32] >> bit % 32 & 1) != 0;
    if (!isNew && (isWanted ? isBitSet : !isBitSet))
      log("'%s' and '%s' can be switched together only, and both are off; rename one of them", region.name, first->second.name.c_str());
    if (!isWanted) {
      bits[bit / 32] |= 1u << bit % 32;
      ++off;
    }
  }
}

void Switches::sayUnmatched(const char *variable, const char *what, const Names &names) const {
  constexpr std::size_t kMaxNames = 8;
  const std::string unmatched = names.patterns.unmatched();
  if (unmatched.empty() || names.there.empty()) // of none that can be switched it was said
    return;
  std::string there;
  std::size_t count = 0;
  for (const std::string &name : names.there)
    if (++count <= kMaxNames)
      there += (there.empty() ? "" : ", ") + name;
  // So begins who means template arguments.
  const char *const instances =
      &names == &kernels && unmatched.find("'*") != std::string::npos
          ? " (instances of a template are recorded together, by its name; kperf report --kernel tells them apart)"
          : "";
  log("%s: no %s matches %s; there are %s%s%s", variable, what, unmatched.c_str(), there.c_str(), count > kMaxNames ? ", …" : "",
      instances);
}

void Switches::sayUnmatched() {
  sayUnmatched("KPERF_KERNELS", "kernel", kernels);
  sayUnmatched("KPERF_REGIONS", "region", regions);
}

} // namespace kperf::runtime
