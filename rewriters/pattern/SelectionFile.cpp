// Converts YAML nodes to a Selection, and reports each mistake with its line.
#include "rewriters/pattern/SelectionFile.h"

#include "rewriters/pattern/NameTemplate.h"
#include "rewriters/source/JsonDepth.h"
#include "rewriters/source/StoredFile.h"

#include "clang/ASTMatchers/Dynamic/Diagnostics.h"
#include "clang/ASTMatchers/Dynamic/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace kperf {

namespace {

/// Clang's parser of matchers takes memory with the square of it.
constexpr unsigned kMaxNesting = 64;

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;
constexpr unsigned kMaxCollections = 1000; // inside each other, which LLVM's parser follows by recursion

/// No less than how many collections of a YAML text are inside each other: brackets, what begins on one line, and lines that begin ever
/// farther to the right, of which a file that is not large has few.
bool isTooDeep(StringRef text) {
  if (bracketDepth(text, /*countsQuoted=*/true) > kMaxCollections)
    return true;
  SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  return any_of(lines, [](StringRef line) { return line.count("- ") + line.count("? ") + line.count(": ") > kMaxCollections; });
}

/// How deep parentheses are nested.
unsigned nesting(StringRef text) {
  unsigned depth = 0, most = 0;
  for (const char letter : text) {
    depth += letter == '(';
    depth -= letter == ')' && depth > 0;
    most = std::max(most, depth);
  }
  return most;
}

/// The words that say what a rule times, beside "lines", which may also narrow another rule.
constexpr std::pair<StringLiteral, SelectionKind> kKinds[] = {{"kernels", SelectionKind::Kernels}, {"functions", SelectionKind::Functions},
                                                              {"loops", SelectionKind::Loops},     {"barriers", SelectionKind::Barriers},
                                                              {"async", SelectionKind::Async},     {"calls", SelectionKind::Calls},
                                                              {"match", SelectionKind::Match}};

class SelectionReader {
public:
  SelectionReader(StringRef text, StringRef name) : fileName(name) {
    sources.setDiagHandler(
        [](const SMDiagnostic &diagnostic, void *reader) {
          auto *self = static_cast<SelectionReader *>(reader);
          std::string message = diagnostic.getMessage().str();
          if (!message.empty()) // YAML's own messages begin in upper case
            message.front() = toLower(message.front());
          self->addError(std::max(diagnostic.getLineNo(), 1), message);
        },
        this);
    stream.emplace(MemoryBufferRef(text, name), sources);
  }

  Expected<Selection> run() {
    yaml::document_iterator document = stream->begin();
    yaml::Node *root = document == stream->end() ? nullptr : document->getRoot();
    if (root && !stream->failed() && !isa<yaml::NullNode>(root))
      readMapping(root, [&](StringRef key, yaml::Node *value) { return readTopLevel(key, value); }, "name, guard, auto, headers or rules");
    if (!stream->failed() && errors.empty() && ++document != stream->end())
      addError(1, "the file holds more than one document");
    if (!stream->failed() && errors.empty() && selection.rules.empty() && selection.headers.empty())
      addError(1, "the file selects nothing: give 'rules', a list, 'auto' or 'headers'");
    if (!errors.empty())
      return createStringError(join(errors, "\n"));
    for (SelectionRule &rule : selection.rules)
      if (rule.name.empty())
        rule.name = defaultName;
    return std::move(selection);
  }

private:
  void addError(unsigned line, const Twine &message) { errors.push_back((fileName + ":" + Twine(line) + ": " + message).str()); }
  void addError(yaml::Node *node, const Twine &message) { addError(lineOf(node), message); }
  unsigned lineOf(yaml::Node *node) {
    SMLoc begin = node->getSourceRange().Start; // of an alias: what follows it
    if (auto *alias = dyn_cast<yaml::AliasNode>(node))
      begin = SMLoc::getFromPointer(alias->getName().data());
    return begin.isValid() ? sources.getLineAndColumn(begin).first : 1;
  }

  /// Calls `read` for each key; it answers false for one that it does not know.
  template <class Read> void readMapping(yaml::Node *node, Read read, StringRef expected) {
    auto *mapping = dyn_cast<yaml::MappingNode>(node);
    if (!mapping) {
      addError(node, "expected a mapping with " + expected);
      return node->skip();
    }
    StringSet<> seen;
    for (yaml::KeyValueNode &entry : *mapping) {
      yaml::Node *keyNode = entry.getKey();
      auto *key = dyn_cast_or_null<yaml::ScalarNode>(keyNode);
      if (stream->failed())
        return;
      if (!key) {
        addError(node, "a key is a plain word, expected " + expected);
        continue;
      }
      SmallString<32> storage;
      std::string word = key->getValue(storage).str();
      yaml::Node *value = entry.getValue();
      if (!value) // the stream has failed there, and has said so
        return;
      if (!seen.insert(word).second)
        addError(keyNode, "'" + word + "' stands here twice");
      else if (!read(word, value) && !stream->failed())
        addError(keyNode, "unknown key '" + word + "', expected " + expected);
    }
  }

