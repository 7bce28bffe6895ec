// Finds the narrowest warp, in lanes, with which a source launches each of its kernels.
#ifndef KPERF_REWRITERS_LAUNCHEDWARPS_H
#define KPERF_REWRITERS_LAUNCHEDWARPS_H

#include "rewriters/unit/TranslationUnit.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

namespace kperf {

/// Of the launches in the source whose blocks' extents are constants there. An analysis of the unit.
class LaunchedWarps {
public:
  explicit LaunchedWarps(const TranslationUnit &unit);

  /// Lanes of the narrowest warp of a kernel's known launches: of a block of 100 threads it is the last one, of 4. 32 where none is known.
  unsigned fewestLanes(const clang::FunctionDecl *kernel) const;

private:
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> lanes; ///< by the canonical declaration of the kernel, or of its pattern
};

} // namespace kperf

#endif
