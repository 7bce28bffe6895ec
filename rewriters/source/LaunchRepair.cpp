// Repairs launches in one pass of Clang's raw lexer, over texts that may hold such a launch.
#include "rewriters/source/LaunchRepair.h"

#include "rewriters/source/RawTokens.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace llvm;

namespace kperf {

namespace {

constexpr unsigned kChevrons = 3;            // of <<< and of >>>
constexpr std::size_t kLongestLaunch = 4096; // tokens of a configuration: text that never closes one is not read again and again

/// The bytes of three chevrons with what stands between them; empty when there are none.
struct Chevrons {
  unsigned offset = 0, end = 0;
  std::size_t next = 0; ///< the token behind them

  explicit operator bool() const { return end > 0; }
  bool standApart() const { return end - offset > kChevrons; }
};

class LaunchScanner {
public:
  explicit LaunchScanner(StringRef text) : text(text), repaired(text.str()), tokens(rawTokens(text)) {}

  std::optional<std::string> run() {
    bool changed = false;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
      if (tokens[index].front() != '<' || (index > 0 && tokens[index - 1] == "operator"))
        continue;
      Chevrons open = chevronsAt(index, '<');
      Chevrons close = open ? closeBehind(open.next) : Chevrons();
      if (!close || (!open.standApart() && !close.standApart()))
        continue;
      bringTogether(open, '<');
      bringTogether(close, '>');
      changed = true;
    }
    if (!changed)
      return std::nullopt;
    return std::move(repaired);
  }

private:
  unsigned offsetOf(StringRef token) const { return static_cast<unsigned>(token.data() - text.data()); }

  /// Exactly three of the letter, in tokens of one line that hold nothing else.
  Chevrons chevronsAt(std::size_t index, char letter) const {
    Chevrons found;
    found.offset = offsetOf(tokens[index]);
    unsigned count = 0, end = found.offset;
    for (; index < tokens.size() && count < kChevrons; ++index) {
      bool isSameLine = text.slice(end, offsetOf(tokens[index])).find_first_not_of(" \t") == StringRef::npos;
      if (!isSameLine || tokens[index].find_first_not_of(letter) != StringRef::npos)
        return {};
      count += static_cast<unsigned>(tokens[index].size());
      end = offsetOf(tokens[index]) + static_cast<unsigned>(tokens[index].size());
    }
    if (count != kChevrons)
      return {};
    found.end = end;
    found.next = index;
    return found;
  }

  /// The end of the configuration that begins at the token: outside of its parentheses, before those of the arguments.
  Chevrons closeBehind(std::size_t index) const {
    const std::size_t last = std::min(tokens.size(), index + kLongestLaunch);
    for (unsigned depth = 0; index < last; ++index) {
      StringRef token = tokens[index];
      if (token == "(" || token == "[" || token == "{") {
        ++depth;
      } else if (token == ")" || token == "]" || token == "}") {
        if (depth-- == 0)
          return {};
      } else if (depth == 0 && (token == ";" || token == "#")) {
        return {};
      } else if (depth == 0 && token.front() == '>') {
        Chevrons close = chevronsAt(index, '>');
        if (close && close.next < tokens.size() && tokens[close.next] == "(")
          return close;
      }
    }
    return {};
  }

  void bringTogether(const Chevrons &place, char letter) {
    std::fill(repaired.begin() + place.offset, repaired.begin() + place.end, ' ');
    std::fill_n(repaired.begin() + place.offset, kChevrons, letter);
  }

  StringRef text;
  std::string repaired;
  std::vector<StringRef> tokens;
};

/// Whether it is worth a pass of the lexer: every header of every source is asked, and next to none has one of these.
bool mayHaveChevronsApart(StringRef text) {
  static constexpr StringLiteral kApart[] = {"<< <", "< <<", "> >>", ">> >", "> > >"};
  for (StringRef apart : kApart)
    if (memmem(text.data(), text.size(), apart.data(), apart.size()))
      return true;
  return false;
}

} // namespace

std::optional<std::string> repairLaunches(StringRef text) {
  if (!mayHaveChevronsApart(text))
    return std::nullopt;
  // The lexer wants a terminating zero.
  std::string terminated = text.str();
  return LaunchScanner(terminated).run();
}

unsigned chevronsLength(StringRef text, unsigned offset) {
  unsigned end = offset;
  for (unsigned count = 0; count < kChevrons && end < text.size(); ++end)
    count += text[end] == text[offset];
  return end - offset;
}

} // namespace kperf
