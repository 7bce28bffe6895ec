// One run of kperf-cc: the user's compiler command, carried out on instrumented sources.
#ifndef KPERF_TOOL_CC_BUILD_H
#define KPERF_TOOL_CC_BUILD_H

#include "tool/cc/Installation.h"
#include "tool/cc/Instrument.h"
#include "tool/cc/Options.h"
#include "tool/process/Process.h"

#include "rewriters/command/CommandLine.h"

#include "llvm/Support/Error.h"

namespace kperf::cc {

/// A build by the vendor's compiler: its own command with sources replaced and the runtime library added.
llvm::Expected<ProcessEnd> buildWithVendor(const Options &options, const Installation &installation);

/// A build for the CPU: each source rewritten, compiled by a plain C++ compiler, and linked.
llvm::Expected<ProcessEnd> buildForHost(const Options &options, const Installation &installation);

/// A source of NVRTC's: written with probes to -o, and what NVRTC is to be told beside it, to `options` in the same folder, a line each.
/// Nothing is written where nothing is to be recorded.
llvm::Expected<ProcessEnd> rewriteForNvrtc(const Options &options, const Installation &installation);

/// Fails when a source does not exist or the output's folder cannot be written.
llvm::Error checkFiles(const CompileCommand &command);

/// What the linker is given so that weak references to the runtime bind to it, and that libraries loaded later find it:
/// "--undefined=…" and "--dynamic-list=…". The list is written to `workFolder`.
llvm::Expected<std::vector<std::string>> runtimeLinkerOptions(llvm::StringRef workFolder);

/// What a link by the vendor's or a C++ compiler is given besides: the runtime library with what it needs, and the
/// options of runtimeLinkerOptions.
std::vector<std::string> runtimeOptions(const CompileCommand &command, llvm::StringRef compiler, const Installation &installation,
                                        llvm::ArrayRef<std::string> linkerOptions);

/// What a plain C++ compiler is told of a source that is compiled for the CPU, but for input, mode and output.
std::vector<std::string> hostCompileOptions(const CompileCommand &command, const Input &input, const Installation &installation);

/// The text that names a work folder: equal for equal runs.
std::string workKey(const Options &options);

/// Runs a command, showing it first when that is wanted. What it says of copies is told of their originals.
llvm::Expected<ProcessEnd> runCommand(const Options &options, llvm::ArrayRef<std::string> command, const SourceCopies &copies = {});

/// Makes the dependency files of a finished compilation name originals, and the selection file.
llvm::Error mapDependencyFilesOf(const Options &options, const CompileCommand &command, const SourceCopies &copies);

/// `-isystem DIR` for kperf's headers, or nothing when the compiler looks there anyway.
std::vector<std::string> includeOptions(const Installation &installation);

} // namespace kperf::cc

#endif
