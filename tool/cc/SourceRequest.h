// Makes the rewriter's request for one source of a compiler's command.
#ifndef KPERF_TOOL_CC_SOURCEREQUEST_H
#define KPERF_TOOL_CC_SOURCEREQUEST_H

#include "tool/cc/Installation.h"

#include "rewriters/Rewrite.h"
#include "rewriters/command/CommandLine.h"

namespace kperf::cc {

/// The request with everything that the command says: flags, target, architecture, toolkit (the one that `compiler`, a
/// path, belongs to). Where the result goes and what is inserted are up to the caller.
RewriteRequest requestFor(const CompileCommand &command, const Input &input, llvm::StringRef compiler);

/// Whether a source is HIP's spelling and compiled for an NVIDIA GPU: given to nvcc, or with HIP_PLATFORM=nvidia in the
/// environment.
bool isHipOnNvidia(const CompileCommand &command, const Input &input);

/// What stands before the first line of an instrumented source; its #line directive follows. `macros` do not reach kperf's headers
/// (RewriteResult::macros).
std::string prologueFor(const Installation &installation, llvm::ArrayRef<std::string> macros);

/// The same for a source that NVRTC compiles.
std::string prologueForNvrtc(llvm::ArrayRef<std::string> macros);

/// The text behind the prologue, which may be empty: without its byte order mark, which is one at the very beginning only.
std::string behindPrologue(llvm::StringRef prologue, llvm::StringRef text);

} // namespace kperf::cc

#endif
