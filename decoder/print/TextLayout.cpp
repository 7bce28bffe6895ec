// Fits a table into a terminal: wide texts are cut, the least important columns left out, rows that differ kept apart.
#include "decoder/print/TextLayout.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

constexpr std::size_t kMinLabel = 14, kMaxLabel = 30, kMaxPlace = 22;

} // namespace

TextLayout::TextLayout(const Table &table, std::size_t columns)
    : table(table), columns(columns), pinned(table.columns.size()), wrapped(table.columns.size()), shown(table.columns.size()),
      text(table.columns.size()), widths(table.columns.size()), formats(table.columns.size()), texts(table.rows.size()) {
  for (std::vector<std::string> &row : texts)
    row.resize(table.columns.size());
  findLargest();
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    formatColumn(column);
  cutPlaces();
  pinned = distinguishing();
  shorten(kMaxLabel);
  leaveOut();
  shorten(kMinLabel);
  keepApart();
}

std::string TextLayout::textOf(const Cell &cell, std::size_t column) const {
  if (const auto *words = std::get_if<std::string>(&cell))
    return printable(*words);
  if (std::holds_alternative<std::monostate>(cell))
    return "";
  if (const auto *whole = std::get_if<std::uint64_t>(&cell); whole && formats[column].divisor == 1)
    return std::to_string(*whole);
  return formatted(valueOf(cell), formats[column]);
}

/// Columns that have the decimals of this one: what is shown with the one before it, of one unit.
std::pair<std::size_t, std::size_t> TextLayout::comparedWith(std::size_t column) const {
  const auto isLikePrevious = [&](std::size_t each) {
    const Unit unit = table.columns[each].unit;
    return each > 0 && table.columns[each].isWithPrevious && unit == table.columns[each - 1].unit && unit != Unit::None &&
           unit != Unit::Percent;
  };
  std::size_t first = column, last = column + 1;
  while (isLikePrevious(first))
    --first;
  while (last < table.columns.size() && isLikePrevious(last))
    ++last;
  return {first, last};
}

void TextLayout::findLargest() {
  largest.resize(table.columns.size());
  for (const std::vector<Cell> &row : table.rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      largest[column] = std::max(largest[column], valueOf(row[column]));
}

/// Times of a row are read side by side: all of one entry in one unit, all sums in one. So are bytes and cycles.
double TextLayout::divisorOf(std::size_t column) const {
  const Column &what = table.columns[column];
  double least = 0, most = 0;
  for (std::size_t each = 0; each < table.columns.size(); ++each) {
    const Column &other = table.columns[each];
    if (each != column && (other.unit != what.unit || other.isSum != what.isSum || other.role != Role::Value || what.role != Role::Value ||
                           other.priority == 0))
      continue;
    const double own = largest[each];
    least = own > 0 && (least == 0 || own < least) ? own : least;
    most = std::max(most, own);
  }
  return divisorFor(what.unit, least, most);
}

void TextLayout::formatColumn(std::size_t column) {
  const Column &what = table.columns[column];
  shown[column] = (what.role == Role::Label || what.role == Role::Value) && what.priority > 0;
  if (!shown[column])
    return;
  double most = 0;
  bool isWhole = true;
  const auto [first, last] = comparedWith(column);
  for (const std::vector<Cell> &row : table.rows) {
    for (std::size_t like = first; like < last; ++like) {
      most = std::max(most, valueOf(row[like]));
      isWhole &= !std::holds_alternative<double>(row[like]);
    }
    text[column] = text[column] || std::holds_alternative<std::string>(row[column]);
  }
  formats[column] = formatIn(what.unit, divisorOf(column), most, isWhole);
  widths[column] = std::max(columnsOf(what.name), columnsOf(formats[column].unit));
  const auto depth = std::ranges::find(table.columns, Role::Depth, &Column::role);
  bool isEmpty = true;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    texts[row][column] = textOf(table.rows[row][column], column);
    if (what.role == Role::Label && depth != table.columns.end()) {
      const double levels = valueOf(table.rows[row][static_cast<std::size_t>(depth - table.columns.begin())]);
      texts[row][column].insert(0, 2 * static_cast<std::size_t>(std::min(levels, 20.0)), ' ');
    }
    widths[column] = std::max(widths[column], columnsOf(texts[row][column]));
    isEmpty &= texts[row][column].empty();
  }
  if (isEmpty && what.role == Role::Value)
    shown[column] = false;
}

std::size_t TextLayout::total() const {
  std::size_t sum = 0;
  for (std::size_t column = 0; column < widths.size(); ++column)
    sum += shown[column] ? widths[column] + kGap : 0;
  return sum - std::min(sum, kGap);
}

/// Where room is short, of files' places their ends, from a folder on: as long as those that differ then do.
void TextLayout::cutPlaces() {
  for (std::size_t column = 0; column < widths.size() && total() > columns; ++column) {
    if (!shown[column] || !text[column] || table.columns[column].isWhole || widths[column] <= kMaxPlace)
      continue;
    const std::size_t width = std::max(kMaxPlace, widths[column] - std::min(widths[column], total() - columns));
    std::set<std::string> whole, cut;
    std::size_t widest = columnsOf(table.columns[column].name);
    const bool arePlaces = std::ranges::all_of(texts, [&](const std::vector<std::string> &row) {
      whole.insert(row[column]);
      widest = std::max(widest, columnsOf(*cut.insert(shortened(row[column], width)).first));
      return row[column].empty() || isPlace(row[column]);
    });
    if (!arePlaces || cut.size() < whole.size())
      continue;
    widths[column] = widest;
    for (std::vector<std::string> &row : texts)
      row[column] = shortened(row[column], width);
  }
}

