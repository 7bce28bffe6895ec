// Measures how deeply JSON's brackets nest, since its parsers recurse.
#ifndef KPERF_REWRITERS_JSONDEPTH_H
#define KPERF_REWRITERS_JSONDEPTH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace kperf {

/// llvm::json::parse, but for texts with more than 100 arrays and objects inside each other, on which that may end the process: they fail.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

/// The most of '[' and '{' that are open at once. Those in "…" count only where `countsQuoted`: in YAML, which has other quotes and
/// comments, that is no less than the truth.
unsigned bracketDepth(llvm::StringRef text, bool countsQuoted);

} // namespace kperf

#endif
