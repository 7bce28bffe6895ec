// Limits on the numbers of any view, as text such as `regions."softmax".p95_ns < 1200`.
#ifndef KPERF_DECODER_BUDGET_H
#define KPERF_DECODER_BUDGET_H

#include "decoder/table/Table.h"
#include "decoder/view/View.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kperf::decoder {

/// One limit: `[view.]table[.row].column op number`. A row is a text that one of a row's labels is, or a shell pattern,
/// quoted or a word; without one all rows are meant. The table "kernels" has what the report says once for
/// each kernel, as its duration. A column is a key as JSON prints it (docs/reference/columns.md).
struct Budget {
  enum class Relation { Less, AtMost, More, AtLeast, Equal, Different };

  std::string text;
  std::string view, table; ///< view: "" for the first that has the table
  std::optional<std::string> row;
  std::string column;
  Relation relation = Relation::Less;
  double limit = 0;
  std::string kernel;  ///< shell pattern; "" for all
  std::string because; ///< what the author wrote about it
  SourcePlace place;   ///< in the file of budgets; none of others

  bool holds(double value) const;
  /// Whether it says the same of every value from `least` to `most`.
  bool isDecidedWithin(double least, double most) const;
};

/// Errors name the column in the text.
Expected<Budget> parseBudget(const std::string &text);

/// What became of budgets: a table with a row, and a finding, for each row that a budget is about.
struct BudgetResults {
  Table table;
  std::uint64_t broken = 0;
  /// Of budgets that could not be checked: they name a table, row or column that is not there, which lists what is, or a cell without a
  /// number. Of traces that are incomplete, too: what is missing may break any budget. Each has a row and a finding, too.
  std::vector<Error> failures;
};

BudgetResults checkBudgets(std::span<const Trace> traces, std::span<const Budget> budgets);

} // namespace kperf::decoder

#endif
