// Plans the regions that are whole statements, whether #pragma kperf region, a selection file or --auto chose them.
#ifndef KPERF_REWRITERS_STATEMENTPLAN_H
#define KPERF_REWRITERS_STATEMENTPLAN_H

#include "rewriters/kernel/RecordPart.h"
#include "rewriters/unit/TranslationUnit.h"

#include <string>

namespace kperf {

/// Adds regions and edits for every statement site of one function; whether there was one. A pragma that can't be obeyed is
/// reported; a rule's site that can't be timed goes to the skipped sites with its reason.
bool planStatements(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, RecordPartChooser &parts);

/// Adds the region and the object that times from where it stands, at `place`, to the end of its block, which is at `end`. The
/// `named`: the statement that the region begins with, or its annotation's. The text around it: `before` and `after`. Returns the region's
/// index.
std::size_t addScope(const TranslationUnit &unit, PlanAdditions &additions, RecordPartChooser &parts, Region region, RecordPart part,
                     Place place, unsigned end, const clang::Stmt *named, const std::string &before = {}, const std::string &after = {});

/// A region whose object stands at `place`, before its edits; the first half of addScope().
struct PlannedScope {
  std::size_t index; ///< in the plan
  RecordPart part;
  std::size_t sum; ///< of RecordPart::Sum: its place among the kernel's
  Place place;
  unsigned line, column;
  std::optional<FrameWords> words; ///< of RecordPart::Frame
};
PlannedScope planScope(const TranslationUnit &unit, PlanAdditions &additions, RecordPartChooser &parts, Region region, RecordPart part,
                       Place place, unsigned end, const clang::Stmt *named);
/// The second half.
void addObject(const TranslationUnit &unit, PlanAdditions &additions, const PlannedScope &scope, const std::string &before,
               const std::string &after);

/// Leaves a rule's site out.
void skipSite(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, const StatementSite &site,
              llvm::StringRef reason);

} // namespace kperf

#endif
