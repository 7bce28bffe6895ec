// Keeps source from standard input, so that the rewriter and several compilers can each read it.
#ifndef KPERF_TOOL_CC_STANDARDINPUT_H
#define KPERF_TOOL_CC_STANDARDINPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kperf::cc {

/// What such a source is called in diagnostics and tables.
inline constexpr llvm::StringLiteral kStandardInputName = "<stdin>";

/// Reads standard input to its end; programs that are started afterwards read the same from theirs, from its beginning.
llvm::Expected<std::string> keepStandardInput();

/// Once one of them has read it: the next reads it from the beginning too. Nothing happens where it is not kept.
void rewindStandardInput();

} // namespace kperf::cc

#endif
