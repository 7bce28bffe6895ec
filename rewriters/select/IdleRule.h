// Says what to do about a rule that chose nothing.
#ifndef KPERF_REWRITERS_IDLERULE_H
#define KPERF_REWRITERS_IDLERULE_H

#include "rewriters/select/RuleCandidate.h"

#include <string>
#include <vector>

namespace kperf {

/// Behind "the rule selects nothing in 'FILE'; ": what is there instead, and what may have been meant.
std::string remedyFor(const TranslationUnit &unit, const SelectionRule &rule, const std::vector<RuleCandidate> &candidates);

} // namespace kperf

#endif
