// Runs another program to its end, by argument vector.
#ifndef KPERF_TOOL_CHILD_PROCESS_H
#define KPERF_TOOL_CHILD_PROCESS_H

#include "decoder/io/Error.h"

#include <string>
#include <vector>

namespace kperf::tool {

struct ChildEnd {
  int exitCode = 0;   ///< 128 and the signal's number for one that a signal ended
  std::string output; ///< what it wrote to standard output, where that was asked for
};

/// A program by its path, or by its name on PATH; `environment` is the child's, whole. Its standard error is ours, and
/// so is its standard output unless `capture`.
decoder::Expected<ChildEnd> runChild(const std::vector<std::string> &arguments, const std::vector<std::string> &environment, bool capture);

/// This process's environment without the variables whose names begin with "KPERF".
std::vector<std::string> environmentWithoutKperf();

/// Whether a program of that name is on PATH.
bool isOnPath(const std::string &name);

} // namespace kperf::tool

#endif
