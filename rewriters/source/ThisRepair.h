// Lets Clang read static members that a condition names through `this`, as nvcc and GCC do: `if constexpr (this->isWide)`.
#ifndef KPERF_REWRITERS_THISREPAIR_H
#define KPERF_REWRITERS_THISREPAIR_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace kperf {

/// Clang takes no `this` in a constant expression outside of a call. Blanks `this->` in front of what the text declares as a static
/// constexpr variable, in the parentheses of `if constexpr` and `static_assert`. Nothing when there is none; else a text of the same length
/// with the same line ends.
std::optional<std::string> repairThis(llvm::StringRef text);

} // namespace kperf

#endif
