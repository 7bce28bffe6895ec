// The tokens of a text that is not preprocessed, for repairs of what Clang does not take.
#ifndef KPERF_REWRITERS_RAWTOKENS_H
#define KPERF_REWRITERS_RAWTOKENS_H

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace kperf {

/// Those of C++ without comments, as parts of `text`; <<< are two, << and <.
std::vector<llvm::StringRef> rawTokens(llvm::StringRef text);

} // namespace kperf

#endif
