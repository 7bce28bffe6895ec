// Prints the region table.
#include "RegionTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kperf {

std::string stringLiteral(StringRef value) {
  const auto *begin = reinterpret_cast<const UTF8 *>(value.begin()), *end = reinterpret_cast<const UTF8 *>(value.end());
  bool isUtf8 = isLegalUTF8String(&begin, end);
  std::string literal = "\"";
  for (std::size_t index = 0; index < value.size(); ++index) {
    unsigned char letter = value[index];
    bool beginsTrigraph = letter == '?' && index > 0 && value[index - 1] == '?';
    if (letter == '"' || letter == '\\' || beginsTrigraph) {
      literal += '\\';
      literal += static_cast<char>(letter);
    } else if (letter == '\t') {
      literal += "\\t";
    } else if (letter < 0x20 || letter == 0x7f || (letter >= 0x80 && !isUtf8)) {
      literal += '\\';
      for (int shift : {6, 3, 0})
        literal += static_cast<char>('0' + ((letter >> shift) & 7));
    } else {
      literal += static_cast<char>(letter);
    }
  }
  return literal + '"';
}

void appendRegionTable(std::string &text, ArrayRef<Region> regions) {
  if (regions.empty())
    return;
  StringRef lineEnd = StringRef(text).contains("\r\n") ? "\r\n" : "\n";
  bool continues = StringRef(text).rtrim("\r\n").ends_with("\\");
  if (!StringRef(text).ends_with("\n") || continues)
    text += lineEnd;
  if (continues)
    text += lineEnd;
  text += "KPERF_REGIONS(";
  bool isFirst = true;
  for (const Region &region : regions) {
    if (!isFirst)
      text += "," + lineEnd.str() + "              ";
    isFirst = false;
    text += formatv("{{0x{0:x-6}u, {1}u, {2}, {3}, {4}, {5}, {6}u, {7}u, {8}u}", region.id,
                    static_cast<unsigned>(region.kind), stringLiteral(region.name), stringLiteral(region.function),
                    stringLiteral(region.file), stringLiteral(region.source), region.line, region.column,
                    region.endLine);
  }
  text += ")" + lineEnd.str();
}

} // namespace kperf
