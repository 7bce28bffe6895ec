// Finds the places of a parse where a checkpoint saves time.
#ifndef KPERF_REWRITERS_CHECKPOINTMAKER_H
#define KPERF_REWRITERS_CHECKPOINTMAKER_H

#include "rewriters/parse/Checkpoint.h"

#include "clang/Frontend/CompilerInstance.h"

#include <functional>

namespace kperf {

/// Makes checkpoints in the source behind runs of system headers, which nobody edits. In a child, the parser goes on with the
/// request's text once `isWanted` was called.
void makeCheckpoints(clang::CompilerInstance &compiler, Checkpoints &checkpoints, std::function<void(const ReadBackRequest &)> isWanted);

} // namespace kperf

#endif
