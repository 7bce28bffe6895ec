// Reads docs/reference/columns.md: a section "## `table`: kperf command" for each table, a row "| `key`, `key` | meaning |" for its
// columns.
#include "decoder/table/ColumnMeanings.h"

#include <algorithm>

namespace kperf::decoder {

extern const std::string_view embedded_columns_md; ///< docs/reference/columns.md, put into the library when it is built

namespace {

std::string_view takeLine(std::string_view &text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::vector<std::string_view> quotedIn(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = text.find('`'); at != std::string_view::npos; at = text.find('`', at)) {
    const std::size_t end = text.find('`', at + 1);
    out.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return out;
}

std::vector<TableMeaning> parsed(std::string_view page) {
  std::vector<TableMeaning> out;
  constexpr std::string_view kCommand = ": kperf ";
  while (!page.empty()) {
    const std::string_view line = takeLine(page);
    if (line.starts_with("## `"))
      out.push_back({quotedIn(line).front(), line.substr(line.find(kCommand) + kCommand.size()), "", {}});
    else if (out.empty() || line.starts_with("|--") || line.starts_with("| key"))
      continue;
    else if (const std::size_t bar = line.find(" | "); line.starts_with("| `") && bar != std::string_view::npos)
      out.back().rows.push_back({quotedIn(line.substr(0, bar)), line.substr(bar + 3, line.size() - bar - 5)});
    else if (out.back().rows.empty() && !line.empty())
      out.back().intro += (out.back().intro.empty() ? "" : " ") + std::string(line);
  }
  return out;
}

} // namespace

const std::vector<TableMeaning> &tableMeanings() {
  static const std::vector<TableMeaning> meanings = parsed(embedded_columns_md);
  return meanings;
}

std::string_view columnMeaning(std::string_view table, std::string_view key) {
  for (const TableMeaning &each : tableMeanings())
    for (const TableMeaning::Row &row : each.rows)
      if (each.name == table && std::ranges::find(row.keys, key) != row.keys.end())
        return row.meaning;
  return "";
}

} // namespace kperf::decoder
