// Redirects #include lines so that each path to an edited header leads to its copy, and none to the original.
#ifndef KPERF_REWRITERS_OVERLAY_H
#define KPERF_REWRITERS_OVERLAY_H

#include "rewriters/unit/TranslationUnit.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kperf {

struct Overlay {
  std::vector<Edit> edits;                  ///< of names in #include lines
  std::vector<std::string> files;           ///< keys of the plan: edited headers and every header that includes one
  std::map<std::string, SourceFile> unseen; ///< those headers that only an #include leads to which the device's pass skips
  /// Those of the files that the command line includes, each with its names there.
  std::map<std::string, std::set<std::string>> forced;
  std::vector<std::string> directories; ///< that #include lines pass through below the root
};

/// Looks for edited headers in the plan; its edits put a folder in front of the names in #include lines: the
/// overlay's root where the target is copied, the original folder where the including file moves and its target does not. An edited header
/// that the command line includes is an error unless `movesForced`. `root` is absolute; an empty one makes an edited header an error.
/// `outputDirectory` is where the main file moves to.
Overlay planOverlay(const TranslationUnit &unit, const Plan &plan, llvm::StringRef root, llvm::StringRef outputDirectory, bool movesForced);

} // namespace kperf

#endif