  bool readTopLevel(StringRef key, yaml::Node *value) {
    if (key == "name")
      defaultName = readTemplate(value);
    else if (key == "guard")
      readGuard(value);
    else if (key == "headers")
      selection.headers = readPatterns(value);
    else if (key == "auto") {
      for (const auto &[word, line] : readWords(value))
        if (Expected<SelectionRule> rule = automaticRule(word)) {
          rule->place = fileName + ":" + std::to_string(line);
          selection.rules.push_back(std::move(*rule));
        } else
          addError(line, toString(rule.takeError()));
    } else if (key == "rules")
      readRules(value);
    else if (key == "lines" || any_of(kKinds, [&](const auto &kind) { return key == kind.first; })) {
      addError(value, "'" + key + "' is what a rule times: write it below 'rules:', as '- " + key + ": …'");
      value->skip();
    } else
      return false;
    return true;
  }

  void readGuard(yaml::Node *value) {
    std::optional<std::string> text = readScalar(value);
    if (text && StringRef(*text).getAsInteger(10, selection.guard))
      addError(value, "'" + *text + "' is no number of operations");
  }

  void readRules(yaml::Node *value) {
    auto *list = dyn_cast<yaml::SequenceNode>(value);
    if (!list) {
      addError(value, "'rules' is a list: begin each rule with '-'");
      return value->skip();
    }
    for (yaml::Node &node : *list)
      if (!stream->failed())
        readRule(&node);
  }

  void readRule(yaml::Node *node) {
    SelectionRule rule;
    unsigned line = lineOf(node);
    rule.place = fileName + ":" + std::to_string(line);
    std::vector<StringRef> kinds;
    std::size_t errorsBefore = errors.size();
    readMapping(
        node,
        [&](StringRef key, yaml::Node *value) {
          for (const auto &[word, kind] : kKinds)
            if (key == word) {
              kinds.push_back(word);
              rule.kind = kind;
              kind == SelectionKind::Match ? readMatcher(value, rule) : void(rule.patterns = readPatterns(value));
              return true;
            }
          return readFilter(key, value, rule);
        },
        "kernels, functions, loops, barriers, async, calls, match, lines, in, exclude, files, depth or name");
    if (kinds.size() > 1)
      addError(line, "a rule times one kind of thing, found '" + join(kinds, "' and '") + "': write two rules");
    if (kinds.empty())
      rule.kind = SelectionKind::Lines;
    if (kinds.empty() && !rule.lines && errors.size() == errorsBefore)
      addError(line, "the rule does not say what it times: give kernels, functions, loops, barriers, async, calls, match "
                     "or lines");
    else
      checkFilters(rule, line);
    selection.rules.push_back(std::move(rule));
  }

  bool readFilter(StringRef key, yaml::Node *value, SelectionRule &rule) {
    if (key == "name")
      rule.name = readTemplate(value);
    else if (key == "exclude")
      rule.exclude = readPatterns(value);
    else if (key == "in")
      rule.in = readPatterns(value);
    else if (key == "files")
      rule.files = readPatterns(value);
    else if (key == "lines" || key == "line")
      rule.lines = readRange(value);
    else if (key == "depth")
      rule.depth = readRange(value);
    else
      return false;
    return true;
  }

  void checkFilters(const SelectionRule &rule, unsigned line) {
    if (rule.depth && rule.kind != SelectionKind::Loops)
      addError(line, "'depth' counts loops and narrows a rule with 'loops' only");
    if (!rule.in.empty() && rule.kind != SelectionKind::Calls && rule.kind != SelectionKind::Match)
      addError(line, "'in' narrows a rule with 'calls' or 'match'; the patterns of the others are functions already");
    if (!rule.exclude.empty() && (rule.kind == SelectionKind::Lines || rule.kind == SelectionKind::Match))
      addError(line, "'exclude' takes out of a list of names, and this rule has none");
  }

