// The losses of traces as budgets hold them: what was not lost is a row, too, whose count is 0.
#include "decoder/compare/LossRows.h"
#include "decoder/io/Glob.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/view/InfoView.h"

namespace kperf::decoder {

Table noLossRow(const Table &losses, const std::string &name) {
  Table out{.name = losses.name, .columns = losses.columns};
  std::vector<Cell> row(out.columns.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    if (out.columns[i].name == "loss")
      row[i] = name;
    else if (out.columns[i].name == "count")
      row[i] = std::uint64_t{0};
  out.rows.push_back(std::move(row));
  return out;
}

Expected<Table> lossRows(std::span<const Trace> traces) {
  auto losses = lossTable(traces);
  return losses && losses->rows.empty() ? noLossRow(*losses, kNothingLost) : losses;
}

bool isKindOfLoss(const std::string &pattern) {
  for (std::uint32_t kind = 1; const char *const word = name(static_cast<format::LossKind>(kind)); ++kind)
    if (matches(pattern, word))
      return true;
  return false;
}

} // namespace kperf::decoder
