// Recognises source that has been preprocessed already.
#ifndef KPERF_REWRITERS_PREPROCESSEDTEXT_H
#define KPERF_REWRITERS_PREPROCESSEDTEXT_H

#include "llvm/ADT/StringRef.h"

namespace kperf {

/// Whether a name is one that compilers know preprocessed text by, which they read without a preprocessor.
bool isPreprocessedName(llvm::StringRef path);

/// Whether a text is the output of -E: it begins with a line marker, and others say where headers begin. A generator's text may begin with
/// the one that names its input.
bool isPreprocessedText(llvm::StringRef text);

} // namespace kperf

#endif