  void readMatcher(yaml::Node *value, SelectionRule &rule) {
    std::optional<std::string> text = readScalar(value);
    if (!text)
      return;
    rule.matcher = *text;
    if (nesting(rule.matcher) > kMaxNesting)
      return addError(value, "the matcher is nested " + utostr(nesting(rule.matcher)) + " deep, expected at most " + utostr(kMaxNesting));
    StringRef code = rule.matcher;
    clang::ast_matchers::dynamic::Diagnostics diagnostics;
    if (clang::ast_matchers::dynamic::Parser::parseMatcherExpression(code, &diagnostics))
      return;
    const auto [line, mistaken] = lineOfMistake(value, rule.matcher, diagnostics);
    addError(line, "'" + mistaken + "' is no AST matcher: " + diagnostics.toString());
  }

  /// The file's line of a matcher's mistake, and what stands there: a block of text has lines of its own.
  std::pair<unsigned, StringRef> lineOfMistake(yaml::Node *value, StringRef matcher,
                                               const clang::ast_matchers::dynamic::Diagnostics &diagnostics) {
    const auto *block = dyn_cast<yaml::BlockScalarNode>(value);
    if (!block || diagnostics.errors().empty() || diagnostics.errors().front().Messages.empty())
      return {lineOf(value), matcher};
    const unsigned inside = std::max(diagnostics.errors().front().Messages.front().Range.Start.Line, 1u) - 1;
    const StringRef before = block->getValue().take_until([](char letter) { return !isSpace(letter); });
    SmallVector<StringRef> lines;
    matcher.split(lines, '\n');
    return {lineOf(value) + before.count('\n') + inside, lines[std::min<std::size_t>(inside, lines.size() - 1)].trim()};
  }

  std::string readTemplate(yaml::Node *value) {
    std::optional<std::string> text = readScalar(value);
    if (!text)
      return {};
    if (Error error = checkNameTemplate(*text))
      addError(value, toString(std::move(error)));
    return *text;
  }

  NumberRange readRange(yaml::Node *value) {
    std::optional<std::string> text = readScalar(value);
    if (!text)
      return {};
    Expected<NumberRange> range = NumberRange::parse(*text);
    if (range)
      return *range;
    addError(value, toString(range.takeError()));
    return {};
  }

  NamePatterns readPatterns(yaml::Node *value) {
    NamePatterns patterns;
    for (const auto &[word, line] : readWords(value))
      if (Expected<NamePattern> pattern = NamePattern::parse(word))
        patterns.push_back(std::move(*pattern));
      else
        addError(line, toString(pattern.takeError()));
    return patterns;
  }

  /// One word or a list of them, each with its line.
  std::vector<std::pair<std::string, unsigned>> readWords(yaml::Node *value) {
    std::vector<std::pair<std::string, unsigned>> words;
    auto read = [&](yaml::Node *node) {
      unsigned line = lineOf(node);
      if (std::optional<std::string> word = readScalar(node))
        words.emplace_back(std::move(*word), line);
    };
    auto *list = dyn_cast<yaml::SequenceNode>(value);
    if (!list) {
      read(value);
      return words;
    }
    for (yaml::Node &node : *list)
      read(&node);
    return words;
  }

  /// Nothing where something else stands, which is an error.
  std::optional<std::string> readScalar(yaml::Node *value) {
    SmallString<64> storage;
    if (auto *scalar = dyn_cast<yaml::ScalarNode>(value))
      return scalar->getValue(storage).str();
    if (auto *block = dyn_cast<yaml::BlockScalarNode>(value))
      return block->getValue().trim().str();
    if (isa<yaml::AliasNode>(value))
      addError(value, "a word that begins with * stands in quotes: \"*" + cast<yaml::AliasNode>(value)->getName() + "\"");
    else if (!stream->failed())
      addError(value, "expected a word");
    value->skip();
    return std::nullopt;
  }

  std::string fileName;
  SourceMgr sources;
  std::optional<yaml::Stream> stream;
  std::vector<std::string> errors;
  std::string defaultName = kDefaultNameTemplate.str();
  Selection selection;
};

} // namespace

Expected<Selection> parseSelection(StringRef text, StringRef name) {
  if (isTooDeep(text))
    return createStringError(name + ":1: collections nest deeper than " + utostr(kMaxCollections) +
                             ", expected rules, of which each is a mapping of words");
  return SelectionReader(text, name).run();
}

Expected<Selection> readSelectionFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readStoredFile(path, kMaxBytes);
  if (!buffer) {
    SmallString<256> folder; // a build's launcher runs in folders that nobody thinks of
    const bool isNamed = !sys::path::is_absolute(path) && !sys::fs::exists(path) && !sys::fs::current_path(folder);
    const std::string where = isNamed ? (" in '" + folder + "'").str() : "";
    return createStringError("can't read the selection file '" + path + "'" + where + ": " + toString(buffer.takeError()) +
                             (isNamed ? "; give its whole path" : ""));
  }
  return parseSelection((*buffer)->getBuffer(), path);
}

} // namespace kperf
