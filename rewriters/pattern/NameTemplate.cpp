// Checks and expands templates of names.
#include "rewriters/pattern/NameTemplate.h"

using namespace llvm;

namespace kperf {

/// Calls `literal` for text and `word` for what stands in braces; false when a brace has no counterpart.
template <class Literal, class Word> static bool scan(StringRef text, Literal literal, Word word) {
  while (!text.empty()) {
    std::size_t brace = text.find_first_of("{}");
    literal(text.take_front(brace));
    if (brace == StringRef::npos)
      return true;
    text = text.drop_front(brace);
    if (text.starts_with("{{") || text.starts_with("}}")) {
      literal(text.take_front(1));
      text = text.drop_front(2);
      continue;
    }
    std::size_t close = text.find('}');
    if (text.front() == '}' || close == StringRef::npos)
      return false;
    word(text.slice(1, close));
    text = text.drop_front(close + 1);
  }
  return true;
}

Error checkNameTemplate(StringRef nameTemplate) {
  if (nameTemplate.trim().empty())
    return createStringError("a name is empty: say for example \"{function}:{line}\"");
  std::string unknown;
  auto isKnown = [](StringRef word) { return word == "function" || word == "kind" || word == "name" || word == "file" || word == "line"; };
  bool isClosed = scan(
      nameTemplate, [](StringRef) {},
      [&](StringRef word) {
        if (!isKnown(word) && unknown.empty())
          unknown = word.str();
      });
  if (!isClosed)
    return createStringError("'" + nameTemplate +
                             "' has a brace without its counterpart: write {{ or }} for the brace "
                             "itself");
  if (!unknown.empty())
    return createStringError("{" + unknown +
                             "} is not a placeholder, expected {function}, {line}, {kind}, {name} or "
                             "{file}");
  return Error::success();
}

std::string expandNameTemplate(StringRef nameTemplate, const NameParts &parts) {
  std::string name;
  scan(
      nameTemplate, [&](StringRef text) { name += text; },
      [&](StringRef word) {
        name += word == "function" ? parts.function
                : word == "kind"   ? parts.kind
                : word == "name"   ? parts.name
                : word == "file"   ? parts.file
                                   : std::to_string(parts.line);
      });
  return name;
}

} // namespace kperf
