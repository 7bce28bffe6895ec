// Prints the region table.
#include "rewriters/plan/RegionTable.h"

#include "rewriters/plan/Plan.h"

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

namespace {

/// Begins a line behind the last one of `text`. Returns the line end that the text has.
std::string beginLine(std::string &text) {
  StringRef lineEnd = StringRef(text).contains("\r\n") ? "\r\n" : "\n";
  bool continues = StringRef(text).rtrim("\r\n").ends_with("\\");
  if (!StringRef(text).ends_with("\n") || continues)
    text += lineEnd;
  if (continues)
    text += lineEnd;
  return lineEnd.str();
}

/// `NAME(row, row, …)`, one row a line.
template <typename Row, typename Print> void appendRows(std::string &text, StringRef name, ArrayRef<Row> rows, Print print) {
  const std::string lineEnd = beginLine(text);
  text += name.str() + "(";
  bool isFirst = true;
  for (const Row &row : rows) {
    if (!isFirst)
      text += "," + lineEnd + std::string(name.size() + 1, ' ');
    isFirst = false;
    text += print(row);
  }
  text += ")" + lineEnd;
}

/// kperf_region::frame and what follows it.
std::string streamColumns(const StreamPlace &place, ArrayRef<Region> planned) {
  const std::string words =
      place.isInFrame ? formatv(" | KPERF_IN_FRAME | 0x{0:x-}u", place.object << 16 | place.end << 8 | place.begin).str() : std::string();
  return ", KPERF_IN_STREAM" + words + (place.next ? ", " + idLiteral(planned[*place.next].id) : "");
}

/// kperf_site::machine and what follows it.
std::string machineColumns(const SiteMachine &machine, ArrayRef<Site> sites) {
  if (machine.state == format::MachineState::Unknown)
    return {};
  const unsigned word =
      static_cast<unsigned>(machine.state) | machine.bytes << format::kMachineBytesShift | machine.pieces << format::kMachinePiecesShift;
  return formatv(", 0x{0:x-}u{1}", word, machine.leader ? ", " + idLiteral(sites[*machine.leader].id) : std::string()).str();
}

} // namespace

void appendSampleOf(std::string &text, unsigned blocks) {
  const std::string lineEnd = beginLine(text);
  text += formatv("KPERF_SAMPLE_OF({0}u)", blocks).str() + lineEnd;
}

void appendEmptyRegionTable(std::string &text) {
  const std::string lineEnd = beginLine(text);
  text += "KPERF_NO_REGIONS" + lineEnd;
}

void appendRegionTable(std::string &text, ArrayRef<Region> regions, ArrayRef<Region> planned) {
  appendRows(text, "KPERF_REGIONS", regions, [&](const Region &region) {
    const unsigned sync = static_cast<unsigned>(region.operation) | static_cast<unsigned>(region.object) << format::kSyncObjectShift;
    const std::string last = region.next ? idLiteral(planned[*region.next].id) : std::to_string(sync) + "u";
    return formatv("{{0x{0:x-6}u, {1}u, {2}, {3}, {4}, {5}, {6}u, {7}u, {8}u, {9}{10}}", region.id, static_cast<unsigned>(region.kind),
                   stringLiteral(region.name), stringLiteral(region.function), stringLiteral(region.file), stringLiteral(region.source),
                   region.line, region.column, region.endLine, last, region.stream ? streamColumns(*region.stream, planned) : std::string())
        .str();
  });
}

void appendSiteTable(std::string &text, ArrayRef<Site> sites, ArrayRef<Region> planned) {
  if (sites.empty())
    return;
  appendRows(text, "KPERF_SITES", sites, [&](const Site &site) {
    return formatv("{{0x{0:x-6}u, {1}u, 0x{2:x-6}u, {3}u, {4}, {5}, {6}, {7}, {8}, {9}u, {10}u, {11}u{12}}", wordOf(site),
                   static_cast<unsigned>(site.kind), site.region ? planned[*site.region].id : 0, site.bytes, stringLiteral(site.function),
                   stringLiteral(site.file), stringLiteral(site.source), stringLiteral(site.expression), stringLiteral(site.reason),
                   site.line, site.column, site.width, machineColumns(site.machine, sites))
        .str();
  });
}

} // namespace kperf
