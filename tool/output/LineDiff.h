// A unified diff of two texts of which the second has the lines of the first, some with insertions, and more at the end.
#ifndef KPERF_TOOL_LINEDIFF_H
#define KPERF_TOOL_LINEDIFF_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace kperf {

/// Prints nothing when the texts are equal.
void printLineDiff(llvm::StringRef before, llvm::StringRef after, llvm::StringRef beforeName, llvm::StringRef afterName,
                   llvm::raw_ostream &out);

} // namespace kperf

#endif
