// Plans the regions of whole statements, whoever chose them: #pragma kperf region, a selection file, --auto.
#ifndef KPERF_REWRITERS_STATEMENTPLAN_H
#define KPERF_REWRITERS_STATEMENTPLAN_H

#include "RecordPart.h"
#include "TranslationUnit.h"

#include <string>

namespace kperf {

/// Adds regions and edits for every statement site of one function; whether there was one. A pragma that can't be obeyed is
/// reported; a rule's site that can't be timed goes to the skipped sites with its reason.
bool planStatements(TranslationUnit &unit, const AnnotatedFunction &holder, RecordPartChooser &parts);

/// The beginning of the object that times from where it stands to the end of its block, up to the id.
std::string scopeObject(const Region &region, RecordPart part);

/// Leaves a rule's site out.
void skipSite(TranslationUnit &unit, const AnnotatedFunction &holder, const StatementSite &site, llvm::StringRef reason);

} // namespace kperf

#endif
