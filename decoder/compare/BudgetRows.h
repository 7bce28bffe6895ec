// Finds the rows of a table that a budget is about, and says what they are called.
#ifndef KPERF_DECODER_BUDGET_ROWS_H
#define KPERF_DECODER_BUDGET_ROWS_H

#include "decoder/compare/Budget.h"

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// The text of a named column in a row, "" when there is none.
std::string textIn(const Table &table, std::size_t row, std::string_view column);

/// The kernel that a row is of; of memory accesses the function that makes them.
std::string kernelOf(const Table &table, std::size_t row);

/// Of a kernel as tables name it, or a function.
bool isKernel(const std::string &pattern, const std::string &name);

/// What tells the row from others of its table: a text, a number as JSON has it, of a line of the source FILE:LINE.
std::string labelOf(const Table &table, std::size_t row);

/// The table "kernels": a row for each group of a table's rows, with what is said once for all of them.
Table groupsOf(const Table &table);

/// The rows that a budget's text names: those whose own label it is, or is a pattern of. KERNEL/LABEL names the rows of a kernel alone.
/// What is no row's label is the name of a kernel, a file or a function, whose rows all are meant. An error where a number is the label of
/// lines of several files. Empty: there are none.
Expected<std::vector<std::size_t>> rowsOf(const Budget &budget, const Table &table);

} // namespace kperf::decoder

#endif
