// Blocks and statements that follow each other without another in between, each a region as a whole: where one is left,
// the next is entered, so that they need one clock and one record for both.
#ifndef KPERF_REWRITERS_ADJACENTSCOPES_H
#define KPERF_REWRITERS_ADJACENTSCOPES_H

#include "rewriters/region/StatementPlan.h"
#include "rewriters/unit/StatementEdit.h"

#include "llvm/ADT/ArrayRef.h"

namespace kperf {

/// The KPERF_SCOPEs of `holder` from `site` on whose blocks are adjacent, `site` included: one where the next is not, or where anything
/// else is annotated in a block.
llvm::ArrayRef<MarkerSite> adjacentScopes(const TranslationUnit &unit, const AnnotatedFunction &holder, const MarkerSite &site);

/// What addObject() is for one, for scopes of adjacent blocks that are all of RecordPart::Convergent. `sites` are theirs. Those of
/// RecordPart::Sum share nothing: on an H200 sums with a clock in common, moved from lane to lane, made attention 5.4 % slower
/// where they cost 3.6 % apart, counted in the same way.
void addAdjacentObjects(const TranslationUnit &unit, PlanAdditions &additions, RecordPartChooser &parts, llvm::ArrayRef<MarkerSite> sites,
                        llvm::ArrayRef<PlannedScope> scopes);

/// Whether a chosen statement, or run of statements, is followed by another one, and nothing else is annotated or
/// chosen in either.
bool areAdjacent(const TranslationUnit &unit, const AnnotatedFunction &holder, const StatementSite &site, const StatementSpan &span,
                 const StatementSite &next, const StatementSpan &nextSpan);

/// Says of adjacent scopes, all of RecordPart::Convergent, which share a record; `statements` are what they were counted at.
/// Returns the name of their ConvergentScopes object.
std::string addSharing(PlanAdditions &additions, RecordPartChooser &parts, llvm::ArrayRef<PlannedScope> scopes,
                       llvm::ArrayRef<const clang::Stmt *> statements);

} // namespace kperf

#endif
