// Lists the annotations in code that the preprocessor skipped.
#ifndef KPERF_REWRITERS_UNSEENCODE_H
#define KPERF_REWRITERS_UNSEENCODE_H

#include "rewriters/unit/TranslationUnit.h"

namespace kperf {

/// Warns of each annotation in code that no inclusion of its file kept.
void warnOfUnseenAnnotations(const TranslationUnit &unit, llvm::StringRef architecture);

} // namespace kperf

#endif
