// Writes a whole text to a file, and makes the folders above it.
#ifndef KPERF_TOOL_WRITE_TEXT_H
#define KPERF_TOOL_WRITE_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kperf::process {

/// Writes a file and the folders above it; fails with the path and the reason.
llvm::Error writeText(llvm::StringRef path, llvm::StringRef text);

} // namespace kperf::process

#endif
