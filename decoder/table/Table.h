// A table, which views return and printers print: typed columns with units, rows, and notes.
#ifndef KPERF_DECODER_TABLE_H
#define KPERF_DECODER_TABLE_H

#include "decoder/table/Finding.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kperf::decoder {

enum class Unit { None, Cycles, Nanoseconds, Bytes, Percent, Ratio, Kilohertz };

/// "cycles", "ns", …; "" for none and ratios.
const char *unitName(Unit unit);

/// Empty, a text, an integer or a real.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct Column {
  enum class Role {
    Group, ///< the same in neighbouring rows: said once, above them; the first such column is their title
    Depth, ///< how far the label is indented
    Label, ///< text that identifies the row
    Value,
  };
  std::string name; ///< kebab-case; the same name may come with several units
  Unit unit = Unit::None;
  Role role = Role::Value;
  unsigned priority = 50;      ///< where room is short, columns of low priority go first; 0 is never shown to people
  bool isWithPrevious = false; ///< shown to people where the column before it is, and only there
  bool isWhole = false;        ///< text that is never cut: the last column
  bool isSum = false;          ///< of many entries or accesses: people see all sums of a row in one unit, all others in one
};

/// The column as one of sums.
inline Column summed(Column column) {
  column.isSum = true;
  return column;
}

/// What rows of JSON, heads of CSV and budgets call a column: its name, and its unit at the end.
std::string keyOf(const Column &column);

/// A line of source with something to say about a part of it.
struct Excerpt {
  std::string head;
  std::string source;
  std::uint32_t column = 0, width = 0; ///< bytes; column is 1-based
  std::vector<std::string> remarks;
};

/// Where the truth lies, both ends included, the upper one infinite where none is known, and how to get it.
struct Bounds {
  double min, max;
  std::string remedy;
};

/// What a row is about.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0, column = 0; ///< 1-based; 0 when unknown
};

struct Table {
  std::string name; ///< kebab-case
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows; ///< each as long as columns
  std::vector<std::string> notes;      ///< what a reader must know, each with a remedy where there is one
  std::string title = {};              ///< for people; "" for none
  std::vector<Excerpt> excerpts = {};  ///< for people: shown in place of the rows
  std::vector<Finding> findings = {};  ///< for code review tools
  /// By row and key of the column: how to get what this trace does not tell, whether the cell is empty or of a part.
  std::map<std::pair<std::size_t, std::string>, std::string> remedies = {};
  /// The same of numbers that are the middle of what the truth lies in.
  std::map<std::pair<std::size_t, std::string>, Bounds> bounds = {};
  /// By kernel: what is missing from its numbers, of which not all blocks or records are there, and how to get it.
  std::map<std::string, std::string> partial = {};
  /// Rows in front of which others of their group are left out: for people.
  std::set<std::size_t> gaps = {};
  /// By row, where it is about one: a text of it can't be read back, for names of files may hold ':' and numbers.
  std::map<std::size_t, SourcePlace> places = {};
  std::vector<std::string> namedKernels = {}; ///< that notes name beside those of the rows
  std::size_t leadNotes = 0; ///< how many of the notes, from the first, the rows mislead without: people see them above the rows

  /// Adds a note that is seen before the rows; "" adds none.
  void addLead(std::string note) {
    if (!note.empty())
      notes.insert(notes.begin() + static_cast<std::ptrdiff_t>(leadNotes++), std::move(note));
  }
};

} // namespace kperf::decoder

#endif
