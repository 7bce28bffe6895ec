// Warns of programs that hold kernels but will record nothing.
#ifndef KPERF_TOOL_CC_UNRECORDED_H
#define KPERF_TOOL_CC_UNRECORDED_H

#include "tool/cc/Instrument.h"

#include "rewriters/command/CommandLine.h"

namespace kperf::cc {

/// Says in one line that the program that the command links records nothing, though it holds kernels, and what to do about it. Says nothing
/// where a library that is not looked into may record.
void noteUnrecordedProgram(const CompileCommand &command, const Instrumented &sources);

} // namespace kperf::cc

#endif
