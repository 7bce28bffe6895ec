// Applies an earlier profile to a build, where the user names one: it decides what is recorded.
#ifndef KPERF_TOOL_CC_PROFILEDBUILD_H
#define KPERF_TOOL_CC_PROFILEDBUILD_H

#include "tool/cc/Options.h"

#include "rewriters/Rewrite.h"

#include "llvm/Support/Error.h"

namespace kperf::cc {

/// Reads the profiles of --profile, else of $KPERF_PROFILE, into `options.profile.steering`. A profile that says nothing of this build is a
/// warning, and the build goes on without; fails on a budget that is no percentage, or has no profile.
llvm::Error readProfiles(Options &options);

/// Adds to the request what the profile decides of its source; `options` that the user gave win.
void steer(RewriteRequest &request, const Options &options);

/// Says what became of the source's regions.
void sayDecided(const RewriteResult &result, llvm::StringRef source, const Options &options);

} // namespace kperf::cc

#endif
