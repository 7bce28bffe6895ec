// Breaks text into lines.
#include "decoder/print/Wrapped.h"
#include "decoder/io/Utf8.h"

#include <algorithm>

namespace kperf::decoder {

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const std::size_t width = columnsOf(word);
    if (used > indent && used + 1 + width > columns) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
  }
  return out + '\n';
}

} // namespace kperf::decoder
