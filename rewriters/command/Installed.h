// Finds where a toolkit is installed: beside a program on PATH, or where the environment says.
#ifndef KPERF_REWRITERS_INSTALLED_H
#define KPERF_REWRITERS_INSTALLED_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include <string>

namespace kperf {

/// folder/rest
std::string joined(llvm::StringRef folder, const llvm::Twine &rest);

/// The value of an environment variable, or an empty text.
std::string fromEnvironment(const char *name);

/// The folder above bin/ that holds the program which PATH leads to, behind symbolic links; empty when there is none.
std::string prefixOf(llvm::StringRef program);

} // namespace kperf

#endif
