// Patterns, number ranges and the rules behind --auto.
#include "rewriters/pattern/Selection.h"

#include "rewriters/pattern/NameTemplate.h"
#include "rewriters/pattern/SelectionFile.h"
#include "rewriters/source/Path.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace llvm;

namespace kperf {

Expected<NamePattern> NamePattern::parse(StringRef text) {
  NamePattern pattern;
  pattern.text = std::make_shared<const std::string>(text);
  if (text.empty())
    return createStringError("a pattern is empty");
  if (text.size() > 1 && text.starts_with("/") && text.ends_with("/")) {
    auto regex = std::make_shared<Regex>(text.drop_front().drop_back());
    std::string reason;
    if (!regex->isValid(reason))
      return createStringError("'" + text + "' is no regular expression: " + reason);
    pattern.regex = std::move(regex);
    return pattern;
  }
  Expected<GlobPattern> glob = GlobPattern::create(*pattern.text, /*MaxSubPatterns=*/1024);
  if (!glob)
    return createStringError("'" + text + "' is no pattern: " + toString(glob.takeError()));
  pattern.glob = std::move(*glob);
  return pattern;
}

bool NamePattern::matches(StringRef name) const { return glob ? glob->match(name) : regex->match(name); }

bool NamePattern::matchesName(StringRef name) const {
  if (matches(name))
    return true;
  StringRef plain = name.take_until([](char letter) { return letter == '<'; }); // of a specialisation, or operator<
  if (plain.ends_with("operator"))
    plain = name;
  std::size_t colons = plain.rfind("::");
  return matches(plain) || (colons != StringRef::npos && matches(plain.substr(colons + 2)));
}

bool NamePattern::matchesPath(StringRef path) const {
  if (matches(path))
    return true;
  for (std::size_t slash = path.find('/'); slash != StringRef::npos; slash = path.find('/', slash + 1))
    if (matches(path.substr(slash + 1)))
      return true;
  return false;
}

bool anyMatchesPath(const NamePatterns &patterns, StringRef path) {
  const std::string whole = absolutePath(path);
  return any_of(patterns, [&](const NamePattern &pattern) { return pattern.matchesPath(path) || pattern.matchesPath(whole); });
}

Expected<NumberRange> NumberRange::parse(StringRef text) {
  auto [first, last] = text.split('-');
  NumberRange range;
  if (first.trim().getAsInteger(10, range.first) || range.first == 0)
    return createStringError("'" + text + "' is neither a number from 1 nor a range like 12-20");
  range.last = range.first;
  if (text.contains('-') && (last.trim().getAsInteger(10, range.last) || range.last < range.first))
    return createStringError("'" + text + "' is neither a number from 1 nor a range like 12-20");
  return range;
}

ArrayRef<StringRef> automaticKinds() {
  static constexpr StringRef words[] = {"kernels", "functions", "loops", "barriers", "async"};
  return words;
}

Expected<SelectionRule> automaticRule(StringRef word) {
  ArrayRef<StringRef> words = automaticKinds();
  const StringRef *found = find(words, word);
  if (found == words.end())
    return createStringError("'" + word + "' is not a kind of code that can be selected as a whole, expected " + join(words, ", "));
  SelectionRule rule;
  rule.kind = static_cast<SelectionKind>(found - words.begin());
  rule.name = kDefaultNameTemplate;
  rule.place = ("--auto=" + word).str();
  rule.isAutomatic = true;
  return rule;
}

Expected<Selection> makeSelection(const SelectionOptions &options) {
  Selection selection;
  if (!options.file.empty()) {
    Expected<Selection> read = readSelectionFile(options.file);
    if (!read)
      return read.takeError();
    selection = std::move(*read);
  }
  for (StringRef word : options.automatic) {
    Expected<SelectionRule> rule = automaticRule(word);
    if (!rule)
      return rule.takeError();
    selection.rules.push_back(std::move(*rule));
  }
  if (!options.guard.empty() && StringRef(options.guard).getAsInteger(10, selection.guard))
    return createStringError("--auto-guard takes a number of operations, found '" + options.guard + "'");
  constexpr unsigned kMaxBlocks = 1u << 20, kUsualBlocks = 16;
  if (options.sample) {
    selection.sample = kUsualBlocks;
    if (!options.sample->empty() &&
        (StringRef(*options.sample).getAsInteger(10, selection.sample) || selection.sample < 1 || selection.sample > kMaxBlocks))
      return createStringError("--sample takes a number of blocks from 1 to " + utostr(kMaxBlocks) + ", found '" + *options.sample + "'");
  }
  for (StringRef text : options.aggregate) {
    Expected<NamePattern> pattern = NamePattern::parse(text);
    if (!pattern)
      return createStringError("--aggregate: " + toString(pattern.takeError()));
    selection.aggregate.push_back(std::move(*pattern));
  }
  if ((options.extremes || options.histogram) && options.aggregate.empty())
    return createStringError(Twine(options.extremes ? "--extremes" : "--histogram") +
                             " adds to what --aggregate keeps: give --aggregate=NAME too");
  selection.keepsExtremes = options.extremes;
  selection.keepsHistogram = options.histogram;
  // What was asked for by name comes first, so that it decides a region's name.
  std::stable_partition(selection.rules.begin(), selection.rules.end(), [](const SelectionRule &rule) { return !rule.isAutomatic; });
  return selection;
}

} // namespace kperf
