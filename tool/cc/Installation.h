// Finds kperf's headers and runtime library from the executable's place.
#ifndef KPERF_TOOL_CC_INSTALLATION_H
#define KPERF_TOOL_CC_INSTALLATION_H

#include "llvm/Support/Error.h"

#include <string>

namespace kperf::cc {

struct Installation {
  std::string include;       ///< the folder that holds kperf/probe.h
  std::string staticRuntime; ///< libkperf_runtime.a
  std::string sharedRuntime; ///< libkperf_runtime.so
  std::string hostLibrary;   ///< libkperf_host.a

  /// Looks beside the executable (bin/../include, bin/../lib), then where the build put things. Fails when the headers
  /// are nowhere; libraries are only named, for a compilation needs none.
  static llvm::Expected<Installation> find(const char *programName);
};

} // namespace kperf::cc

#endif
