// Reads back what printers print.
#include "PrintedTables.h"
#include "decoder/print/Printer.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

using namespace kperf;
using decoder::Cell;
using decoder::Column;
using decoder::Table;

namespace kperf::test {
namespace {

using Lines = std::vector<std::string>;

std::string printed(const Table &table, const char *printer) {
  decoder::OutputString out;
  decoder::findPrinter(printer)->print(std::span(&table, 1), {.columns = 100000}, out);
  return out.text();
}

std::optional<double> numberOf(const Cell &cell) {
  if (const auto *whole = std::get_if<std::uint64_t>(&cell))
    return static_cast<double>(*whole);
  const auto *real = std::get_if<double>(&cell);
  return real && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
}

void expectJson(const Table &table) {
  const auto json = nlohmann::json::parse(printed(table, "json")).at("tables").at(0);
  ASSERT_EQ(json.at("rows").size(), table.rows.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto &value = json["rows"][row].at(json["columns"][i]["key"].get<std::string>());
      if (const auto number = numberOf(table.rows[row][i]))
        EXPECT_NEAR(value.get<double>(), *number, 1e-9 * std::abs(*number)) << table.columns[i].name;
      else if (const auto *text = std::get_if<std::string>(&table.rows[row][i]))
        EXPECT_EQ(value.get<std::string>(), *text);
      else
        EXPECT_TRUE(value.is_null());
    }
}

void expectHtml(const Table &table) {
  const std::string page = printed(table, "html"), mark = "id=\"tables\">";
  const std::size_t begin = page.find(mark) + mark.size(), end = page.find("</script>", begin);
  ASSERT_NE(end, std::string::npos);
  const auto json = nlohmann::json::parse(page.substr(begin, end - begin)).at(0);
  ASSERT_EQ(json.at("rows").size(), table.rows.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto &value = json["rows"][row].at(i);
      if (const auto number = numberOf(table.rows[row][i]))
        EXPECT_NEAR(value.get<double>(), *number, 1e-9 * std::abs(*number)) << table.columns[i].name;
      else if (const auto *text = std::get_if<std::string>(&table.rows[row][i]))
        EXPECT_EQ(value.get<std::string>(), *text);
      else
        EXPECT_TRUE(value.is_null());
    }
}

Lines linesOf(const std::string &text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// Fields of one line; quotes as in RFC 4180, no line breaks inside.
Lines fieldsOf(const std::string &line) {
  Lines fields(1);
  bool isQuoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && isQuoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[i++];
    else if (line[i] == '"')
      isQuoted = !isQuoted;
    else if (line[i] == ',' && !isQuoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
  }
  return fields;
}

void expectCsv(const Table &table) {
  const Lines lines = linesOf(printed(table, "csv"));
  ASSERT_EQ(lines.size(), table.rows.size() + 1);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Lines fields = fieldsOf(lines[row + 1]);
    ASSERT_EQ(fields.size(), table.columns.size()) << lines[row + 1];
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (const auto number = numberOf(table.rows[row][i]))
        EXPECT_NEAR(std::stod(fields[i]), *number, 1e-9 * std::abs(*number)) << table.columns[i].name;
      else if (const auto *text = std::get_if<std::string>(&table.rows[row][i]))
        EXPECT_EQ(fields[i], *text);
      else
        EXPECT_EQ(fields[i], "");
    }
  }
}

/// What a unit of the text printer's header stands for, in base units.
const std::map<std::string, double> kScales = {{"", 1},       {"ns", 1},        {"µs", 1e3},      {"ms", 1e6},         {"s", 1e9},
                                               {"cycles", 1}, {"kcycles", 1e3}, {"Mcycles", 1e6}, {"Gcycles", 1e9},    {"%", 1},
                                               {"B", 1},      {"KiB", 1024},    {"MiB", 1048576}, {"GiB", 1073741824}, {"kHz", 1},
                                               {"MHz", 1e3},  {"GHz", 1e6}};

double scaleOf(const std::string &unit) {
  const auto found = kScales.find(unit);
  EXPECT_NE(found, kScales.end()) << unit;
  return found == kScales.end() ? 1 : found->second;
}

bool isUnits(const std::string &line) {
  std::istringstream in(line);
  std::string word;
  bool isAny = false;
  while (in >> word) {
    isAny = true;
    if (!kScales.contains(word))
      return false;
  }
  return isAny;
}

/// A line as columns on the screen: one character each, whatever its bytes.
std::vector<std::string> cellsOf(const std::string &line) {
  std::vector<std::string> out;
  for (const char c : line)
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80 || out.empty())
      out.emplace_back(1, c);
    else
      out.back() += c;
  return out;
}

