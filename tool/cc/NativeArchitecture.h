// The architecture "native" of a compiler's command: that of the machine's own GPUs.
#ifndef KPERF_TOOL_CC_NATIVE_ARCHITECTURE_H
#define KPERF_TOOL_CC_NATIVE_ARCHITECTURE_H

#include "rewriters/command/CommandLine.h"

#include "llvm/ADT/StringRef.h"

namespace kperf::cc {

/// Replaces "native" by what the toolkit beside `compiler` says of this machine's GPUs, or by the compiler's default
/// with a warning in `command` when there is none.
void resolveNativeArchitectures(CompileCommand &command, llvm::StringRef compiler);

} // namespace kperf::cc

#endif
