// Reads a file of budgets, and writes a first one.
#ifndef KPERF_TOOL_BUDGET_FILE_H
#define KPERF_TOOL_BUDGET_FILE_H

#include "decoder/compare/BudgetDraft.h"
#include "decoder/io/Output.h"

#include <expected>
#include <string>
#include <vector>

namespace kperf::tool {

/// Else what is wrong: one error or more, in the order of the file.
using Budgets = std::expected<std::vector<decoder::Budget>, std::vector<decoder::Error>>;

/// YAML: `budgets:` and a list of texts, or of maps with `budget:`, and optionally `kernel:` and `because:`. Errors name the line: one for
/// each budget that is none; one where the file is no such YAML.
Budgets readBudgets(const std::string &path);
/// The same of a text that came from `path`.
Budgets parseBudgets(const std::string &text, const std::string &path);
/// A file that readBudgets() reads. `origin`: what the limits are of.
void writeBudgets(const decoder::BudgetDraft &draft, const std::string &origin, decoder::Output &out);

} // namespace kperf::tool

#endif
