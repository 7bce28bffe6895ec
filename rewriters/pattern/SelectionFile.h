// Reads the YAML file that --select names.
#ifndef KPERF_REWRITERS_SELECTIONFILE_H
#define KPERF_REWRITERS_SELECTIONFILE_H

#include "rewriters/pattern/Selection.h"

namespace kperf {

/// Fails with "FILE:LINE: what is wrong", one line for each finding, or with why the file can't be read.
llvm::Expected<Selection> readSelectionFile(llvm::StringRef path);

/// The same for text; `name` is what messages call it.
llvm::Expected<Selection> parseSelection(llvm::StringRef text, llvm::StringRef name);

} // namespace kperf

#endif
