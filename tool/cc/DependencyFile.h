// Changes the dependency files of compiled copies so that they name the originals.
#ifndef KPERF_TOOL_CC_DEPENDENCYFILE_H
#define KPERF_TOOL_CC_DEPENDENCYFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace kperf::cc {

/// What a path stands for: another path, or nothing when it is to be left out.
using PathMapping = llvm::function_ref<std::optional<std::string>(llvm::StringRef path)>;

/// The rules of a Make dependency file with every prerequisite mapped, each named once; a rule for a path that is left
/// out (from -MP) goes too. Targets of rules with prerequisites stay as they are. `added` is one more prerequisite of each
/// of those; empty: none.
std::string mapDependencies(llvm::StringRef makeText, PathMapping mapping, llvm::StringRef added = {});

/// Maps the file in place, by a temporary file beside it and a rename. A file that does not exist is left alone: the
/// compiler did not make one.
llvm::Error mapDependencyFile(llvm::StringRef path, PathMapping mapping, llvm::StringRef added = {});

} // namespace kperf::cc

#endif
