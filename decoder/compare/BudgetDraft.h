// Limits for a first file of budgets: what traces show, with some room.
#ifndef KPERF_DECODER_BUDGET_DRAFT_H
#define KPERF_DECODER_BUDGET_DRAFT_H

#include "decoder/compare/Budget.h"

#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

struct BudgetDraft {
  std::vector<std::string> budgets; ///< texts of limits that the traces keep, as parseBudget() takes them
  std::vector<std::string> notes;   ///< what is not among them, and why
};

/// Of each kernel the duration, of its regions the mean, of its accesses the efficiency or the ways of bank conflicts, for rows that make
/// up 1 % or more; that nothing was lost.
Expected<BudgetDraft> draftBudgets(std::span<const Trace> traces);

/// By how much of a number its limit is beyond it.
inline constexpr double kDraftRoom = 0.1;

} // namespace kperf::decoder

#endif
