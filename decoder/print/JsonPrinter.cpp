// Prints tables as one JSON object: columns with their units, rows as objects in base units, notes.
#include "decoder/print/JsonValue.h"
#include "decoder/print/Printer.h"

namespace kperf::decoder {
namespace {

Json columnList(const Table &table) {
  Json columns = Json::array();
  for (const Column &column : table.columns)
    columns.push_back({{"key", keyOf(column)}, {"name", column.name}, {"unit", unitName(column.unit)}});
  return columns;
}

Json rowsOf(const Table &table) {
  std::vector<std::string> keys;
  for (const Column &column : table.columns)
    keys.push_back(keyOf(column));
  Json rows = Json::array();
  for (const std::vector<Cell> &cells : table.rows) {
    Json row = Json::object();
    for (std::size_t i = 0; i < cells.size(); ++i)
      row.emplace(keys[i], jsonValue(cells[i]));
    rows.push_back(std::move(row));
  }
  return rows;
}

} // namespace

void jsonPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  Json root = Json::object();
  if (!options.origin.empty())
    root["origin"] = options.origin;
  Json &list = root["tables"] = Json::array();
  for (const Table &table : tables)
    list.push_back({{"name", table.name}, {"columns", columnList(table)}, {"rows", rowsOf(table)}, {"notes", table.notes}});
  out.write(jsonText(root, /*levels=*/4) + "\n");
}

} // namespace kperf::decoder
