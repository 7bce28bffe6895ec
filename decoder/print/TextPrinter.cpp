// Prints tables for people: aligned columns that fit the terminal, scaled units in the header, notes below.
#include "decoder/table/NumberFormat.h"
#include "decoder/print/Printer.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::size_t kGap = 2, kLeastLabel = 14, kMostLabel = 30;

/// Text in `columns` columns, cut at blanks; later lines are indented.
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

double valueOf(const Cell &cell) {
  const auto *whole = std::get_if<std::uint64_t>(&cell);
  const auto *real = std::get_if<double>(&cell);
  return whole ? static_cast<double>(*whole) : real ? *real : 0;
}

class TablePrinter {
public:
  TablePrinter(const Table &table, const PrintOptions &options, Output &out)
      : table(table), options(options), out(out), isShown(table.columns.size()), isText(table.columns.size()),
        width(table.columns.size()), formats(table.columns.size()), texts(table.rows.size()) {}

  void print();

private:
  void formatColumn(std::size_t column);
  void fit();
  std::size_t total() const;
  void printExcerpt(const Excerpt &excerpt);
  void printNotes();
  void printHead();
  void printGroup(const std::vector<Cell> &row);
  void printRow(std::size_t row);
  bool sameGroup(const std::vector<Cell> &a, const std::vector<Cell> &b) const;
  std::string textOf(const Cell &cell, std::size_t column) const;
  std::string aligned(std::string_view text, std::size_t column, bool isLast) const;
  void writeStyledLine(std::string_view text, const char *style);

  const Table &table;
  const PrintOptions &options;
  Output &out;
  std::vector<bool> isShown, isText;
  std::vector<std::size_t> width;
  std::vector<NumberFormat> formats;
  std::vector<std::vector<std::string>> texts; ///< by row and column
};

void TablePrinter::writeStyledLine(std::string_view text, const char *style) {
  if (options.isColored)
    out.writeStyle(style);
  out.write(text);
  if (options.isColored)
    out.writeStyle("0");
  out.write("\n");
}

void TablePrinter::print() {
  if (!table.excerpts.empty()) {
    writeStyledLine(table.title, "1");
    for (const Excerpt &excerpt : table.excerpts)
      printExcerpt(excerpt);
    return printNotes();
  }
  for (std::vector<std::string> &row : texts)
    row.resize(table.columns.size());
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    formatColumn(column);
  fit();
  const bool hasGroups = std::ranges::find(table.columns, Role::Group, &Column::role) != table.columns.end();
  if (!table.title.empty())
    writeStyledLine(table.title, "1");
  if (!hasGroups)
    printHead();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (hasGroups && (row == 0 || !sameGroup(table.rows[row - 1], table.rows[row]))) {
      out.write(row == 0 ? "" : "\n");
      printGroup(table.rows[row]);
      printHead();
    }
    printRow(row);
  }
  printNotes();
}

void TablePrinter::printNotes() {
  out.write(table.notes.empty() || table.rows.empty() ? "" : "\n");
  for (const std::string &note : table.notes)
    out.write(wrapped("note: " + printable(note), options.columns, 6));
}

/// As a compiler's diagnostic: the line, a caret under the part, what there is to say.
void TablePrinter::printExcerpt(const Excerpt &excerpt) {
  const std::size_t indent = std::min(excerpt.source.find_first_not_of(" \t"), excerpt.source.size());
  const std::string_view source = std::string_view(excerpt.source).substr(indent);
  const std::size_t begin = std::min<std::size_t>(excerpt.column - std::min<std::size_t>(excerpt.column, 1 + indent), source.size());
  const std::size_t width = std::max<std::size_t>(1, columnsOf(printable(source.substr(begin, excerpt.width))));
  out.write(wrapped(printable(excerpt.head), options.columns, 4));
  out.write("    " + printable(source) + "\n");
  out.write(std::string(4 + columnsOf(printable(source.substr(0, begin))), ' '));
  writeStyledLine("^" + std::string(width - 1, '~'), "32");
  for (const std::string &remark : excerpt.remarks)
    out.write("    " + wrapped(printable(remark), options.columns - 4, 4));
}

std::string TablePrinter::textOf(const Cell &cell, std::size_t column) const {
  if (const auto *text = std::get_if<std::string>(&cell))
    return printable(*text);
  if (std::holds_alternative<std::monostate>(cell))
    return "";
  if (const auto *whole = std::get_if<std::uint64_t>(&cell); whole && formats[column].divisor == 1)
    return std::to_string(*whole);
  return formatted(valueOf(cell), formats[column]);
}

