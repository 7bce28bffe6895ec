// Finds where the asynchronous work of a group begins, which is recorded once for all that is issued into the group.
#ifndef KPERF_GROUP_ISSUES_H
#define KPERF_GROUP_ISSUES_H

#include "rewriters/select/Selectable.h"
#include "rewriters/sync/SyncTarget.h"

#include "llvm/ADT/DenseMap.h"

namespace kperf {

/// Of one function. A group's work is what is issued in the block that holds its commit, behind the commit or wait before: its first
/// statement, or the loop that holds it. In an `if`, what each branch begins with. What is issued elsewhere, in another function
/// say, is not found; nor are groups of matrix products, between whose instructions a record would keep them from overlapping.
class GroupIssues {
public:
  GroupIssues(const TranslationUnit &unit, const clang::Stmt *body, const std::vector<Selectable> &selectables);

  /// Whether the selectable issues into a group, and has no record but where firstAt says.
  bool has(const Selectable &issue) const { return issues.contains(issue.at); }
  /// The same with the statement in front of which the record is to be; null where another one's record is for it.
  const Selectable *firstAt(const Selectable &issue) const;

private:
  using Issues = std::vector<const Selectable *>;

  void search(const clang::Stmt *statement);
  bool addFirst(const clang::Stmt *statement, format::SyncObject object);
  const Selectable *anyIn(const clang::Stmt *statement, format::SyncObject object) const;
  bool endsGroup(const clang::Stmt *statement, format::SyncObject object) const;

  llvm::DenseMap<const clang::Stmt *, format::SyncObject> issues;        ///< by construct
  llvm::DenseMap<const clang::Stmt *, Issues> ofStatement;               ///< issues, by statement
  llvm::DenseMap<const clang::Stmt *, format::SyncObject> commits, ends; ///< by statement; ends: waits too
  llvm::DenseMap<const clang::Stmt *, Selectable> firsts;                ///< by construct
};

} // namespace kperf

#endif
