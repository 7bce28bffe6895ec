// Prints tables for people: aligned columns that fit the terminal, scaled units in the header, notes below.
#include "decoder/io/Utf8.h"
#include "decoder/print/Printer.h"
#include "decoder/print/TextLayout.h"
#include "decoder/print/Wrapped.h"
#include "decoder/table/NumberFormat.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

std::string trimmed(const std::string &text) { return text.substr(0, text.find_last_not_of(' ') + 1); }

class TablePrinter {
public:
  TablePrinter(const Table &table, const PrintOptions &options, Output &out)
      : table(table), options(options), out(out), layout(table, options.columns) {}

  void print();
  std::size_t leftOut() const { return layout.leftOut(); }

private:
  void printExcerpt(const Excerpt &excerpt);
  void printRemarks();
  void printNotes(std::size_t from, std::size_t to);
  void printHead();
  void printGroup(const std::vector<Cell> &row);
  void printRow(std::size_t row);
  std::string aligned(std::string_view text, std::size_t column) const;
  void writeStyledLine(std::string_view text, const char *style);

  const Table &table;
  const PrintOptions &options;
  Output &out;
  TextLayout layout;
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
    printNotes(0, table.leadNotes);
    for (const Excerpt &excerpt : table.excerpts)
      printExcerpt(excerpt);
    return printRemarks();
  }
  const bool hasGroups = std::ranges::find(table.columns, Role::Group, &Column::role) != table.columns.end();
  if (!table.title.empty())
    writeStyledLine(table.title, "1");
  printNotes(0, table.leadNotes);
  if (!hasGroups && !table.rows.empty())
    printHead();
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (hasGroups && (row == 0 || !TextLayout::isSameGroup(table, row - 1, row))) {
      out.write(row == 0 ? "" : "\n");
      printGroup(table.rows[row]);
      printHead();
    }
    if (table.gaps.contains(row))
      out.write("…\n");
    printRow(row);
  }
  printRemarks();
}

/// The notes that the rows can be read without.
void TablePrinter::printRemarks() {
  out.write(table.notes.size() == table.leadNotes || table.rows.empty() ? "" : "\n");
  printNotes(table.leadNotes, table.notes.size());
}

void TablePrinter::printNotes(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i)
    out.write(wrapped("note: " + printable(table.notes[i]), options.columns, 6));
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

std::string TablePrinter::aligned(std::string_view text, std::size_t column) const {
  const std::size_t width = layout.width(column);
  const std::string cut = table.columns[column].isWhole ? std::string(text) : shortened(text, width);
  const std::string blanks(width - std::min(width, columnsOf(cut)), ' ');
  return layout.isText(column) ? cut + blanks : blanks + cut;
}

void TablePrinter::printHead() {
  std::string names, units;
  bool hasUnits = false;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (!layout.isShown(column))
      continue;
    const std::string gap(names.empty() ? 0 : TextLayout::kGap, ' ');
    names += gap + aligned(table.columns[column].name, column);
    units += gap + aligned(layout.unit(column), column);
    hasUnits |= !layout.unit(column).empty();
  }
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
        text ? printable(*text) : formatted(valueOf(row[column]), what.unit, std::holds_alternative<std::uint64_t>(row[column]));
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
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (!layout.isShown(column))
      continue;
    std::string_view text = layout.cell(row, column);
    if (layout.isWrapped(column) && columnsOf(text) > layout.width(column)) {
      out.write(std::string(text) + "\n");
      text = {};
    }
    line += std::string(line.empty() ? 0 : TextLayout::kGap, ' ') + aligned(text, column);
  }
  out.write(trimmed(line) + "\n");
}

} // namespace

void textPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  if (!options.origin.empty()) {
    if (options.isColored)
      out.writeStyle("33");
    out.write(wrapped(options.origin, options.columns, 2));
    if (options.isColored)
      out.writeStyle("0");
  }
  std::size_t leftOut = 0;
  for (const Table &table : tables) {
    if (&table != tables.data())
      out.write("\n");
    TablePrinter printer(table, options, out);
    printer.print();
    leftOut += printer.leftOut();
  }
  if (leftOut > 0)
    out.write(wrapped(fmt::format("({} column{} do{} not fit in {}: --width=N widens the table, --format=csv and json have all)", leftOut,
                                  leftOut == 1 ? "" : "s", leftOut == 1 ? "es" : "", options.columns),
                      options.columns, 1));
  out.write(options.closing);
}

} // namespace kperf::decoder
