// What Clang and kperf have to say of a source, as values.
#ifndef KPERF_REWRITERS_DIAGNOSTIC_H
#define KPERF_REWRITERS_DIAGNOSTIC_H

#include <string>

namespace kperf {

enum class Severity { Note, Warning, Error };

struct RewriteDiagnostic {
  Severity severity = Severity::Error;
  std::string file;              ///< empty: about the whole run
  unsigned line = 0, column = 0; ///< 1-based; 0: no place
  std::string message;
  std::string rendered; ///< as Clang prints it, with source line and caret, ending in a newline
};

} // namespace kperf

#endif
