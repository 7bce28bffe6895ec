// Recognises includes by three raw tokens in a row.
#include "rewriters/source/QuotedNames.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace kperf {

std::vector<QuotedName> quotedNames(StringRef text, const clang::LangOptions &options) {
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options, text.begin(), text.begin(), text.end());
  std::vector<QuotedName> names;
  enum class Before { Other, Hash, Include, IncludeNext, HasInclude, Open } before = Before::Other;
  clang::Token token;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    const unsigned offset = token.getLocation().getRawEncoding() - 1;
    StringRef spelling = text.substr(offset, token.getLength());
    const bool follows = before == Before::Include || before == Before::IncludeNext || before == Before::Open;
    if (follows && token.is(clang::tok::string_literal) && spelling.size() > 2 && spelling.starts_with("\""))
      names.push_back({offset, spelling.drop_front().drop_back(), false, before == Before::Include});
    if (before == Before::Include && token.is(clang::tok::less)) {
      const StringRef rest = text.drop_front(offset + 1), name = rest.take_front(rest.find_first_of(">\r\n"));
      if (!name.empty() && rest.drop_front(name.size()).starts_with(">"))
        names.push_back({offset, name, true, true});
    }
    if (token.is(clang::tok::hash) && token.isAtStartOfLine())
      before = Before::Hash;
    else if (token.is(clang::tok::raw_identifier) && spelling.starts_with("__has_include"))
      before = Before::HasInclude;
    else if (before == Before::Hash && token.is(clang::tok::raw_identifier))
      before =
          StringSwitch<Before>(spelling).Case("include", Before::Include).Case("include_next", Before::IncludeNext).Default(Before::Other);
    else
      before = before == Before::HasInclude && token.is(clang::tok::l_paren) ? Before::Open : Before::Other;
  }
  return names;
}

} // namespace kperf
