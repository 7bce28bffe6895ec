// Splits PTX into statements.
#include "tool/plain/PtxStatements.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>

namespace kperf::plain {

using llvm::StringRef;
using Kind = Statement::Kind;

bool beginsWord(char c) { return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%'; }

StringRef lineOf(StringRef text) {
  return text.take_until([](char c) { return c == '\n'; });
}

static bool continuesWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

std::size_t tokenLength(StringRef text) {
  if (text.starts_with("//"))
    return std::min(text.find('\n'), text.size());
  if (text.starts_with("/*"))
    return std::min(text.find("*/", 2), text.size() - 2) + 2;
  if (text.front() == '"')
    return std::min(text.find('"', 1), text.size() - 1) + 1;
  std::size_t length = 1;
  if (beginsWord(text.front()) || text.front() == '.' || llvm::isDigit(text.front()))
    while (length < text.size() && (continuesWord(text[length]) || (llvm::isDigit(text.front()) && text[length] == '.')))
      ++length;
  return length;
}

StringRef bodyOf(StringRef function) {
  while (!function.starts_with("{"))
    function = function.drop_front(tokenLength(function));
  return function;
}

bool isDirective(StringRef text, StringRef directive) {
  return text.starts_with(directive) && (text.size() == directive.size() || !continuesWord(text[directive.size()]));
}

static bool isBlankOrComment(StringRef token) { return llvm::isSpace(token.front()) || token.starts_with("//") || token.starts_with("/*"); }

/// One statement from its first token on. Fails at the end of the text, within it.
static std::optional<Statement> statementAt(StringRef text) {
  for (StringRef directive : {".version", ".target", ".address_size", ".file", ".loc", ".pragma"})
    if (isDirective(text, directive))
      return Statement{Kind::Directive, lineOf(text), {}};
  Statement out{text.starts_with(".section") ? Kind::Section : Kind::Variable, {}, {}};
  unsigned braces = 0, parentheses = 0;
  bool isNameNext = true; // behind what a function returns, and what a variable is aligned to
  for (std::size_t at = 0; at < text.size();) {
    const StringRef token = text.substr(at, tokenLength(text.substr(at)));
    at += token.size();
    if (isBlankOrComment(token))
      continue;
    if (braces == 0 && (token == ".func" || token == ".entry")) {
      out.kind = Kind::Function;
      out.isEntry = token == ".entry";
    } else if (token == "(") {
      ++parentheses;
    } else if (token == ")") {
      parentheses -= parentheses > 0;
    } else if (isNameNext && braces == 0 && parentheses == 0 && beginsWord(token.front())) {
      out.name = token;
      isNameNext = false;
    } else if (token == "{") {
      ++braces;
    } else if (token == "}" && braces > 0 && --braces == 0 && out.kind != Kind::Variable) {
      out.hasBody = true;
      out.text = text.take_front(at);
      return out;
    } else if (token == ";" && braces == 0) {
      out.text = text.take_front(at);
      return out;
    }
  }
  return std::nullopt;
}

llvm::Expected<std::vector<Statement>> statementsOf(StringRef text) {
  std::vector<Statement> out;
  while (!text.empty()) {
    const StringRef token = text.take_front(tokenLength(text));
    if (isBlankOrComment(token)) {
      text = text.drop_front(token.size());
      continue;
    }
    const auto statement = statementAt(text);
    if (!statement)
      return llvm::createStringError("a statement of its PTX has no end: '%s'", lineOf(text).take_front(60).str().c_str());
    if (statement->text.starts_with(".target") && statement->text.contains("debug"))
      return llvm::createStringError("it has device debug information");
    if (statement->text.contains(".alias"))
      return llvm::createStringError("its PTX has aliases");
    out.push_back(*statement);
    text = text.drop_front(statement->text.size());
  }
  return out;
}

} // namespace kperf::plain
