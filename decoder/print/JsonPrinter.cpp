// Prints tables as one JSON object: columns with their units, rows as objects in base units, notes.
#include "decoder/io/Utf8.h"
#include "decoder/print/JsonValue.h"
#include "decoder/print/Printer.h"

#include <fmt/format.h>

namespace kperf::decoder {
namespace {

void printColumns(const Table &table, Output &out) {
  out.write("      \"columns\": [");
  for (const Column &column : table.columns)
    out.write(fmt::format("{}\n        {{\"key\": {}, \"name\": {}, \"unit\": {}}}", &column == table.columns.data() ? "" : ",",
                          jsonQuoted(keyOf(column)), jsonQuoted(column.name), jsonQuoted(unitName(column.unit))));
  out.write("\n      ],\n");
}

void printRows(const Table &table, Output &out) {
  out.write("      \"rows\": [");
  for (const std::vector<Cell> &row : table.rows) {
    std::string line = &row == table.rows.data() ? "\n        {" : ",\n        {";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format("{}{}: {}", i == 0 ? "" : ", ", jsonQuoted(keyOf(table.columns[i])), jsonValue(row[i]));
    out.write(line + "}");
  }
  out.write("\n      ],\n");
}

} // namespace

void jsonPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  out.write("{\n");
  if (!options.origin.empty())
    out.write(fmt::format("  \"origin\": {},\n", jsonQuoted(options.origin)));
  out.write("  \"tables\": [");
  for (const Table &table : tables) {
    out.write(fmt::format("{}\n    {{\n      \"name\": {},\n", &table == tables.data() ? "" : ",", jsonQuoted(table.name)));
    printColumns(table, out);
    printRows(table, out);
    out.write("      \"notes\": [");
    for (const std::string &note : table.notes)
      out.write(fmt::format("{}\n        {}", &note == table.notes.data() ? "" : ",", jsonQuoted(note)));
    out.write(table.notes.empty() ? "]\n    }" : "\n      ]\n    }");
  }
  out.write("\n  ]\n}\n");
}

} // namespace kperf::decoder
