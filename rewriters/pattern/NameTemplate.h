// Makes names for regions that the user did not name, from templates such as "{function}:{line}".
#ifndef KPERF_REWRITERS_NAMETEMPLATE_H
#define KPERF_REWRITERS_NAMETEMPLATE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace kperf {

inline constexpr llvm::StringLiteral kDefaultNameTemplate = "{name}:{line}";

/// What the words of a template stand for.
struct NameParts {
  std::string function; ///< qualified name of the function that holds the region
  std::string kind;     ///< "kernel", "function", "loop", "barrier", "async", "call", "lines", "match"
  std::string name;     ///< of a body: the function's own name; of a loop: its keyword; of a call: who is called
  std::string file;     ///< without folders
  unsigned line = 0;    ///< 1-based
};

/// Fails with a sentence on an unknown word in braces, a brace without its counterpart and an empty template.
llvm::Error checkNameTemplate(llvm::StringRef nameTemplate);

/// The name; "{{" and "}}" stand for single braces. The template has been checked.
std::string expandNameTemplate(llvm::StringRef nameTemplate, const NameParts &parts);

} // namespace kperf

#endif
