// What kperf-cc says on stderr: one line each, with its name in front.
#ifndef KPERF_TOOL_CC_MESSAGES_H
#define KPERF_TOOL_CC_MESSAGES_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"

namespace kperf::cc {

/// kperf-cc itself cannot go on: usage, missing files, source that cannot be instrumented.
inline constexpr int kExitTrouble = 2;

inline void sayError(const llvm::Twine &text) { llvm::WithColor::error(llvm::errs(), "kperf-cc") << text << '\n'; }
inline void sayWarning(const llvm::Twine &text) { llvm::WithColor::warning(llvm::errs(), "kperf-cc") << text << '\n'; }
inline void sayNote(const llvm::Twine &text) { llvm::errs() << "kperf-cc: " << text << '\n'; }

} // namespace kperf::cc

#endif
