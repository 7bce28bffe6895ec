// The steps that nvcc would run for a command: the variables it sets, and how it preprocesses each source for its device compiler.
#ifndef KPERF_TOOL_PLAIN_NVCC_STEPS_H
#define KPERF_TOOL_PLAIN_NVCC_STEPS_H

#include "tool/process/Spawn.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace kperf::plain {

/// How one source is preprocessed for one architecture.
struct DeviceText {
  std::string source;       ///< file name, without a folder
  std::string architecture; ///< "compute_90a"
  std::string file;         ///< what the command writes
  std::vector<std::string> command;
};

struct NvccSteps {
  std::vector<std::pair<std::string, std::string>> variables; ///< as nvcc sets them from its profile
  std::vector<DeviceText> texts;

  /// The value of a variable, or "".
  llvm::StringRef variable(llvm::StringRef name) const;
};

/// Reads what `nvcc --dryrun` says on standard error.
NvccSteps parseSteps(llvm::StringRef said);

/// Asks nvcc, whose path `command` begins with, what it would do. `end`: how that ended.
llvm::Expected<NvccSteps> stepsOf(llvm::ArrayRef<std::string> command, process::ProcessEnd &end);

} // namespace kperf::plain

#endif
