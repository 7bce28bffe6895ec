// Follows KPERF_BEGIN/KPERF_END ranges along a function's control flow, and counts how many of each are open at each exit.
#ifndef KPERF_REWRITERS_RANGEFLOW_H
#define KPERF_REWRITERS_RANGEFLOW_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace kperf {

/// What a BEGIN or END statement does to which of the function's ranges.
struct RangeStep {
  unsigned range = 0;
  bool opens = true;
};

/// Bounds on how many are open, over all paths that reach a point. Counts saturate at kManyOpen.
struct OpenCount {
  unsigned least = 0, most = 0;
};
inline constexpr unsigned kManyOpen = 8;

/// One element for each range.
using OpenCounts = llvm::SmallVector<OpenCount, 4>;

struct RangeFlow {
  llvm::DenseMap<const clang::ReturnStmt *, OpenCounts> atReturn; ///< only those that can be reached
  std::optional<OpenCounts> atEnd;                                ///< nothing when the closing brace is never reached
  llvm::DenseMap<const clang::Stmt *, OpenCounts> atJump;         ///< break, continue and goto; only those that can be reached
  llvm::DenseMap<const clang::Stmt *, OpenCount> beforeStep;      ///< of the step's own range, before the step
  bool hasGoto = false;                                           ///< so a block's statements may run more often than its loops say
  bool hasWork = false;                                           ///< some statement is reached that is no jump and ends no range
};

/// Walks the statements of one function body until nothing changes. It works on structure alone, so that uninstantiated
/// templates, whose control flow graph Clang can't build, are followed too.
RangeFlow followRanges(const clang::Stmt *body, const llvm::DenseMap<const clang::Stmt *, RangeStep> &steps, unsigned rangeCount);

/// The same of those paths alone that come from `start`, a BEGIN or a jump of the body, with `range` open once and no other.
RangeFlow followRangeFrom(const clang::Stmt *start, unsigned range, const clang::Stmt *body,
                          const llvm::DenseMap<const clang::Stmt *, RangeStep> &steps, unsigned rangeCount);

} // namespace kperf

#endif
