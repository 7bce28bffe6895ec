// Prints tables as comma-separated values (RFC 4180), base units, the unit at the end of each column's name.
#include "decoder/io/Utf8.h"
#include "decoder/print/Printer.h"

#include <cmath>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos)
    return std::string(text);
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string field(const Cell &cell) {
  if (const auto *text = std::get_if<std::string>(&cell)) // a row is a line, whatever its names hold
    return quoted(printable(*text));
  if (const auto *number = std::get_if<std::uint64_t>(&cell))
    return std::to_string(*number);
  if (const auto *real = std::get_if<double>(&cell); real && std::isfinite(*real))
    return fmt::format("{:.10g}", *real);
  return "";
}

} // namespace

void csvPrinter(std::span<const Table> tables, const PrintOptions &, Output &out) {
  for (const Table &table : tables) {
    if (tables.size() > 1)
      out.write(fmt::format("{}# {}\n", &table == tables.data() ? "" : "\n", table.name));
    std::string line;
    for (const Column &column : table.columns)
      line += (line.empty() ? "" : ",") + keyOf(column);
    out.write(line + "\n");
    for (const std::vector<Cell> &row : table.rows) {
      line.clear();
      for (const Cell &cell : row)
        line += (&cell == row.data() ? "" : ",") + field(cell);
      out.write(line + "\n");
    }
  }
}

} // namespace kperf::decoder
