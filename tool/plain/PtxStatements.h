// PTX, statement by statement and word by word.
#ifndef KPERF_TOOL_PLAIN_PTX_STATEMENTS_H
#define KPERF_TOOL_PLAIN_PTX_STATEMENTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <vector>

namespace kperf::plain {

struct Statement {
  enum class Kind { Directive, Section, Function, Variable };

  Kind kind;
  llvm::StringRef text;
  llvm::StringRef name; ///< of a function or variable
  bool isEntry = false, hasBody = false;
};

/// Those of a module, in its text. Fails where one has no end, and for modules with device debug information or aliases.
llvm::Expected<std::vector<Statement>> statementsOf(llvm::StringRef text);

/// The length of the token that the text begins with: a comment, a string, a directive, a word, a number, or one character.
std::size_t tokenLength(llvm::StringRef text);

/// Of a function that has one: from its brace on.
llvm::StringRef bodyOf(llvm::StringRef function);

/// The line that the text begins with.
llvm::StringRef lineOf(llvm::StringRef text);

/// Whether the text begins with the directive, and not with a longer one: .loc is none of .local.
bool isDirective(llvm::StringRef text, llvm::StringRef directive);

/// Whether a token that begins so is a word, which may name something.
bool beginsWord(char c);

/// The words of a text that name something.
template <typename Visit> void forWords(llvm::StringRef text, Visit visit) {
  for (; !text.empty(); text = text.drop_front(tokenLength(text)))
    if (beginsWord(text.front()))
      visit(text.take_front(tokenLength(text)));
}

} // namespace kperf::plain

#endif
