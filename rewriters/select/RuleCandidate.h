// The functions that rules are applied to.
#ifndef KPERF_REWRITERS_RULECANDIDATE_H
#define KPERF_REWRITERS_RULECANDIDATE_H

#include "rewriters/pattern/Selection.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include <string>
#include <vector>

namespace kperf {

/// A device function of the source, or of a header.
struct RuleCandidate {
  AnnotatedFunction *function = nullptr;
  std::string name, file;
  clang::FileID fileId;
  bool isLookedInto = false; ///< it is in the source itself, or in a header that the selection names
};

std::vector<RuleCandidate> ruleCandidates(const TranslationUnit &unit, std::vector<AnnotatedFunction> &functions);

/// By the function's own name, or by the kernel's that a lambda lies in.
bool selectsFunction(const NamePatterns &patterns, const NamePatterns &exclude, const RuleCandidate &candidate);

/// Whether it is looked into and in a file that the rule is for.
bool appliesTo(const SelectionRule &rule, const RuleCandidate &candidate);

} // namespace kperf

#endif
