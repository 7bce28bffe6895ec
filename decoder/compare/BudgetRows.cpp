// Finds the rows of a table that a budget is about, and says what they are called.
#include "decoder/compare/BudgetRows.h"
#include "decoder/compare/MissingRow.h"
#include "decoder/io/Glob.h"
#include "decoder/span/KernelName.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

/// What a label is called in budgets: a number as JSON has it.
std::optional<std::string> labelText(const Cell &cell) {
  if (const auto *whole = std::get_if<std::uint64_t>(&cell))
    return fmt::to_string(*whole);
  const auto *text = std::get_if<std::string>(&cell);
  return text ? std::optional(*text) : std::nullopt;
}

/// FILE:LINE of a row whose label is the number of a line; "" of others.
std::string lineOf(const Table &table, std::size_t row) {
  const auto place = table.places.find(row);
  const bool isLine = std::ranges::find(table.columns, "line", &Column::name) != table.columns.end();
  return isLine && place != table.places.end() ? fmt::format("{}:{}", place->second.file, place->second.line) : "";
}

bool isOfColumn(const std::string &text, const Column &column, const Cell &cell) {
  const auto label = labelText(cell);
  return label && (*label == text || (column.name == "kernel" ? isKernel(text, *label) : matches(text, *label)));
}

bool isNamed(const std::string &text, const Table &table, std::size_t row, Role role) {
  if (const std::string line = role == Role::Label ? lineOf(table, row) : ""; !line.empty())
    if (matches(text, line) || matches("*/" + text, line))
      return true;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].role == role && isOfColumn(text, table.columns[i], table.rows[row][i]))
      return true;
  return false;
}

/// Whether the text is KERNEL/LABEL of the row; either may have a '/' of its own.
bool isNamedWithKernel(const std::string &text, const Table &table, std::size_t row) {
  const std::string kernel = kernelOf(table, row);
  for (std::size_t at = text.find('/'); at != std::string::npos && !kernel.empty(); at = text.find('/', at + 1))
    if (at > 0 && at + 1 < text.size() && isKernel(text.substr(0, at), kernel) && isNamed(text.substr(at + 1), table, row, Role::Label))
      return true;
  return false;
}

} // namespace

std::string textIn(const Table &table, std::size_t row, std::string_view column) {
  const auto found = std::ranges::find(table.columns, column, &Column::name);
  if (found == table.columns.end())
    return "";
  const auto *text = std::get_if<std::string>(&table.rows[row][static_cast<std::size_t>(found - table.columns.begin())]);
  return text ? *text : "";
}

std::string kernelOf(const Table &table, std::size_t row) {
  const std::string kernel = textIn(table, row, "kernel");
  return kernel.empty() ? textIn(table, row, "function") : kernel;
}

bool isKernel(const std::string &pattern, const std::string &name) { return isMeant(pattern, name, qualifiedNameOf(name)); }

std::string labelOf(const Table &table, std::size_t row) {
  if (std::string line = lineOf(table, row); !line.empty())
    return line;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].role == Role::Label)
      if (const auto text = labelText(table.rows[row][i]))
        return *text;
  return fmt::format("row {}", row + 1);
}

Table groupsOf(const Table &table) {
  Table out{.name = "kernels", .columns = {}, .rows = {}, .notes = table.notes};
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].role == Role::Group) {
      out.columns.push_back(table.columns[i]);
      out.columns.back().role = of.empty() ? Role::Label : Role::Value;
      of.push_back(i);
    }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<Cell> cells;
    for (const std::size_t i : of)
      cells.push_back(table.rows[row][i]);
    if (of.empty() || (!out.rows.empty() && out.rows.back() == cells))
      continue;
    for (const Column &column : out.columns) {
      const std::string key = keyOf(column);
      if (const auto bounds = table.bounds.find({row, key}); bounds != table.bounds.end())
        out.bounds.emplace(std::pair(out.rows.size(), key), bounds->second);
      if (const auto remedy = table.remedies.find({row, key}); remedy != table.remedies.end())
        out.remedies.emplace(std::pair(out.rows.size(), key), remedy->second);
    }
    out.rows.push_back(std::move(cells));
  }
  return out;
}

Expected<std::vector<std::size_t>> rowsOf(const Budget &budget, const Table &table) {
  const auto rowsThat = [&](auto isRow) {
    std::vector<std::size_t> out;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (isKernel(budget.kernel, kernelOf(table, row)) && isRow(row))
        out.push_back(row);
    return out;
  };
  if (!budget.row)
    return rowsThat([](std::size_t) { return true; });
  const std::string &text = *budget.row;
  std::vector<std::size_t> rows = rowsThat([&](std::size_t row) { return isNamed(text, table, row, Role::Label); });
  if (rows.empty())
    rows = rowsThat([&](std::size_t row) { return isNamedWithKernel(text, table, row); });
  if (rows.empty())
    rows = rowsThat([&](std::size_t row) { return isNamed(text, table, row, Role::Group); });
  std::set<std::string> lines;
  for (const std::size_t row : rows)
    if (std::string line = lineOf(table, row); !line.empty())
      lines.insert(std::move(line));
  if (lines.size() > 1 && text.find_first_not_of("0123456789") == std::string::npos)
    return failure({.message = fmt::format("budget {}: table {} has a row \"{}\" of each of several files", budget.text, table.name, text),
                    .expected = candidates({lines.begin(), lines.end()})});
  return rows;
}

} // namespace kperf::decoder
