// Has a kernel's object know which lanes of a warp still come together where others left the kernel, or wait behind a branch or a loop, so
// that one of them can record for all as in a whole warp.
#ifndef KPERF_REWRITERS_NARROWING_H
#define KPERF_REWRITERS_NARROWING_H

#include "rewriters/analysis/WarpUniformity.h"
#include "rewriters/plan/PlanAdditions.h"
#include "rewriters/unit/TranslationUnit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace kperf {

/// Of the partings that WarpUniformity found in one kernel, those at which the text can be edited.
class Narrowing {
public:
  /// All outlive it. `isAllowed`: the kernel's records go straight to its slot.
  Narrowing(const TranslationUnit &unit, const clang::FunctionDecl *kernel, const WarpUniformity &uniformity, bool isAllowed);

  /// Whether the lanes that come to the statement together can be known.
  bool reaches(const clang::Stmt *statement) const;
  /// Adds where it takes to know them.
  void addPartings(const clang::Stmt *statement, llvm::SetVector<const clang::Stmt *> &partings) const;

private:
  const TranslationUnit &unit;
  const clang::FunctionDecl *kernel;
  const WarpUniformity &uniformity;
  llvm::SmallVector<const clang::Stmt *, 2> departures;
  bool isPossible = false;
};

/// Asks the kernel's object at each of them. `region`: whose edits these are.
void planNarrowing(const TranslationUnit &unit, PlanAdditions &additions, const clang::FunctionDecl *kernel,
                   llvm::ArrayRef<const clang::Stmt *> partings, std::size_t region);

} // namespace kperf

#endif
