// Turns a crash of Clang into an ordinary compilation of the source that Clang was reading.
#ifndef KPERF_TOOL_CC_CRASHFALLBACK_H
#define KPERF_TOOL_CC_CRASHFALLBACK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kperf::cc {

/// What kperf-cc says then.
inline constexpr llvm::StringLiteral kCrashMessage = "kperf-cc: warning: clang crashed; the command is run as it is, without probes\n";

/// While this lives, a fault (a bad address, an exhausted stack, an abort) makes the process say `message` and become the
/// program that `command` names by its path. Inside of llvm::CrashRecoveryContext::RunSafely, where the process has enabled recovery, that
/// ends instead. One at a time, on the main thread.
class CrashFallback {
public:
  CrashFallback(std::string message, std::vector<std::string> command);
  ~CrashFallback();
  CrashFallback(const CrashFallback &) = delete;
  CrashFallback &operator=(const CrashFallback &) = delete;

private:
  std::string message;
  std::vector<std::string> command;
  std::vector<char *> pointers;
};

} // namespace kperf::cc

#endif
