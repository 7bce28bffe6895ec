// Repairs inline assembly in one pass over the text that looks at a few tokens only.
#include "rewriters/source/AsmRepair.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;

namespace kperf {

namespace {

/// One pass over a text; knows comments and literals, and of the rest only parentheses.
class AsmScanner {
public:
  explicit AsmScanner(StringRef text) : text(text), repaired(text.str()) {}

  std::optional<std::string> run() {
    while (position < text.size()) {
      if (skipCommentOrLiteral(false))
        continue;
      if (startsAsm())
        scanAsm();
      else
        skipWord();
    }
    if (!changed)
      return std::nullopt;
    return std::move(repaired);
  }

private:
  static bool isWord(char letter) { return isAlnum(letter) || letter == '_'; }
  char at(std::size_t index) const { return index < text.size() ? text[index] : '\0'; }

  void skipWord() {
    if (!isWord(at(position))) {
      ++position;
      return;
    }
    while (isWord(at(position)))
      ++position;
  }

  /// Past a comment, a string or a character; in assembly, strings are repaired.
  bool skipCommentOrLiteral(bool repairsStrings) {
    StringRef rest = text.substr(position);
    if (rest.starts_with("//")) {
      position = std::min(text.find('\n', position), text.size());
      return true;
    }
    if (rest.starts_with("/*")) {
      std::size_t end = text.find("*/", position + 2);
      position = end == StringRef::npos ? text.size() : end + 2;
      return true;
    }
    bool isRaw = rest.starts_with("R\"") && (position == 0 || !isWord(at(position - 1)));
    if (isRaw) {
      std::size_t open = text.find('(', position);
      if (open == StringRef::npos) { // no compiler takes it
        position = text.size();
        return true;
      }
      std::string close = ")" + text.slice(position + 2, open).str() + "\"";
      std::size_t end = text.find(close, open);
      finishString(open, end == StringRef::npos ? text.size() : end + close.size(), repairsStrings);
      return true;
    }
    char quote = at(position);
    // A quote inside of a number separates digits.
    if (quote != '"' && (quote != '\'' || (position > 0 && isWord(at(position - 1)))))
      return false;
    std::size_t end = position + 1;
    while (end < text.size() && text[end] != quote && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    finishString(position, std::min(end + 1, text.size()), repairsStrings && quote == '"');
    return true;
  }

  void finishString(std::size_t begin, std::size_t end, bool repairs) {
    for (std::size_t index = begin; repairs && index + 1 < end; ++index) {
      if (text[index] != '%')
        continue;
      if (text[index + 1] == '%') {
        ++index;
        continue;
      }
      if (isAlpha(text[index + 1]) || text[index + 1] == '_') {
        repaired[index] = '_';
        changed = true;
      }
    }
    position = end;
  }

  /// At `asm`, `__asm__` or `__asm` with its qualifiers and parenthesis; the position is inside of it afterwards.
  bool startsAsm() {
    if (position > 0 && isWord(at(position - 1)))
      return false;
    StringRef rest = text.substr(position), before = rest;
    if (!rest.consume_front("__asm__") && !rest.consume_front("__asm") && !rest.consume_front("asm"))
      return false;
    if (!rest.empty() && isWord(rest.front()))
      return false;
    for (bool found = true; found;) {
      rest = rest.ltrim();
      found = rest.consume_front("__volatile__") || rest.consume_front("volatile") || rest.consume_front("inline") ||
              rest.consume_front("goto");
    }
    if (!rest.consume_front("("))
      return false;
    position += before.size() - rest.size();
    return true;
  }

  void scanAsm() {
    unsigned depth = 1;
    bool isInTemplate = true; // whose macros, `"add." NAME(f) " %0, 1;"`, end with a parenthesis before a string too
    while (position < text.size() && depth > 0) {
      if (skipCommentOrLiteral(depth == 1))
        continue;
      char letter = text[position++];
      if (letter == '(')
        ++depth;
      else if (letter == ')' && --depth == 1 && !isInTemplate)
        separateOperands();
      else if (letter == ':' && depth == 1)
        isInTemplate = false;
    }
  }

  /// Behind an operand's parenthesis: the next one may not follow without a comma.
  void separateOperands() {
    std::size_t next = position;
    while (isSpace(at(next)))
      ++next;
    std::size_t blank = text.slice(position, next).find_first_of(" \t");
    if (blank == StringRef::npos || at(next) != '"')
      return;
    repaired[position + blank] = ',';
    changed = true;
  }

  StringRef text;
  std::string repaired;
  std::size_t position = 0;
  bool changed = false;
};

/// What StringRef::contains would find, in a tenth of the time: every header of every source is asked.
bool mentionsAsm(StringRef text) {
  constexpr StringLiteral kWord = "asm";
  return memmem(text.data(), text.size(), kWord.data(), kWord.size()) != nullptr;
}

} // namespace

std::optional<std::string> repairAsm(StringRef text) { return mentionsAsm(text) ? AsmScanner(text).run() : std::nullopt; }

} // namespace kperf
