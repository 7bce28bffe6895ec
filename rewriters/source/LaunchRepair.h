// Lets Clang read launches whose chevrons stand apart, as nvcc does: `<< <grid, block> >>`.
#ifndef KPERF_REWRITERS_LAUNCHREPAIR_H
#define KPERF_REWRITERS_LAUNCHREPAIR_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf {

/// Formatters that know no CUDA put blanks between the three `<` of a launch, or its three `>`; Clang wants them
/// together. Nothing when there is no such launch; else a text of the same length with the same line ends, where the
/// blanks follow the chevrons. Only pairs on which both ends are found are touched.
std::optional<std::string> repairLaunches(llvm::StringRef text);

/// Bytes that the chevrons at `offset` of an unrepaired text take, blanks between them included.
unsigned chevronsLength(llvm::StringRef text, unsigned offset);

} // namespace kperf

#endif
