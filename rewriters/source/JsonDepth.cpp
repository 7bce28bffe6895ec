// Counts open brackets.
#include "rewriters/source/JsonDepth.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace llvm;

namespace kperf {
namespace {

constexpr unsigned kMaxDepth = 100; // a compilation database has 3; LLVM's parser takes about 1 KiB of stack a level

} // namespace

unsigned bracketDepth(StringRef text, bool countsQuoted) {
  unsigned depth = 0, most = 0;
  bool isQuoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"' && !countsQuoted)
      isQuoted = !isQuoted;
    else if (isQuoted)
      i += letter == '\\';
    else if (letter == '[' || letter == '{')
      most = std::max(most, ++depth);
    else if (letter == ']' || letter == '}')
      depth -= depth > 0;
  }
  return most;
}

Expected<json::Value> parseJson(StringRef text) {
  if (const unsigned depth = bracketDepth(text, /*countsQuoted=*/false); depth > kMaxDepth)
    return createStringError("arrays and objects nest " + utostr(depth) + " deep, expected at most " + utostr(kMaxDepth));
  return json::parse(text);
}

} // namespace kperf
