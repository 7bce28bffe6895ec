// Chooses the columns of a table that people see, their widths, and the text of their cells.
#ifndef KPERF_DECODER_TEXT_LAYOUT_H
#define KPERF_DECODER_TEXT_LAYOUT_H

#include "decoder/table/NumberFormat.h"

#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// A number of either kind; 0 where there is none.
inline double valueOf(const Cell &cell) {
  const auto *whole = std::get_if<std::uint64_t>(&cell);
  const auto *real = std::get_if<double>(&cell);
  return whole ? static_cast<double>(*whole) : real ? *real : 0;
}

class TextLayout {
public:
  static constexpr std::size_t kGap = 2; ///< blanks between columns

  /// In `columns` columns of a terminal. Rows that differ stay different: what tells them apart is neither cut nor left out.
  TextLayout(const Table &table, std::size_t columns);

  bool isShown(std::size_t column) const { return shown[column]; }
  bool isText(std::size_t column) const { return text[column]; }
  /// Whether texts that are wider than the column stand on a line of their own, above the row's other cells.
  bool isWrapped(std::size_t column) const { return column == wrapped; }
  std::size_t width(std::size_t column) const { return widths[column]; }
  const std::string &unit(std::size_t column) const { return formats[column].unit; }
  const std::string &cell(std::size_t row, std::size_t column) const { return texts[row][column]; }
  /// Columns with something to say that found no room.
  std::size_t leftOut() const { return leftOutCount; }

  static bool isSameGroup(const Table &table, std::size_t row, std::size_t other);

private:
  std::pair<std::size_t, std::size_t> comparedWith(std::size_t column) const;
  double divisorOf(std::size_t column) const;
  void findLargest();
  void formatColumn(std::size_t column);
  std::string textOf(const Cell &cell, std::size_t column) const;
  std::size_t total() const;
  void cutPlaces();
  void shorten(std::size_t least);
  std::size_t leastWidth(std::size_t column, std::size_t least) const;
  void leaveOut();
  bool isCut(std::size_t column) const;
  std::size_t distinguishing() const;
  std::string labelsOf(std::size_t row, bool isShortened) const;
  void keepApart();

  const Table &table;
  std::size_t columns, pinned, wrapped, leftOutCount = 0;
  std::vector<bool> shown, text;
  std::vector<std::size_t> widths;
  std::vector<double> largest; ///< numbers by column, 0 where there is none
  std::vector<NumberFormat> formats;
  std::vector<std::vector<std::string>> texts; ///< by row and column
};

} // namespace kperf::decoder

#endif