void TablePrinter::formatColumn(std::size_t column) {
  const Column &what = table.columns[column];
  isShown[column] = (what.role == Role::Label || what.role == Role::Value) && what.priority > 0;
  if (!isShown[column])
    return;
  double most = 0;
  bool isWhole = true;
  for (const std::vector<Cell> &row : table.rows) {
    most = std::max(most, valueOf(row[column]));
    isWhole &= !std::holds_alternative<double>(row[column]);
    isText[column] = isText[column] || std::holds_alternative<std::string>(row[column]);
  }
  formats[column] = formatFor(what.unit, most, isWhole);
  width[column] = std::max(columnsOf(what.name), columnsOf(formats[column].unit));
  const auto depth = std::ranges::find(table.columns, Role::Depth, &Column::role);
  bool isEmpty = true;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    texts[row][column] = textOf(table.rows[row][column], column);
    if (what.role == Role::Label && depth != table.columns.end()) {
      const double levels = valueOf(table.rows[row][static_cast<std::size_t>(depth - table.columns.begin())]);
      texts[row][column].insert(0, 2 * static_cast<std::size_t>(std::min(levels, 20.0)), ' ');
    }
    width[column] = std::max(width[column], columnsOf(texts[row][column]));
    isEmpty &= texts[row][column].empty();
  }
  if (isEmpty && what.role == Role::Value)
    isShown[column] = false;
}

std::size_t TablePrinter::total() const {
  std::size_t sum = 0;
  for (std::size_t column = 0; column < width.size(); ++column)
    sum += isShown[column] ? width[column] + kGap : 0;
  return sum - std::min(sum, kGap);
}

/// Shortens wide texts, then leaves out the least important columns, then shortens further.
void TablePrinter::fit() {
  const auto shorten = [&](std::size_t least) {
    for (std::size_t column = 0; column < width.size() && total() > options.columns; ++column)
      if (isShown[column] && isText[column] && width[column] > least)
        width[column] = std::max(least, width[column] - std::min(width[column], total() - options.columns));
  };
  shorten(kMostLabel);
  while (total() > options.columns) {
    std::size_t least = width.size();
    for (std::size_t column = 0; column < width.size(); ++column)
      if (isShown[column] && table.columns[column].role == Role::Value &&
          (least == width.size() || table.columns[column].priority < table.columns[least].priority))
        least = column;
    if (least == width.size())
      break;
    isShown[least] = false;
  }
  shorten(kLeastLabel);
}

std::string TablePrinter::aligned(std::string_view text, std::size_t column, bool isLast) const {
  const std::string cut = shortened(text, width[column]);
  const std::string blanks(width[column] - std::min(width[column], columnsOf(cut)), ' ');
  if (isText[column])
    return isLast ? cut : cut + blanks;
  return blanks + cut;
}

void TablePrinter::printHead() {
  std::string names, units;
  bool hasUnits = false;
  for (std::size_t column = 0; column < width.size(); ++column) {
    if (!isShown[column])
      continue;
    const std::string gap(names.empty() ? 0 : kGap, ' ');
    names += gap + aligned(table.columns[column].name, column, false);
    units += gap + aligned(formats[column].unit, column, false);
    hasUnits |= !formats[column].unit.empty();
  }
  const auto trimmed = [](std::string text) { return text.substr(0, text.find_last_not_of(' ') + 1); };
  writeStyledLine(trimmed(names), "1");
  if (hasUnits)
    writeStyledLine(trimmed(units), "2");
}

void TablePrinter::printGroup(const std::vector<Cell> &row) {
  std::string title, line = " ";
  for (std::size_t column = 0; column < row.size(); ++column) {
    const Column &what = table.columns[column];
    if (what.role != Role::Group || what.priority == 0 || std::holds_alternative<std::monostate>(row[column]))
      continue;
    const auto *text = std::get_if<std::string>(&row[column]);
    const std::string value =
        text ? printable(*text)
             : formatted(valueOf(row[column]), what.unit, std::holds_alternative<std::uint64_t>(row[column]));
    const std::string item = what.name + " " + value;
    if (title.empty()) {
      title = item;
      writeStyledLine(title, "1");
      continue;
    }
    if (line.size() > 1 && columnsOf(line) + columnsOf(item) + 2 > options.columns) {
      out.write(line + "\n");
      line = " ";
    }
    line += " " + item + ",";
  }
  if (line.size() > 1)
    out.write(line.substr(0, line.size() - 1) + "\n");
}

void TablePrinter::printRow(std::size_t row) {
  std::string line;
  for (std::size_t column = 0; column < width.size(); ++column)
    if (isShown[column])
      line += std::string(line.empty() ? 0 : kGap, ' ') + aligned(texts[row][column], column, false);
  out.write(line.substr(0, line.find_last_not_of(' ') + 1) + "\n");
}

bool TablePrinter::sameGroup(const std::vector<Cell> &a, const std::vector<Cell> &b) const {
  for (std::size_t column = 0; column < a.size(); ++column)
    if (table.columns[column].role == Role::Group && a[column] != b[column])
      return false;
  return true;
}

} // namespace

void textPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  for (const Table &table : tables) {
    if (&table != tables.data())
      out.write("\n");
    TablePrinter(table, options, out).print();
  }
}

} // namespace kperf::decoder
