// Lexes a file once with Clang's raw lexer.
#include "rewriters/source/TokenLayout.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace kperf {

TokenLayout::TokenLayout(StringRef text, const clang::LangOptions &languageOptions) : text(text) {
  // The lexer wants a terminating zero, which the caller's buffer has; locations count from 1 here.
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), languageOptions, text.begin(), text.begin(), text.end());
  clang::Token token;
  lexer.LexFromRawLexer(token);
  auto offsetOf = [](const clang::Token &token) { return token.getLocation().getRawEncoding() - 1; };
  while (token.isNot(clang::tok::eof)) {
    unsigned offset = offsetOf(token), end = offset + token.getLength();
    if (token.isNot(clang::tok::hash) || !token.isAtStartOfLine()) {
      items.push_back({offset, end, false, openBranches.back(), {}});
      lexer.LexFromRawLexer(token);
      continue;
    }
    StringRef keyword;
    lexer.LexFromRawLexer(token);
    while (token.isNot(clang::tok::eof) && !token.isAtStartOfLine()) {
      if (keyword.empty() && token.is(clang::tok::raw_identifier))
        keyword = token.getRawIdentifier();
      end = offsetOf(token) + token.getLength();
      lexer.LexFromRawLexer(token);
    }
    addDirective(keyword, offset, end);
  }
}

void TokenLayout::addDirective(StringRef keyword, unsigned offset, unsigned end) {
  bool opens = keyword.starts_with("if");
  bool closes = keyword == "endif";
  bool switches = keyword.starts_with("el");
  if ((closes || switches) && openBranches.size() > 1)
    openBranches.pop_back();
  if (opens || switches)
    openBranches.push_back(branchCount++);
  items.push_back({offset, end, true, openBranches.back(), keyword.str()});
}

/// Index of the last item that begins at or before the byte.
std::size_t TokenLayout::indexAt(unsigned offset) const {
  auto next = std::upper_bound(items.begin(), items.end(), offset, [](unsigned offset, const Item &item) { return offset < item.offset; });
  return next == items.begin() ? 0 : static_cast<std::size_t>(next - items.begin()) - 1;
}

bool TokenLayout::isForeignPragma(const Item &item) const {
  if (!item.isDirective || item.directive != "pragma")
    return false;
  StringRef words = text.slice(item.offset + 1, item.end).ltrim();
  words.consume_front("pragma");
  return !words.ltrim().starts_with("kperf");
}

OpenPoint TokenLayout::before(unsigned offset) const {
  std::size_t statement = indexAt(offset), token = statement;
  std::optional<std::size_t> firstPragma; // of those that no unbalanced conditional separates from the statement
  int depth = 0;
  bool isBalanced = true;
  while (token > 0 && items[token - 1].isDirective) {
    const Item &item = items[--token];
    StringRef directive = item.directive;
    if (directive == "endif")
      ++depth;
    else if (directive.starts_with("if") && --depth < 0)
      isBalanced = false;
    else if (directive.starts_with("el") && depth == 0)
      isBalanced = false;
    if (isBalanced && isForeignPragma(item))
      firstPragma = token;
  }
  if (!firstPragma)
    return {offset, {}, {}};
  if (token > 0 && isBalanced && depth == 0)
    return {items[token - 1].end, " ", {}};
  // Nothing but a directive's own line is left: say the pragma as an operator and turn the directive into a comment.
  const Item &pragma = items[*firstPragma];
  StringRef words = text.slice(pragma.offset + 1, pragma.end).ltrim();
  words.consume_front("pragma");
  std::string quoted;
  for (char letter : words.trim()) {
    if (letter == '\\' || letter == '"')
      quoted += '\\';
    quoted += letter == '\n' || letter == '\r' ? ' ' : letter;
  }
  return {pragma.offset, {}, "_Pragma(\"" + quoted + "\") //"};
}

unsigned TokenLayout::after(unsigned offset) const {
  std::size_t last = indexAt(offset);
  for (std::size_t next = last + 1; next < items.size(); ++next) {
    if (items[next].isDirective)
      break;
    if (text[items[next].offset] == ';')
      return items[next].end;
    break;
  }
  return items[last].end;
}

bool TokenLayout::inSameBranch(unsigned left, unsigned right) const { return items[indexAt(left)].branch == items[indexAt(right)].branch; }

std::vector<std::string> TokenLayout::conditionsAt(unsigned offset) const {
  std::vector<std::string> conditions;
  std::string branches; // of the innermost #if that is not complete
  unsigned closed = 0;
  for (std::size_t index = indexAt(offset); index-- > 0;) {
    const Item &item = items[index];
    const bool opens = StringRef(item.directive).starts_with("if");
    if (item.directive == "endif")
      ++closed;
    else if (closed > 0)
      closed -= opens;
    else if (opens || StringRef(item.directive).starts_with("el")) {
      std::string words = text.slice(item.offset, item.end).str();
      erase_if(words, [](char letter) { return isSpace(letter) || letter == '\\'; });
      branches.insert(0, words);
      if (opens)
        conditions.push_back(std::exchange(branches, {}));
    }
  }
  return conditions;
}

std::optional<unsigned> TokenLayout::previousToken(unsigned offset) const {
  for (std::size_t index = indexAt(offset); index > 0; --index)
    if (!items[index - 1].isDirective)
      return items[index - 1].offset;
  return std::nullopt;
}

std::optional<unsigned> TokenLayout::nextToken(unsigned offset) const {
  for (std::size_t index = indexAt(offset) + 1; index < items.size(); ++index)
    if (!items[index].isDirective)
      return items[index].offset;
  return std::nullopt;
}

StringRef TokenLayout::tokenText(unsigned offset) const {
  const Item &item = items[indexAt(offset)];
  return text.slice(item.offset, item.end);
}

std::string TokenLayout::textBetween(unsigned first, unsigned last) const {
  std::string result;
  const std::size_t from = indexAt(first);
  for (std::size_t index = from, to = indexAt(last); index <= to; ++index) {
    const Item &item = items[index];
    if (item.isDirective)
      return {};
    if (index > from && items[index - 1].end != item.offset)
      result += ' ';
    result += text.slice(item.offset, item.end);
  }
  return StringRef(result).contains('\n') ? std::string() : result; // a token over several lines
}

std::optional<unsigned> TokenLayout::directiveAt(unsigned offset) const {
  const Item &item = items[indexAt(offset)];
  if (!item.isDirective)
    return std::nullopt;
  return item.offset;
}

} // namespace kperf
