// Acts as the device compiler or the assembler when nvcc starts this program in their place.
#ifndef KPERF_TOOL_PLAIN_DEVICE_STEP_H
#define KPERF_TOOL_PLAIN_DEVICE_STEP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf::plain {

/// Whether nvcc started this program as one of its own (PlainCopies.h).
bool isDeviceStep(llvm::StringRef programName);

/// Does what that program does; as the device compiler, for the source without probes too, and puts its kernels beside those with probes.
/// Where that fails the result is that of the compiler alone. `arguments` begin with the program's name. Returns the exit code.
int runDeviceStep(llvm::ArrayRef<std::string> arguments);

} // namespace kperf::plain

#endif
