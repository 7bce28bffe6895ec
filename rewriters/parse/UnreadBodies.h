// Finds the function bodies of system headers that a parse can skip.
#ifndef KPERF_REWRITERS_UNREADBODIES_H
#define KPERF_REWRITERS_UNREADBODIES_H

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <functional>

namespace kperf {

/// Nothing is edited in them and nothing is learned from them: bodies of functions that run on the CPU only, and of those
/// with a reserved name, which says all of what an intrinsic does (CalledCode.h, WorkEstimate.h).
class UnreadBodies {
public:
  /// `isLookedInto` tells by its path a header that may be edited.
  explicit UnreadBodies(std::function<bool(llvm::StringRef)> isLookedInto) : isLookedInto(std::move(isLookedInto)) {}

  /// For a parse of device code.
  bool contains(const clang::Decl *function);

private:
  bool isRead(clang::FileID file, const clang::SourceManager &sources);

  std::function<bool(llvm::StringRef)> isLookedInto;
  llvm::DenseMap<clang::FileID, bool> areRead;
};

} // namespace kperf

#endif
