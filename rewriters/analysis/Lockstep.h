// Finds code that relies on the lanes of a warp running in step, as they do not on the host target.
#ifndef KPERF_REWRITERS_LOCKSTEP_H
#define KPERF_REWRITERS_LOCKSTEP_H

#include "clang/AST/Decl.h"

#include <vector>

namespace kperf {

/// Where the function reads what other lanes of the warp have written just before, with nothing between the two for which they wait. Only
/// what can hardly be meant otherwise: lines of a reduction one after another, `s[t] += s[t ^ 8]` with a thread's t, a loop that halves or
/// doubles the distance, and `if (distance > 16) __syncthreads();` in front of one. The function's body is that of the source, not of an
/// instance.
std::vector<clang::SourceLocation> readsInLockstep(const clang::FunctionDecl *function);

} // namespace kperf

#endif
