// Searches blocks for the first statement that issues into a group.
#include "rewriters/sync/GroupIssues.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;
using kperf::format::SyncObject;
using kperf::format::SyncOperation;

namespace kperf {

GroupIssues::GroupIssues(const TranslationUnit &unit, const Stmt *body, const std::vector<Selectable> &selectables) {
  for (const Selectable &selectable : selectables) {
    if (!selectable.construct)
      continue;
    const SyncOperation operation = selectable.construct->operation;
    const SyncObject object = syncTarget(unit, selectable).object;
    if (object != SyncObject::CopyGroup && object != SyncObject::BulkGroup && object != SyncObject::MatrixGroup)
      continue;
    if (operation == SyncOperation::Issue) {
      issues[selectable.at] = object;
      if (object != SyncObject::MatrixGroup && selectable.obstacle.empty())
        ofStatement[selectable.statement].push_back(&selectable);
    } else {
      ends[selectable.statement] = object;
      if (operation == SyncOperation::Commit)
        commits[selectable.statement] = object;
    }
  }
  if (!ofStatement.empty())
    search(body);
}

const Selectable *GroupIssues::firstAt(const Selectable &issue) const {
  const auto found = firsts.find(issue.at);
  return found == firsts.end() ? nullptr : &found->second;
}

/// Looks behind the last statement that ends a group, in each block, for what the next commit of that block is of.
void GroupIssues::search(const Stmt *statement) {
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement))
    for (auto each = block->body_begin(); each != block->body_end(); ++each)
      if (const auto commit = commits.find(*each); commit != commits.end()) {
        auto first = each;
        while (first != block->body_begin() && !endsGroup(*std::prev(first), commit->second))
          --first;
        std::find_if(first, each, [&](const Stmt *before) { return addFirst(before, commit->second); });
      }
  for (const Stmt *child : statement->children())
    if (child && !isa<clang::Expr>(child))
      search(child);
}

/// Whether a group may be closed in the statement, or waited for.
bool GroupIssues::endsGroup(const Stmt *statement, SyncObject object) const {
  const auto found = ends.find(statement); // an expression may be a statement of its own
  return (found != ends.end() && found->second == object) ||
         (!isa<clang::Expr>(statement) &&
          any_of(statement->children(), [&](const Stmt *child) { return child && endsGroup(child, object); }));
}

const Selectable *GroupIssues::anyIn(const Stmt *statement, SyncObject object) const {
  if (const auto found = ofStatement.find(statement); found != ofStatement.end())
    for (const Selectable *issue : found->second)
      if (issues.lookup(issue->at) == object)
        return issue;
  if (!isa<clang::Expr>(statement))
    for (const Stmt *child : statement->children())
      if (const Selectable *issue = child ? anyIn(child, object) : nullptr)
        return issue;
  return nullptr;
}

/// Whether the statement issues something for sure, so far as loops are entered.
bool GroupIssues::addFirst(const Stmt *statement, SyncObject object) {
  if (const auto *branch = dyn_cast<clang::IfStmt>(statement)) {
    const bool isInThen = addFirst(branch->getThen(), object);
    const bool isInElse = branch->getElse() && addFirst(branch->getElse(), object);
    return isInThen && isInElse;
  }
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement))
    return any_of(block->body(), [&](const Stmt *each) { return addFirst(each, object); });
  const Selectable *issue = anyIn(statement, object);
  if (!issue)
    return false;
  Selectable &first = firsts[issue->at] = *issue;
  first.statement = statement;
  return true;
}

} // namespace kperf
