// The headers that every source for the CPU begins with, parsed once for many runs of a plain C++ compiler.
//
// They take most of the time that a small kernel takes. What kperf's own Clang does with its preludes (rewriters/parse/Prelude.h) is done
// here for the compiler behind `kperf-cc host`, in the same folder and by the same rules, where that is a Clang: a precompiled header is
// made when a command comes for the first time, for to read the headers takes as long, and used while the command is the same and each file
// that it was made of is unchanged.
#ifndef KPERF_TOOL_CC_HOSTPRELUDE_H
#define KPERF_TOOL_CC_HOSTPRELUDE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace kperf::cc {

/// The precompiled form of `text`, which the source begins with, for a compiler's command without input, mode and output; it may be made
/// first. Empty where there is none: the compiler then reads the headers itself.
std::string hostPrelude(llvm::ArrayRef<std::string> command, llvm::StringRef text);

/// Whether a path in a dependency file is that of a prelude's text; the files that it includes stand there by themselves.
bool isHostPrelude(llvm::StringRef path);

} // namespace kperf::cc

#endif
