// What several commands take from the command line, each described once.
#ifndef KPERF_TOOL_SHARED_OPTIONS_H
#define KPERF_TOOL_SHARED_OPTIONS_H

#include "tool/commands/Arguments.h"

#include <string>
#include <vector>

namespace kperf::tool {

/// TRACE, by default the newest here (NewestTrace.h). `which`: what else is to be known of them, with a "; " behind it.
Argument addTrace(const Arguments &arguments, std::string &trace);
Argument addTraces(const Arguments &arguments, std::vector<std::string> &traces, const std::string &which = "");

/// --kernel.
Argument addKernel(const Arguments &arguments, std::string &glob);

/// --names, of what people read.
Argument addNames(const Arguments &arguments, std::string &names);

/// -o, of commands that print.
Argument addOutput(const Arguments &arguments, std::string &path);
/// -o, of commands that write a file.
Argument addNamedOutput(const Arguments &arguments, std::string &path, const std::string &which = "where to write");

/// --run, --runs and --same, of commands that build and run a program themselves.
Argument addRun(const Arguments &arguments, std::string &command);
Argument addRuns(const Arguments &arguments, unsigned &runs);
Argument addSame(const Arguments &arguments, std::string &pattern);

} // namespace kperf::tool

#endif
