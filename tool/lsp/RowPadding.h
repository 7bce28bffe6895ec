// Makes the edit that pads the rows of an array in shared memory, the only remedy for accesses that changes the text in one place.
#ifndef KPERF_TOOL_ROW_PADDING_H
#define KPERF_TOOL_ROW_PADDING_H

#include "tool/lsp/Document.h"

namespace kperf::tool {

/// Puts `text` in place of the bytes from `begin` to `end` of a line.
struct LineEdit {
  std::uint32_t line;
  std::size_t begin, end;
  std::string text;
};

/// Of the array that `expression` names ("tile[i][j]"), by `bytes`. Nothing unless exactly one `__shared__` declaration of that name, with
/// two dimensions or more and elements of a type whose size divides `bytes`, stands in the document.
std::optional<LineEdit> rowPadding(const Document &document, std::string_view expression, std::uint32_t bytes);

} // namespace kperf::tool

#endif