/// Of places as much as their files' names take, as long as that is no long one.
std::size_t TextLayout::leastWidth(std::size_t column, std::size_t least) const {
  for (const std::vector<std::string> &row : texts)
    if (const std::string_view place = row[column]; isPlace(place))
      least = std::max(least, std::min(kMaxLabel, columnsOf(place.substr(place.rfind('/') + 1)) + 2));
  return least;
}

/// Labels last: rows go by them.
void TextLayout::shorten(std::size_t least) {
  for (const bool areLabels : {false, true})
    for (std::size_t column = 0; column < widths.size() && total() > columns; ++column)
      if (const bool isLabel = table.columns[column].role == Role::Label;
          isLabel == areLabels && shown[column] && text[column] && !table.columns[column].isWhole && column != pinned)
        if (const std::size_t width = leastWidth(column, least); widths[column] > width)
          widths[column] = std::max(width, widths[column] - std::min(widths[column], total() - columns));
}

/// The least important column goes first, and with it those that say nothing without it.
void TextLayout::leaveOut() {
  const auto isHead = [&](std::size_t column) {
    return shown[column] && table.columns[column].role == Role::Value && !table.columns[column].isWithPrevious && column != pinned;
  };
  std::size_t beyond = 0; // what is never cut may go on behind the edge
  for (std::size_t column = 0; column < widths.size(); ++column)
    if (shown[column] && table.columns[column].isWhole)
      beyond = widths[column] - std::min(widths[column], kMaxLabel);
  while (total() > columns + beyond) {
    std::size_t least = widths.size();
    for (std::size_t column = 0; column < widths.size(); ++column)
      if (isHead(column) && (least == widths.size() || table.columns[column].priority < table.columns[least].priority))
        least = column;
    if (least == widths.size())
      break;
    do {
      leftOutCount += shown[least];
      shown[least] = false;
    } while (++least < widths.size() && table.columns[least].isWithPrevious);
  }
}

bool TextLayout::isSameGroup(const Table &table, std::size_t row, std::size_t other) {
  for (std::size_t column = 0; column < table.columns.size(); ++column)
    if (table.columns[column].role == Role::Group && table.rows[row][column] != table.rows[other][column])
      return false;
  return true;
}

std::string TextLayout::labelsOf(std::size_t row, bool isShortened) const {
  std::string out;
  for (std::size_t column = 0; column < widths.size(); ++column)
    if (shown[column] && (table.columns[column].role == Role::Label || column == pinned))
      out += (isShortened ? shortened(texts[row][column], widths[column]) : texts[row][column]) + '\n';
  return out;
}

/// The text that tells rows of one label best apart, where they stand in the same one; as many as there are columns where labels do.
std::size_t TextLayout::distinguishing() const {
  const std::size_t none = widths.size();
  const auto depth = static_cast<std::size_t>(std::ranges::find(table.columns, Role::Depth, &Column::role) - table.columns.begin());
  std::map<std::string, std::vector<std::size_t>> rowsOf;
  std::vector<std::size_t> around; // of a row, the first rows that are called like those that it stands in
  std::size_t group = 0;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    group += row > 0 && !isSameGroup(table, row - 1, row);
    around.resize(std::min(around.size(), depth < none ? static_cast<std::size_t>(valueOf(table.rows[row][depth])) : 0));
    auto &namesakes = rowsOf[fmt::format("{}\n{}\n{}", group, around.empty() ? none : around.back(), labelsOf(row, false))];
    namesakes.push_back(row);
    around.push_back(namesakes.front());
  }
  std::size_t best = none, maxTold = 0;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    if (!shown[column] || !text[column] || widths[column] > kMaxLabel || table.columns[column].role != Role::Value)
      continue;
    std::size_t told = 0;
    for (const auto &[labels, rows] : rowsOf) {
      std::set<std::string> texts;
      for (const std::size_t row : rows)
        texts.insert(this->texts[row][column]);
      told += texts.size() - 1;
    }
    if (told > maxTold)
      best = column, maxTold = told;
  }
  return best;
}

bool TextLayout::isCut(std::size_t column) const {
  return std::ranges::any_of(texts, [&](const std::vector<std::string> &row) { return columnsOf(row[column]) > widths[column]; });
}

/// Labels that look alike when they are cut are not: the first column's stand on lines of their own, others keep their width.
void TextLayout::keepApart() {
  std::map<std::string, std::string> full;
  std::size_t group = 0;
  bool isAmbiguous = false;
  for (std::size_t row = 0; row < texts.size() && !isAmbiguous; ++row) {
    group += row > 0 && !isSameGroup(table, row - 1, row);
    const auto looksLikeAnother = [&](const std::string &cut, const std::string &whole) {
      const auto [known, isNew] = full.try_emplace(std::to_string(group) + '\n' + cut, whole);
      return !isNew && known->second != whole;
    };
    const std::string cut = labelsOf(row, true), whole = labelsOf(row, false);
    isAmbiguous = looksLikeAnother(cut, whole);
    // Of a budget the name tells which one it is, not the number behind it: if its end is cut off, what is left of it has to.
    if (std::ranges::count(cut, '"') == 1 && std::ranges::count(whole, '"') > 1)
      isAmbiguous |= looksLikeAnother(cut.substr(0, cut.find("…")), whole.substr(0, whole.rfind('"')));
  }
  const auto first = std::ranges::find(shown, true) - shown.begin();
  for (std::size_t column = 0; column < widths.size() && isAmbiguous; ++column) {
    if (!shown[column] || (table.columns[column].role != Role::Label && column != pinned) || !isCut(column))
      continue;
    if (column == static_cast<std::size_t>(first))
      wrapped = column;
    else
      for (const std::vector<std::string> &row : texts)
        widths[column] = std::max(widths[column], columnsOf(row[column]));
  }
}

} // namespace kperf::decoder
