// Applies a Selection to the functions of a translation unit.
#ifndef KPERF_REWRITERS_RULESELECTOR_H
#define KPERF_REWRITERS_RULESELECTOR_H

#include "rewriters/analysis/WorkEstimate.h"
#include "rewriters/pattern/Selection.h"
#include "rewriters/select/CalledInLoops.h"
#include "rewriters/select/LineRun.h"
#include "rewriters/select/RuleCandidate.h"
#include "rewriters/select/Selectable.h"

#include <set>
#include <string>
#include <vector>

namespace kperf {

/// Looks into the main file and the headers that the selection names. What the guard leaves out is among the skipped
/// sites. Two rules that choose the same statement, or runs of lines that cross, are an error; an annotation's pragma and
/// rules of a file win over automatic ones. A rule of a file that chose nothing is a warning.
class RuleSelector : public SiteSelector {
public:
  explicit RuleSelector(const TranslationUnit &unit);

  /// What is not timed after all.
  std::vector<SkippedSite> skipped;

  void select(std::vector<AnnotatedFunction> &functions) override;

private:
  void applyToFunction(std::size_t rule, const RuleCandidate &candidate, const std::vector<Selectable> &selectables);
  bool chooses(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable) const;
  bool isTooSmall(const Selectable &selectable);
  bool isInUnrolled(const Selectable &selectable) const;
  bool isMostOfOuter(const Selectable &selectable, const std::vector<Selectable> &all) const;
  void applyMatcher(std::size_t rule, const RuleCandidate &candidate);
  void applyLines(std::size_t rule, const std::vector<RuleCandidate> &candidates);
  void add(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable, const LineRun &run);
  void reportOverlap(const StatementSite &left, const StatementSite &right);
  void findCrossings(const AnnotatedFunction &function);
  void skip(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable, llvm::StringRef reason,
            bool isTooSmall);
  std::string nameFor(const SelectionRule &rule, const RuleCandidate &candidate, const Selectable &selectable) const;

  const TranslationUnit &unit;
  const Selection &selection;
  const WorkEstimate &work;
  CalledInLoops inLoops;
  std::vector<bool> ruleChose;   ///< by index of the rule
  std::vector<bool> ruleApplied; ///< its files were among those looked into
  std::set<std::pair<std::string, std::string>> reported;
};

} // namespace kperf

#endif
