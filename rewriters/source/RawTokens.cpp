// Reads a text by Clang's raw lexer.
#include "rewriters/source/RawTokens.h"

#include "clang/Lex/Lexer.h"

namespace kperf {

std::vector<llvm::StringRef> rawTokens(llvm::StringRef text) {
  clang::LangOptions options; // none for CUDA, which would make one token of <<<
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options, text.begin(), text.begin(), text.end());
  std::vector<llvm::StringRef> tokens;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      return tokens;
    tokens.push_back(text.substr(token.getLocation().getRawEncoding() - 1, token.getLength()));
  }
}

} // namespace kperf
