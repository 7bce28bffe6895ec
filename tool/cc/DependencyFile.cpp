// Reads, maps and writes Make's dependency rules.
#include "tool/cc/DependencyFile.h"

#include "rewriters/source/WholeFile.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <vector>

namespace kperf::cc {
namespace {

/// One word of the file: a path as Make spells it.
struct Word {
  std::string raw;
  bool endsTargets = false; ///< a colon stood behind it
  bool endsRule = false;
};

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// A colon ends the targets when a blank or the end of the line follows it.
bool isSeparator(llvm::StringRef text, std::size_t at) {
  return text[at] == ':' && (at + 1 == text.size() || isBlank(text[at + 1]) || text[at + 1] == '\n');
}

std::vector<Word> readWords(llvm::StringRef text) {
  std::vector<Word> words;
  std::string raw;
  auto finish = [&] {
    if (!raw.empty())
      words.push_back({std::exchange(raw, "")});
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      finish();
      ++i;
    } else if (c == '\\' && i + 1 < text.size()) {
      raw += c;
      raw += text[++i];
    } else if (c == '\n' || isBlank(c) || isSeparator(text, i)) {
      finish();
      if (c == ':' && !words.empty())
        words.back().endsTargets = true;
      if (c == '\n' && !words.empty())
        words.back().endsRule = true;
    } else {
      raw += c;
    }
  }
  finish();
  if (!words.empty())
    words.back().endsRule = true;
  return words;
}

std::string withoutEscapes(llvm::StringRef raw) {
  std::string path;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const bool escapes = raw[i] == '\\' && i + 1 < raw.size() && llvm::StringRef(" #\\:").contains(raw[i + 1]);
    const bool dollar = raw[i] == '$' && i + 1 < raw.size() && raw[i + 1] == '$';
    if (escapes || dollar)
      ++i;
    path += raw[i];
  }
  return path;
}

std::string withEscapes(llvm::StringRef path) {
  std::string raw;
  for (char c : path) {
    if (c == ' ' || c == '#')
      raw += '\\';
    if (c == '$')
      raw += '$';
    raw += c;
  }
  return raw;
}

/// A rule being collected.
struct Rule {
  std::vector<std::string> targets, prerequisites; ///< as Make spells them
  bool inTargets = true;
};

std::optional<std::string> mapWord(llvm::StringRef raw, PathMapping mapping) {
  const std::string path = withoutEscapes(raw);
  std::optional<std::string> mapped = mapping(path);
  if (!mapped)
    return std::nullopt;
  return *mapped == path ? raw.str() : withEscapes(*mapped);
}

void writeRule(const Rule &rule, PathMapping mapping, llvm::StringRef added, llvm::StringSet<> &phony, std::string &out) {
  if (rule.prerequisites.empty()) { // from -MP: the target is itself a prerequisite of another rule
    for (const std::string &target : rule.targets)
      if (auto mapped = mapWord(target, mapping); mapped && phony.insert(*mapped).second)
        out += "\n" + *mapped + ":\n";
    return;
  }
  llvm::StringSet<> seen;
  for (const std::string &target : rule.targets)
    out += (&target == &rule.targets.front() ? "" : " ") + target;
  out += ":";
  for (const std::string &prerequisite : rule.prerequisites)
    if (auto mapped = mapWord(prerequisite, mapping); mapped && seen.insert(*mapped).second)
      out += (seen.size() == 1 ? " " : " \\\n  ") + *mapped;
  if (!added.empty())
    out += " \\\n  " + withEscapes(added);
  out += "\n";
}

} // namespace

std::string mapDependencies(llvm::StringRef makeText, PathMapping mapping, llvm::StringRef added) {
  std::string out;
  llvm::StringSet<> phony;
  Rule rule;
  for (const Word &word : readWords(makeText)) {
    (rule.inTargets ? rule.targets : rule.prerequisites).push_back(word.raw);
    if (word.endsTargets)
      rule.inTargets = false;
    if (word.endsRule) {
      writeRule(rule, mapping, added, phony, out);
      rule = Rule();
    }
  }
  return out;
}

llvm::Error mapDependencyFile(llvm::StringRef path, PathMapping mapping, llvm::StringRef added) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true, /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return llvm::Error::success();
  const std::string text = mapDependencies((*buffer)->getBuffer(), mapping, added);
  return writeWholeFile(path, text);
}

} // namespace kperf::cc
