// Finds the place in a file that a region's row names, and where its probe's text is inserted.
#ifndef KPERF_REWRITERS_SITEPLACE_H
#define KPERF_REWRITERS_SITEPLACE_H

#include "rewriters/plan/RegionPlace.h"
#include "rewriters/unit/AnnotatedFunction.h"

#include "llvm/Support/Error.h"

#include <optional>

namespace kperf {

/// Where the text in front of an annotation goes: before the annotation itself; before the use of a macro that begins
/// with it; or, when it stands further on in a macro, before it in the macro's definition. Fails with a sentence when
/// none of that is possible.
llvm::Expected<Place> placeOfAnnotation(const TranslationUnit &unit, const MarkerSite &site);

/// The semicolon of an annotation that is a statement's whole body and gets braces around it, its text being put at `place`; nothing where
/// a macro is in the way.
std::optional<Place> endOfWholeBody(const TranslationUnit &unit, const MarkerSite &site, Place place);

/// Of a site of `holder` with a run: the pragma, the function's name, or the first statement without its attributes.
Place placeOfStatement(const TranslationUnit &unit, const AnnotatedFunction &holder, const StatementSite &site);

/// A region of that name at a place, as its row of the table says it.
RegionPlace regionPlace(const TranslationUnit &unit, Place place, llvm::StringRef name);

} // namespace kperf

#endif
