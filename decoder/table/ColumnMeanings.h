// The meanings of the tables' columns, in the words of docs/reference/columns.md, which is part of the library.
#ifndef KPERF_DECODER_COLUMN_MEANINGS_H
#define KPERF_DECODER_COLUMN_MEANINGS_H

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

struct TableMeaning {
  std::string_view name, command; ///< the table, and the command that prints it, without "kperf "
  std::string intro;              ///< what a row is; "" where that goes without saying
  struct Row {
    std::vector<std::string_view> keys;
    std::string_view meaning;
  };
  std::vector<Row> rows;
};

/// In the order of the page.
const std::vector<TableMeaning> &tableMeanings();

/// What the column of that key means in tables of that name; "" for one that the page lacks.
std::string_view columnMeaning(std::string_view table, std::string_view key);

} // namespace kperf::decoder

#endif
