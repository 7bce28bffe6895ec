// Says why a budget finds no row in a table, and what to do about it.
#include "decoder/compare/MissingRow.h"
#include "decoder/trace/FormatNames.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::decoder {

std::string candidates(std::vector<std::string> names) {
  constexpr std::size_t kMostNames = 12;
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  const std::size_t left = names.size() - std::min(names.size(), kMostNames);
  names.resize(names.size() - left);
  return names.empty() ? "nothing" : fmt::format("{}{}", fmt::join(names, ", "), left ? ", …" : "");
}

Error missingRow(const Budget &budget, const OtherRows &there) {
  const std::string table = fmt::format("budget {}: table {}", budget.text, budget.table);
  const std::string shown = there.command.empty() ? "" : fmt::format("kperf {} shows what there is", there.command);
  if (!there.why.empty())
    return {.message = table + " has no row", .remedy = there.why};
  if (there.labels.empty() && there.kernels.empty())
    return {.message = table + " has no row", .found = "an empty table", .expected = "a row to hold against the limit", .remedy = shown};
  const std::string message = fmt::format("{} has no row{}{}", table, budget.row ? fmt::format(" \"{}\"", *budget.row) : "",
                                          budget.kernel.empty() ? "" : fmt::format(" of kernel '{}'", budget.kernel));
  if (!there.labels.empty() && budget.table == "losses")
    return {.message = message,
            .found = candidates(there.labels),
            .expected = fmt::format("a kind of loss ({}) or the reason of one that is there", words<format::LossKind>())};
  if (!there.labels.empty())
    return {.message = message,
            .expected = candidates(there.labels),
            .remedy = there.missing.empty() ? "" : "or its entries are missing: " + there.missing};
  if (std::ranges::all_of(there.kernels, &std::string::empty))
    return {.message = message, .found = "rows of all kernels together", .expected = "a budget without a kernel"};
  return {.message = message,
          .found = there.hasKernel ? "the kernel in other tables alone" : "no such kernel in the trace",
          .expected = candidates(there.kernels),
          .remedy = there.hasKernel ? fmt::format("name one that has rows there, or leave it out{}", shown.empty() ? "" : ": " + shown)
                                    : "name a kernel that the program launches"};
}

} // namespace kperf::decoder
