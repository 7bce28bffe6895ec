// The descriptions.
#include "tool/commands/SharedOptions.h"

namespace kperf::tool {

Argument addTrace(const Arguments &arguments, std::string &trace) {
  return arguments.add("TRACE", trace, "default: the newest *.kperf here");
}

Argument addTraces(const Arguments &arguments, std::vector<std::string> &traces, const std::string &which) {
  return arguments.add("TRACE", traces, which + "default: the newest *.kperf here");
}

Argument addKernel(const Arguments &arguments, std::string &glob) {
  return arguments.add("--kernel", glob, "only kernels whose name matches GLOB").typeName("GLOB");
}

Argument addNames(const Arguments &arguments, std::string &names) {
  return arguments.add("--names", names, "of kernels: short, or full").oneOf({"short", "full"});
}

Argument addOutput(const Arguments &arguments, std::string &path) {
  return arguments.add("-o,--output", path, "default: standard output").typeName("FILE");
}

Argument addNamedOutput(const Arguments &arguments, std::string &path, const std::string &which) {
  return arguments.add("-o,--output", path, which + ", - for standard output").required().typeName("FILE");
}

Argument addRun(const Arguments &arguments, std::string &command) {
  return arguments.add("--run", command, "runs the program that --build built").typeName("COMMAND");
}

Argument addRuns(const Arguments &arguments, unsigned &runs) {
  return arguments.add("--runs", runs, "how often it runs each build (3)").typeName("N");
}

Argument addSame(const Arguments &arguments, std::string &pattern) {
  return arguments.add("--same", pattern, "lines that must be equal (checksum|result)").typeName("REGEX");
}

} // namespace kperf::tool
