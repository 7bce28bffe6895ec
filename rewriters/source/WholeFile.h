// Writes a file that others read at any time.
#ifndef KPERF_REWRITERS_WHOLEFILE_H
#define KPERF_REWRITERS_WHOLEFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kperf {

/// Nobody sees part of the text: until all of it is written the name means what it meant before. A signal that ends the program leaves
/// nothing else.
llvm::Error writeWholeFile(llvm::StringRef path, llvm::StringRef text);

} // namespace kperf

#endif
