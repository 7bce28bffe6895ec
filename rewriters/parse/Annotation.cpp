// Parses the words of an annotation.
#include "rewriters/parse/Annotation.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace kperf {

StringRef spellingOf(AnnotationKind kind) {
  switch (kind) {
  case AnnotationKind::Scope:
    return "KPERF_SCOPE";
  case AnnotationKind::Begin:
    return "KPERF_BEGIN";
  case AnnotationKind::End:
    return "KPERF_END";
  case AnnotationKind::Mark:
    return "KPERF_MARK";
  case AnnotationKind::Pragma:
    return "#pragma kperf region";
  }
  return {};
}

std::string textOf(const Annotation &annotation) {
  if (annotation.importedAs.empty())
    return (spellingOf(annotation.kind) + "(\"" + annotation.name + "\")").str();
  const bool isNamed = !annotation.isStacked || annotation.kind == AnnotationKind::Begin;
  return annotation.importedAs + "(" + (isNamed ? annotation.name : "") + ")";
}

std::optional<AnnotationKind> annotationNamed(StringRef macroName) {
  for (AnnotationKind kind : {AnnotationKind::Scope, AnnotationKind::Begin, AnnotationKind::End, AnnotationKind::Mark})
    if (macroName == spellingOf(kind))
      return kind;
  return std::nullopt;
}

namespace {

/// Splits at top-level commas. The text comes out of the preprocessor: no comments, no line breaks outside of literals.
SmallVector<StringRef> splitArguments(StringRef text) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus17 = true;
  std::string terminated = text.str();
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options, terminated.data(), terminated.data(),
                     terminated.data() + terminated.size());
  SmallVector<StringRef> arguments;
  unsigned depth = 0, begin = 0;
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace))
      ++depth;
    else if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace))
      --depth;
    else if (token.is(clang::tok::comma) && depth == 0) {
      unsigned offset = token.getLocation().getRawEncoding() - 1;
      arguments.push_back(text.slice(begin, offset).trim());
      begin = offset + 1;
    }
  }
  arguments.push_back(text.substr(begin).trim());
  if (arguments.size() == 1 && arguments.front().empty())
    arguments.clear();
  return arguments;
}

std::optional<unsigned> readDigits(StringRef &text, unsigned base, std::size_t most) {
  std::size_t count = 0;
  while (count < text.size() && count < most && hexDigitValue(text[count]) < base)
    ++count;
  unsigned value = 0;
  if (count == 0 || text.take_front(count).getAsInteger(base, value))
    return std::nullopt;
  text = text.drop_front(count);
  return value;
}

/// Appends the character that follows a backslash and consumes it.
bool appendEscape(StringRef &text, std::string &value) {
  if (text.empty())
    return false;
  static constexpr StringRef letters = "abfnrtv\\'\"?", meanings = "\a\b\f\n\r\t\v\\'\"?";
  char letter = text.front();
  if (std::size_t index = letters.find(letter); index != StringRef::npos) {
    value += meanings[index];
    text = text.drop_front();
    return true;
  }
  if (letter >= '0' && letter <= '7') {
    std::optional<unsigned> code = readDigits(text, 8, 3);
    value += static_cast<char>(*code);
    return *code <= 0xff;
  }
  text = text.drop_front();
  if (letter != 'x' && letter != 'u' && letter != 'U')
    return false;
  std::optional<unsigned> code = readDigits(text, 16, letter == 'x' ? 2 : letter == 'u' ? 4 : 8);
  if (!code)
    return false;
  if (letter == 'x') {
    value += static_cast<char>(*code);
    return true;
  }
  char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = buffer;
  if (!ConvertCodePointToUTF8(*code, end))
    return false;
  value.append(buffer, end);
  return true;
}

bool appendLiteral(StringRef literal, std::string &value) {
  literal.consume_front("u8");
  if (literal.consume_front("R\"")) {
    std::size_t open = literal.find('(');
    std::string close = ")" + literal.take_front(open).str() + "\"";
    literal = literal.drop_front(open + 1);
    if (!literal.consume_back(close))
      return false;
    value += literal;
    return true;
  }
  if (!literal.consume_front("\"") || !literal.consume_back("\""))
    return false;
  while (!literal.empty()) {
    char letter = literal.front();
    literal = literal.drop_front();
    if (letter != '\\')
      value += letter;
    else if (!appendEscape(literal, value))
      return false;
  }
  return true;
}

} // namespace

std::optional<std::string> stringLiteralValue(StringRef literals) {
  clang::LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus17 = options.RawStringLiterals = true;
  std::string terminated = literals.str();
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options, terminated.data(), terminated.data(),
                     terminated.data() + terminated.size());
  std::string value;
  bool any = false;
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    StringRef spelling = literals.substr(token.getLocation().getRawEncoding() - 1, token.getLength());
    if (!token.isOneOf(clang::tok::string_literal, clang::tok::utf8_string_literal) || !appendLiteral(spelling, value))
      return std::nullopt;
    any = true;
  }
  if (!any)
    return std::nullopt;
  return value;
}

/// "Load", "ProfileEventType::kGemmPV", "\"work\"", "task->type": what the event is called.
static std::string importedName(StringRef tokens) {
  if (auto literal = stringLiteralValue(tokens); literal && !literal->empty())
    return *literal;
  const StringRef last = tokens.substr(tokens.rfind(':') + 1).trim();
  const bool isIdentifier = !last.empty() && all_of(last, [](char letter) { return isAlnum(letter) || letter == '_'; });
  return (isIdentifier ? last : tokens).str();
}

/// "begin:IKET_RANGE_START:Load".
static Expected<Annotation> readImported(StringRef text) {
  const auto [kind, rest] = text.split(':');
  const auto [macro, name] = rest.split(':');
  Annotation annotation;
  annotation.importedAs = macro.str();
  annotation.isStacked = kind == "push" || kind == "pop";
  annotation.kind = kind == "mark" ? AnnotationKind::Mark : kind == "end" || kind == "pop" ? AnnotationKind::End : AnnotationKind::Begin;
  annotation.name = kind == "pop" ? macro.str() : importedName(name);
  if (annotation.name.empty())
    return createStringError("the name in " + macro + " is empty: say what the event is");
  return annotation;
}

std::optional<Expected<Annotation>> readMarker(StringRef markerText) {
  if (!markerText.consume_front("kperf:"))
    return std::nullopt;
  if (markerText.consume_front("imported:"))
    return readImported(markerText);
  auto [word, argumentText] = markerText.split(':');
  std::optional<AnnotationKind> kind = annotationNamed("KPERF_" + word.upper());
  if (!kind)
    return std::nullopt;

  SmallVector<StringRef> arguments = splitArguments(argumentText);
  std::size_t most = *kind == AnnotationKind::Mark ? 2 : 1;
  if (arguments.empty() || arguments.size() > most)
    return createStringError(spellingOf(*kind) + " takes " + (most == 2 ? "a name and at most one payload" : "one name") + ", found " +
                             Twine(arguments.size()) + " arguments");
  std::optional<std::string> name = stringLiteralValue(arguments.front());
  if (!name)
    return createStringError("the name in " + spellingOf(*kind) + " is a string literal, found '" + arguments.front() +
                             "': write the name in quotes");
  if (name->empty())
    return createStringError("the name in " + spellingOf(*kind) + " is empty: say what the region does");
  Annotation annotation;
  annotation.kind = *kind;
  annotation.name = std::move(*name);
  annotation.hasPayload = arguments.size() == 2;
  return annotation;
}

} // namespace kperf
