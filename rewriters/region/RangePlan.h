// Plans KPERF_BEGIN/KPERF_END, and the steps of planning that all macro annotations share.
#ifndef KPERF_REWRITERS_RANGEPLAN_H
#define KPERF_REWRITERS_RANGEPLAN_H

#include "rewriters/kernel/RecordPart.h"
#include "rewriters/unit/TranslationUnit.h"

namespace kperf {

/// Pairs the BEGINs and ENDs of one function by name, adds their edits, and closes ranges in front of every return that
/// can be reached only with the range open. What has no counterpart is reported.
void planRanges(const TranslationUnit &unit, PlanAdditions &additions, const AnnotatedFunction &holder, RecordPartChooser &parts);

/// Whether the entries of a region in a kernel's body at `place` are to be summed up; `isAsked`: its site says so.
bool isToBeSummed(const TranslationUnit &unit, const AnnotatedFunction &holder, const Region &region, Place place, bool isAsked);

/// Text around the ids of a region that statements of one block begin and end.
struct RangeText {
  std::string begin, end; ///< each up to an id, which "); " follows
};

/// Of a part that chooseForBlockRange() gave. `named`: as it was added to its stream; `region`: where the object is declared; `index`: in
/// the plan; `end`: in the file.
RangeText rangeText(RecordPartChooser &parts, RecordPart part, RecordName named, const Region &region, std::size_t index, unsigned end);

/// Inserts a call in front of an annotation, in braces together with it where one statement is expected.
void insertCall(const TranslationUnit &unit, PlanAdditions &additions, const MarkerSite &site, Place place, std::string before,
                std::size_t region, std::string after);

} // namespace kperf

#endif
