// What kperf-rewrite --dump-selection prints.
#ifndef KPERF_TOOL_SELECTIONTEXT_H
#define KPERF_TOOL_SELECTIONTEXT_H

#include "rewriters/Rewrite.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace kperf {

/// Gathers what was chosen in sources, and writes it as a selection file that chooses the same.
class SelectionText {
public:
  /// Lets regions be called in a way that says of which kind each is, which add() wants to know.
  static void prepare(Selection &selection);
  void add(llvm::StringRef input, const RewriteResult &result);
  /// Fails where nothing was chosen.
  llvm::Error print(llvm::raw_ostream &out) const;

private:
  struct Rule {
    std::string kind, function, file;
    unsigned line;      ///< 0: all of that kind in the function
    std::string reason; ///< why it is left out; "" where it is not
    bool operator==(const Rule &) const = default;
  };
  void addSite(llvm::StringRef name, llvm::StringRef function, llvm::StringRef file, unsigned line, llvm::StringRef reason);
  std::string endingAlike(llvm::StringRef name) const;
  void printRule(const Rule &rule, llvm::raw_ostream &out) const;

  std::vector<Rule> rules;
  std::vector<std::string> inputs, headers;
};

} // namespace kperf

#endif
