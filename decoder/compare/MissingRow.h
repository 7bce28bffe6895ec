// Says why a budget finds no row in a table, and what to do about it.
#ifndef KPERF_DECODER_MISSING_ROW_H
#define KPERF_DECODER_MISSING_ROW_H

#include "decoder/compare/Budget.h"
#include "decoder/io/Error.h"

namespace kperf::decoder {

/// What a table has in place of the row that a budget names.
struct OtherRows {
  std::vector<std::string> labels;  ///< of the kernels that are meant; of all if the budget names none
  std::vector<std::string> kernels; ///< of the other rows
  std::string why;                  ///< what an empty table says of itself, with what to do; or ""
  std::string missing;              ///< what there is not of their entries, and how to get it; "" where all are there
  std::string command;              ///< that shows the table, without "kperf "; "" where none does
  bool hasKernel = false;           ///< the trace has a kernel that is meant
};

Error missingRow(const Budget &budget, const OtherRows &there);

/// "a, b, c", without doubles, as far as there is room for them; "nothing" of none.
std::string candidates(std::vector<std::string> names);

} // namespace kperf::decoder

#endif
