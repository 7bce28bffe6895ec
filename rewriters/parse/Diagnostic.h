// Diagnostics of Clang and of kperf, as values.
#ifndef KPERF_REWRITERS_DIAGNOSTIC_H
#define KPERF_REWRITERS_DIAGNOSTIC_H

#include <cstddef>
#include <string>
#include <string_view>

namespace kperf {

enum class Severity { Note, Warning, Error };

struct RewriteDiagnostic {
  Severity severity = Severity::Error;
  std::string file;              ///< empty: about the whole run
  unsigned line = 0, column = 0; ///< 1-based; 0: no place
  std::string message;
  std::string cure;       ///< what to do about it, where that is known: of a header that Clang does not find, for example
  bool isMistake = false; ///< which the vendor's compiler refuses, too, and says less about
  std::string rendered;   ///< as Clang prints it, with source line and caret, ending in a newline
};

/// "1 region", "2 regions".
inline std::string countOf(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

} // namespace kperf

#endif
