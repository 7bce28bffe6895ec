// Reads a file of budgets.
#ifndef KPERF_TOOL_BUDGET_FILE_H
#define KPERF_TOOL_BUDGET_FILE_H

#include "decoder/compare/Budget.h"

#include <string>
#include <vector>

namespace kperf::tool {

/// YAML: `budgets:` and a list of texts, or of maps with `budget:`, and optionally `kernel:` and `because:`. Errors
/// name the line.
decoder::Expected<std::vector<decoder::Budget>> readBudgets(const std::string &path);
/// The same of a text that came from `path`.
decoder::Expected<std::vector<decoder::Budget>> parseBudgets(const std::string &text, const std::string &path);

} // namespace kperf::tool

#endif
