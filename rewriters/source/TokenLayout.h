// The raw tokens of one file: where a probe can be inserted without adding a line.
#ifndef KPERF_REWRITERS_TOKENLAYOUT_H
#define KPERF_REWRITERS_TOKENLAYOUT_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace kperf {

/// Where an insertion in front of a statement goes.
struct OpenPoint {
  unsigned offset = 0;
  std::string prefix; ///< a space when the insertion follows a token directly
  std::string suffix; ///< text that must follow the insertion, for example to keep a pragma attached to its loop
};

class TokenLayout {
public:
  TokenLayout(llvm::StringRef text, const clang::LangOptions &languageOptions);

  /// In front of the statement whose first token is at `offset`: left of the pragmas that belong to it.
  OpenPoint before(unsigned offset) const;

  /// One past the statement whose last token is at `offset`, its semicolon included when one follows.
  unsigned after(unsigned offset) const;

  /// Whether the two bytes are in the same branch of the same #if.
  bool inSameBranch(unsigned left, unsigned right) const;

  /// Directives of each #if around the byte, up to its branch, without white space: "#ifA<2#else"; the innermost first.
  std::vector<std::string> conditionsAt(unsigned offset) const;

  /// Offset of the token before, or of the first one behind, the one at `offset`; directives do not count.
  std::optional<unsigned> previousToken(unsigned offset) const;
  std::optional<unsigned> nextToken(unsigned offset) const;
  llvm::StringRef tokenText(unsigned offset) const;
  /// The tokens from the one at `first` to the one at `last`, on one line and without comments; empty where a directive is among them.
  std::string textBetween(unsigned first, unsigned last) const;

  /// Offset of the '#' that begins the directive which holds `offset`.
  std::optional<unsigned> directiveAt(unsigned offset) const;

private:
  struct Item {
    unsigned offset, end; ///< of a token, or of a whole directive with its continuation lines
    bool isDirective;
    unsigned branch;       ///< names the #if branch that holds the token
    std::string directive; ///< its first word: "pragma", "if", "endif"
  };

  void addDirective(llvm::StringRef keyword, unsigned offset, unsigned end);
  std::size_t indexAt(unsigned offset) const;
  bool isForeignPragma(const Item &item) const;

  llvm::StringRef text;
  std::vector<Item> items;
  std::vector<unsigned> openBranches = {0};
  unsigned branchCount = 1;
};

} // namespace kperf

#endif
