// Rewrites every CUDA and HIP source of a compilation database into one folder.
#ifndef KPERF_TOOL_BATCH_BATCH_H
#define KPERF_TOOL_BATCH_BATCH_H

#include "rewriters/Rewrite.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace kperf::batch {

struct BatchOptions {
  std::string database; ///< folder or file
  std::string outputFolder;
  unsigned jobs = 0;                ///< sources at a time; 0: as many as there are processors
  RewriteRequest settings;          ///< for every source; an empty toolkit or architecture is the command's
  bool isHost = false;              ///< the result is compiled for the CPU
  std::vector<std::string> options; ///< the program's own, as given: other options, other results
};

/// Does it all and prints: progress and what is wrong on stderr, a summary on stdout. The exit code is 0, or 1 when a
/// source could not be rewritten. Fails, having written nothing, when there is nothing to work with or nowhere to write.
llvm::Expected<int> runBatch(const BatchOptions &options);

} // namespace kperf::batch

#endif
