// Reads line markers: `# 1 "kernel.h" 1`, the last number of which says that a file begins
// (https://gcc.gnu.org/onlinedocs/cpp/Preprocessor-Output.html).
#include "rewriters/source/PreprocessedText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace kperf {

bool isPreprocessedName(StringRef path) { return is_contained({".i", ".ii", ".cui", ".cup", ".hipi"}, sys::path::extension(path)); }

/// What follows the name in a marker; nothing for any other line.
static std::optional<StringRef> flagsOfMarker(StringRef line) {
  unsigned number = 0;
  if (!line.consume_front("# ") || line.consumeInteger(10, number) || !line.consume_front(" \""))
    return std::nullopt;
  return line.rsplit('"').second.trim();
}

bool isPreprocessedText(StringRef text) {
  text.consume_front("\xef\xbb\xbf");
  text = text.ltrim();
  if (!flagsOfMarker(text.split('\n').first))
    return false;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (const auto flags = flagsOfMarker(line); flags && flags->split(' ').first == "1")
      return true;
  }
  return false;
}

} // namespace kperf
