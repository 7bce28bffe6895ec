// Lets Clang read inline PTX that nvcc accepts: repairs in the text that Clang sees, byte for byte in place.
#ifndef KPERF_REWRITERS_ASMREPAIR_H
#define KPERF_REWRITERS_ASMREPAIR_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf {

/// In asm statements, `%name` becomes `_name` (nvcc takes it for a PTX register, Clang for an operand) and a comma fills
/// the space between two operands that lack one. Nothing when there is nothing to repair; else a text of the same length
/// with the same line ends.
std::optional<std::string> repairAsm(llvm::StringRef text);

} // namespace kperf

#endif
