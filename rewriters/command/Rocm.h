// An installation of ROCm on this machine, and the options with which Clang reads HIP source against it.
#ifndef KPERF_REWRITERS_ROCM_H
#define KPERF_REWRITERS_ROCM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kperf {

/// What HIP source is read for when nobody says.
inline constexpr llvm::StringLiteral kDefaultAmdArchitecture = "gfx90a";

/// The folder that holds include/hip/hip_runtime.h: `given`; without one the first of $ROCM_PATH, $HIP_PATH, the one hipcc on
/// PATH belongs to, /opt/rocm, /usr. None at all, or the word "none", is a result that is empty; a wrong `given` is an error.
llvm::Expected<std::string> findRocm(llvm::StringRef given);

/// The value of the last --rocm-path or --hip-path among a compiler's arguments, or an empty text.
llvm::StringRef rocmPathAmong(llvm::ArrayRef<std::string> arguments);

/// Fails on an architecture that Clang does not know, and names one that is spelled alike. Takes "gfx90a:xnack-" too.
llvm::Error checkAmdArchitecture(llvm::StringRef name);

/// Fails, with the package or flag that mends it, when a Clang that is to make code for `architecture` would find no device
/// libraries for it. `arguments` are Clang's; the libraries are looked for where they say, else in `rocm`. `compilerVersion` is the
/// Clang's own, "22.1.8": which code object version is its choice is known of this one only, and of others not looked at.
llvm::Error checkDeviceLibraries(llvm::StringRef rocm, llvm::StringRef architecture, llvm::ArrayRef<std::string> arguments,
                                 llvm::StringRef compilerVersion);

} // namespace kperf

#endif
