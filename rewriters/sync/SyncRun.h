// Finds the signals that share one record: those that directly follow each other on one barrier, such as an arrival and the copies that it
// expects, or a group's commit and the wait directly after it.
#ifndef KPERF_REWRITERS_SYNCRUN_H
#define KPERF_REWRITERS_SYNCRUN_H

#include "rewriters/sync/SyncTarget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace kperf {

/// What the record in front of a signal stands for.
struct SyncRun {
  const Selectable *named; ///< whose name and place the record has: the first that starts work, else the first
  format::SyncOperation operation;
  std::vector<const clang::Stmt *> covered; ///< Selectable::at of those behind it that need no record of their own
};

class SyncRuns {
public:
  /// Of one function. `selectables` has to live as long.
  SyncRuns(const TranslationUnit &unit, const clang::Stmt *body, const std::vector<Selectable> &selectables);

  /// An arrival or an issue on a barrier in shared memory, and the issues on the same one that the same lanes come to
  /// next with nothing in between: a reader asks when such work began, and how often a warp arrived. Once some were
  /// issued, also those that only an `if` decides on.
  SyncRun begunBy(const Selectable &first, const SyncTarget &target) const;

  /// The wait for groups of the same kind that the same lanes come to next; `commit` closes one, of kind `object`. Null
  /// where there is none. Braces may stand between the two.
  const Selectable *awaitBehind(const Selectable &commit, format::SyncObject object) const;

private:
  class Follower;

  void note(const clang::Stmt *statement);
  /// The one construct that the statement is; null where it is anything else too.
  const Selectable *onlySignalOf(const clang::Stmt *statement) const;
  /// Whether no `#if` keeps one of them and drops the other.
  bool inSameBranch(const clang::Stmt *left, const clang::Stmt *right) const;

  const TranslationUnit &unit;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> next;                            ///< in the same block
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> behind;                          ///< also in another, annotations left out
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<const Selectable *, 1>> constructs; ///< by statement
};

} // namespace kperf

#endif