/// The word that ends right before column `end`; "" when there is none.
std::string wordBefore(const std::vector<std::string> &line, std::size_t end) {
  std::string word;
  for (std::size_t i = std::min(end, line.size()); i-- > 0 && end <= line.size() && line[i] != " ";)
    word.insert(0, line[i]);
  return word;
}

/// Whether the text printer shows that column, and right-aligned.
bool isNumberColumn(const Table &table, std::size_t column) {
  const Column &what = table.columns[column];
  if (what.role != Column::Role::Value || what.priority == 0)
    return false;
  bool hasNumber = false;
  for (const auto &row : table.rows) {
    if (std::holds_alternative<std::string>(row[column]))
      return false;
    hasNumber |= numberOf(row[column]).has_value();
  }
  return hasNumber;
}

void expectTextRow(const Table &table, const std::vector<Cell> &row, const std::string &head, const std::string &units,
                   const std::string &line) {
  const auto names = cellsOf(head), unitCells = cellsOf(units), cells = cellsOf(line);
  std::size_t end = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!isNumberColumn(table, i))
      continue;
    do // the next place where this column's name ends
      ++end;
    while (end <= names.size() && wordBefore(names, end) != table.columns[i].name);
    ASSERT_LE(end, names.size()) << table.columns[i].name << " is not in " << head;
    const std::string word = wordBefore(cells, end);
    const auto number = numberOf(row[i]);
    if (!number) {
      EXPECT_EQ(word, "") << table.columns[i].name << " in " << line;
      continue;
    }
    ASSERT_NE(word, "") << table.columns[i].name << " in " << line;
    const double scale = scaleOf(wordBefore(unitCells, end));
    const std::size_t point = word.find('.');
    const double half = 0.5001 * std::pow(10, point == std::string::npos ? 0 : -double(word.size() - point - 1));
    EXPECT_NEAR(std::stod(word), *number / scale, half) << table.columns[i].name << " in " << line;
  }
}

/// Tables of one group only: the generator's.
void expectText(const Table &table) {
  const Lines lines = linesOf(printed(table, "text"));
  const auto isHead = [&](const std::string &line) { // has the names of all columns that it must show
    std::istringstream in(line);
    const Lines words{std::istream_iterator<std::string>(in), {}};
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if ((isNumberColumn(table, i) || (table.columns[i].role == Column::Role::Label && table.columns[i].priority > 0)) &&
          std::ranges::find(words, table.columns[i].name) == words.end())
        return false;
    return true;
  };
  std::size_t at = 0;
  while (at < lines.size() && !isHead(lines[at]))
    ++at;
  ASSERT_LT(at, lines.size()) << "no header in " << printed(table, "text");
  const std::string head = lines[at++];
  const bool hasUnits = at < lines.size() && isUnits(lines[at]);
  const std::string units = hasUnits ? lines[at++] : "";
  ASSERT_LE(at + table.rows.size(), lines.size());
  for (const auto &row : table.rows)
    expectTextRow(table, row, head, units, lines[at++]);
}

} // namespace

void expectPrintersAgree(const Table &table) {
  if (table.rows.empty())
    return;
  expectJson(table);
  expectHtml(table);
  expectCsv(table);
  expectText(table);
}

} // namespace kperf::test
