// Keeps a diagnostic of a header from being said again for each source that includes it.
#ifndef KPERF_TOOL_SAIDDIAGNOSTICS_H
#define KPERF_TOOL_SAIDDIAGNOSTICS_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kperf {

/// Of the sources that one command reads. Each process of a build has one, and knows nothing of the others.
class SaidDiagnostics {
public:
  /// Whether a diagnostic of `source` was not said before. By what includes a header was come to, as its text says, makes no difference.
  bool isNew(llvm::StringRef rendered, llvm::StringRef source);
  /// For each file of which something was not said again: "what is said of 'k.cuh' is so in 'b.cu' and 'c.cu' too".
  std::vector<std::string> repetitions() const;

private:
  std::set<std::string> said;
  std::map<std::string, std::set<std::string>> sourcesOf; ///< by the file that the diagnostic is of
};

} // namespace kperf

#endif
