// The names of NVIDIA architectures on command lines.
#ifndef KPERF_REWRITERS_GPUARCHITECTURE_H
#define KPERF_REWRITERS_GPUARCHITECTURE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace kperf {

/// nvcc 13.0's choice when the command names none.
inline constexpr llvm::StringLiteral kDefaultNvidiaArchitecture = "sm_75";

/// What -arch=all and -arch=all-major of nvcc 13.0 compile for.
llvm::ArrayRef<llvm::StringRef> allNvidiaArchitectures();
llvm::ArrayRef<llvm::StringRef> majorNvidiaArchitectures();

/// "compute_90a", "lto_90a" and "sm_90a" → "sm_90a"; "sm_100f" → "sm_100a", for Clang has no family architectures;
/// anything else stays as it is.
std::string clangArchitecture(llvm::StringRef name);

/// The value of __CUDA_ARCH_LIST__ for these architectures: "800,900". Names that are not NVIDIA's are left out.
std::string architectureList(llvm::ArrayRef<std::string> architectures);

} // namespace kperf

#endif
