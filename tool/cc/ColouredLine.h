// A line of text, with the escape sequences that colour it kept apart.
#ifndef KPERF_TOOL_CC_COLOUREDLINE_H
#define KPERF_TOOL_CC_COLOUREDLINE_H

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace kperf::cc {

struct ColouredLine {
  struct Escape {
    std::size_t at; ///< before this byte of the text
    std::string sequence;
    bool ends() const { return sequence == "\x1b[m" || sequence == "\x1b[0m"; } ///< the colour of what is before it
  };

  std::string text;
  std::vector<Escape> escapes; ///< in order

  static ColouredLine read(llvm::StringRef line);
  /// As it is to be shown.
  std::string str() const;
  /// Everything up to here and everything behind it.
  ColouredLine takeFront(std::size_t bytes) const;
  ColouredLine dropFront(std::size_t bytes) const;
  /// Where a byte of this line lies in another: the one behind `at`, or where the one before it ends.
  using Place = std::function<std::size_t(std::size_t at, bool isEnd)>;
  /// Another text in the same colours.
  ColouredLine withText(std::string other, const Place &place) const;
};

} // namespace kperf::cc

#endif
