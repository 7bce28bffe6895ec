// Repairs conditions in one pass of Clang's raw lexer, over texts that may hold such a one.
#include "rewriters/source/ThisRepair.h"

#include "rewriters/source/RawTokens.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace kperf {

namespace {

class ThisScanner {
public:
  explicit ThisScanner(StringRef text) : text(text), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    std::string repaired = text.str();
    bool changed = false;
    readConstants();
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      const bool isIf = is(index, "if") && is(index + 1, "constexpr") && is(index + 2, "(");
      if (isIf || (is(index, "static_assert") && is(index + 1, "(")))
        changed |= blankWithin(index + (isIf ? 2 : 1), repaired);
    }
    if (!changed)
      return std::nullopt;
    return repaired;
  }

private:
  bool is(std::size_t index, StringRef word) const { return index < tokens.size() && tokens[index] == word; }

  /// The name in `static constexpr auto name = …`, the specifiers in any order.
  void readConstants() {
    bool isStatic = false, isConstant = false;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      isStatic |= is(index, "static");
      isConstant |= is(index, "constexpr");
      const bool ends = is(index, "=") || is(index, "{") || is(index, ";");
      if (ends && index > 0 && isStatic && isConstant)
        constants.insert(tokens[index - 1]);
      if (ends || is(index, "(") || is(index, "}"))
        isStatic = isConstant = false;
    }
  }

  bool blankWithin(std::size_t open, std::string &repaired) const {
    bool changed = false;
    unsigned depth = 0;
    for (std::size_t index = open; index < tokens.size(); ++index) {
      depth += is(index, "(") ? 1 : 0;
      depth -= is(index, ")") ? 1 : 0;
      if (depth == 0)
        break;
      if (!is(index, "this") || !is(index + 1, "->") || index + 2 >= tokens.size() || !constants.contains(tokens[index + 2]) ||
          is(index + 3, "("))
        continue;
      for (std::size_t each : {index, index + 1})
        std::fill_n(repaired.begin() + (tokens[each].data() - text.data()), tokens[each].size(), ' ');
      changed = true;
    }
    return changed;
  }

  StringRef text;
  std::vector<StringRef> tokens;
  StringSet<> constants;
};

} // namespace

std::optional<std::string> repairThis(StringRef text) {
  if (!text.contains("this") || !text.contains("->") || !text.contains("constexpr"))
    return std::nullopt;
  return ThisScanner(text).run();
}

} // namespace kperf
