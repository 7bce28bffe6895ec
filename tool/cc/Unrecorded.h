// Warns of programs, and of sources that another compiler links, that hold kernels but will record nothing.
#ifndef KPERF_TOOL_CC_UNRECORDED_H
#define KPERF_TOOL_CC_UNRECORDED_H

#include "tool/cc/Instrument.h"

#include "rewriters/command/CommandLine.h"

namespace kperf::cc {

/// Says in one line that the program that the command links records nothing, though it holds kernels, and what to do about it. Says nothing
/// where a library that is not looked into may record.
void noteUnrecordedProgram(const CompileCommand &command, const Instrumented &sources);

/// Says the same of a source that the command compiles and does not link: the link may be somebody else's, as with CMake's compiler
/// launcher, and then nobody else says it. Of the sources that are compiled in one folder it is said once a minute, since some of a project
/// may have nothing to record; and not where --auto says why it selected nothing, or rules may be meant for other files.
void noteUnrecordedSource(const Options &options, const CompileCommand &command, llvm::StringRef source, const RewriteResult &result);

} // namespace kperf::cc

#endif
