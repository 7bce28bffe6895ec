// Writes a selection file from what was chosen.
#include "tool/output/SelectionText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace kperf {

static constexpr StringRef kKindFirst = "{kind} {name}";

void SelectionText::prepare(Selection &selection) {
  for (SelectionRule &rule : selection.rules)
    rule.name = kKindFirst.str();
}

/// The key of a rule for what the selector calls so; "" for what takes a pattern that no region tells.
static StringRef keyOfKind(StringRef kind) {
  static constexpr std::pair<StringRef, StringRef> keys[] = {
      {"kernel", "kernels"}, {"function", "functions"}, {"loop", "loops"}, {"barrier", "barriers"}, {"async", "async"}};
  for (const auto &[word, key] : keys)
    if (word == kind)
      return key;
  return "";
}

static std::string quoted(StringRef text) {
  std::string out = "\"";
  for (const char c : text)
    out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return out + '"';
}

/// A pattern for a function's name. It covers those of others that end so, behind a "::", too.
static std::string patternOf(StringRef name) {
  return quoted(name.find_first_of("*?[{/\\") == StringRef::npos ? name.str() : "/^" + Regex::escape(name) + "$/");
}

/// Patterns of the functions whose names end as that one.
std::string SelectionText::endingAlike(StringRef name) const {
  const std::string last = "::" + name.str();
  std::vector<std::string> out;
  for (const Rule &rule : rules)
    if (std::string pattern = patternOf(rule.function); StringRef(rule.function).ends_with(last) && !is_contained(out, pattern))
      out.push_back(std::move(pattern));
  return join(out, ", ");
}

void SelectionText::addSite(StringRef name, StringRef function, StringRef file, unsigned line, StringRef reason) {
  const StringRef key = keyOfKind(name.split(' ').first);
  if (key.empty())
    return;
  const bool isBody = key == "kernels" || key == "functions";
  Rule rule{key.str(), function.str(), file.str(), isBody ? 0 : line, reason.str()};
  if (!is_contained(rules, rule)) // two on a line are one rule
    rules.push_back(std::move(rule));
}

void SelectionText::add(StringRef input, const RewriteResult &result) {
  inputs.push_back(input.str());
  for (const Region &region : result.regions)
    if (region.asked.value_or(region.kind) == format::RegionKind::Automatic) {
      addSite(region.name, region.function, region.file, region.line, "");
      if (region.file != input && !is_contained(headers, region.file))
        headers.push_back(region.file);
    }
  for (const SkippedSite &site : result.skipped)
    addSite(site.name, site.function, site.file, site.line, site.reason);
}

void SelectionText::printRule(const Rule &rule, raw_ostream &out) const {
  const StringRef begin = rule.reason.empty() ? "" : "# ";
  out << begin << "  - " << rule.kind << ": " << patternOf(rule.function) << (rule.reason.empty() ? "" : "  # " + rule.reason) << '\n';
  if (const std::string others = endingAlike(rule.function); !others.empty())
    out << begin << "    exclude: [" << others << "]\n";
  if (rule.line > 0)
    out << begin << "    line: " << rule.line << '\n';
  if (inputs.size() + headers.size() > 1)
    out << begin << "    files: " << quoted(sys::path::filename(rule.file)) << '\n';
}

Error SelectionText::print(raw_ostream &out) const {
  if (all_of(rules, [](const Rule &rule) { return !rule.reason.empty(); }))
    return createStringError("nothing is chosen in " + join(inputs, ", ") + ": --list-regions says what is left out, and why");
  out << "# What is timed in " << join(inputs, ", ")
      << " by --select=FILE.yaml with this file: take out the rules of what is not to be. A rule\n"
      << "# without 'line' is for all of its kind in the function, and stays right when lines move. Behind # is what --auto leaves out.\n";
  if (!headers.empty()) {
    out << "headers:\n";
    for (const std::string &header : headers)
      out << "  - " << quoted(sys::path::filename(header)) << '\n';
  }
  out << "rules:\n";
  for (const bool isLeftOut : {false, true})
    for (const Rule &rule : rules)
      if (rule.reason.empty() != isLeftOut)
        printRule(rule, out);
  return Error::success();
}

} // namespace kperf
