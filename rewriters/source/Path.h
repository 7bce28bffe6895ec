// Makes paths absolute and free of dots, so that they serve as keys.
#ifndef KPERF_REWRITERS_PATH_H
#define KPERF_REWRITERS_PATH_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf {

/// Absolute and without dots.
std::string absolutePath(llvm::StringRef path);

} // namespace kperf

#endif
