// Finds the signals that one record stands for.
#include "rewriters/sync/SyncRun.h"

#include "rewriters/construct/SideEffects.h"

#include "clang/AST/DeclGroup.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Expr;
using clang::Stmt;
using kperf::format::SyncObject;
using kperf::format::SyncOperation;

namespace kperf {

namespace {

/// Whether the construct's operands are only read. What a function that it calls does is not asked.
bool onlySignals(const Stmt *construct) {
  const auto reads = [](const Stmt *operand) { return !operand || onlyReads(operand); };
  const auto *call = dyn_cast<clang::CallExpr>(construct);
  return call ? reads(calledObject(call)) && all_of(call->arguments(), reads) : all_of(construct->children(), reads);
}

/// The statement's only expression, or what it declares its only variable with.
const Stmt *contentOf(const Stmt *statement) {
  if (const auto *declaration = dyn_cast<clang::DeclStmt>(statement)) {
    const auto *variable = declaration->isSingleDecl() ? dyn_cast<clang::VarDecl>(declaration->getSingleDecl()) : nullptr;
    statement = variable ? variable->getInit() : nullptr;
  }
  const auto *expression = dyn_cast_or_null<Expr>(statement);
  return expression ? expression->IgnoreImplicit()->IgnoreParenCasts() : statement;
}

/// Whether nothing happens there: an annotation is a static_assert while Clang reads it.
bool isEmpty(const Stmt *statement) {
  const auto *declaration = dyn_cast<clang::DeclStmt>(statement);
  return isa<clang::NullStmt>(statement) ||
         (declaration && declaration->isSingleDecl() && isa<clang::StaticAssertDecl>(declaration->getSingleDecl()));
}

/// Whether something may happen where the block ends: a variable's destructor.
bool mayActAtEnd(const clang::CompoundStmt *block, const clang::ASTContext &context) {
  const auto isDestroyed = [&](const clang::Decl *declaration) {
    const auto *variable = dyn_cast<clang::VarDecl>(declaration);
    return variable && (variable->getType()->isDependentType() || variable->needsDestruction(context));
  };
  return any_of(block->body(), [&](const Stmt *each) {
    const auto *declarations = dyn_cast<clang::DeclStmt>(each);
    return declarations && any_of(declarations->decls(), isDestroyed);
  });
}

const Stmt *firstIn(const Stmt *statement) {
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement))
    if (const auto *first = find_if_not(block->body(), isEmpty); first != block->body_end())
      return firstIn(*first);
  return statement;
}

const Stmt *lastIn(const Stmt *statement, const clang::ASTContext &context) {
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement); block && !mayActAtEnd(block, context))
    for (const Stmt *each : reverse(block->body()))
      if (!isEmpty(each))
        return lastIn(each, context);
  return statement;
}

} // namespace

SyncRuns::SyncRuns(const TranslationUnit &unit, const Stmt *body, const std::vector<Selectable> &selectables) : unit(unit) {
  note(body);
  for (const Selectable &selectable : selectables)
    if (selectable.construct)
      constructs[selectable.statement].push_back(&selectable);
}

void SyncRuns::note(const Stmt *statement) {
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement)) {
    for (auto each = block->body_begin(); each != block->body_end() && each + 1 != block->body_end(); ++each)
      next[*each] = each[1];
    const Stmt *before = nullptr;
    for (const Stmt *each : block->body())
      if (!isEmpty(each)) {
        if (before)
          behind[lastIn(before, unit.context)] = firstIn(each);
        before = each;
      }
  }
  for (const Stmt *child : statement->children())
    if (child && !isa<Expr>(child))
      note(child);
}

const Selectable *SyncRuns::onlySignalOf(const Stmt *statement) const {
  const auto found = constructs.find(statement);
  if (found == constructs.end() || found->second.size() != 1 || statement->getBeginLoc().isMacroID())
    return nullptr;
  const Selectable *only = found->second.front();
  return only->obstacle.empty() && contentOf(statement) == only->at && onlySignals(only->at) ? only : nullptr;
}

bool SyncRuns::inSameBranch(const Stmt *left, const Stmt *right) const {
  const std::optional<Place> from = unit.editablePlace(left->getBeginLoc()), to = unit.editablePlace(right->getBeginLoc());
  return from && to && from->file == to->file && unit.layoutOf(from->file).inSameBranch(from->offset, to->offset);
}

/// What may stand behind a run's first signal.
class SyncRuns::Follower {
public:
  Follower(const SyncRuns &runs, const Selectable &first, const SyncTarget &target, SyncRun &run)
      : runs(runs), first(first.at), target(target), run(run) {}

  /// Adds to the run what the statement signals; false where it is or does anything else.
  bool add(const Stmt *statement) {
    if (const auto *branch = dyn_cast<clang::IfStmt>(statement))
      return run.operation != SyncOperation::Arrive && addBranch(branch);
    const Selectable *signal = runs.onlySignalOf(statement);
    if (!signal || signal->construct->operation != SyncOperation::Issue || !runs.inSameBranch(first, signal->at))
      return false;
    const SyncTarget &its = syncTarget(runs.unit, *signal);
    if (its.object != target.object || its.value != target.value || !outlives(target, statement, its.operand))
      return false;
    if (run.operation == SyncOperation::Arrive) {
      run.named = signal;
      run.operation = SyncOperation::ArriveIssue;
    }
    run.covered.push_back(signal->at);
    return true;
  }

private:
  bool addBranch(const clang::IfStmt *branch) {
    return !branch->hasInitStorage() && !branch->hasVarStorage() && onlyReads(branch->getCond()) &&
           outlives(target, branch->getCond(), nullptr) && addBlock(branch->getThen()) && addBlock(branch->getElse());
  }

  bool addBlock(const Stmt *statement) {
    if (const auto *block = dyn_cast_or_null<clang::CompoundStmt>(statement))
      return all_of(block->body(), [&](const Stmt *each) { return add(each); });
    return !statement || add(statement);
  }

  const SyncRuns &runs;
  const Stmt *first;
  const SyncTarget &target;
  SyncRun &run;
};

SyncRun SyncRuns::begunBy(const Selectable &first, const SyncTarget &target) const {
  SyncRun run{&first, first.construct->operation, {}};
  const bool isBegun = run.operation == SyncOperation::Arrive || run.operation == SyncOperation::Issue;
  if (!isBegun || target.object != SyncObject::SharedBarrier || !target.operand || !onlySignalOf(first.statement) ||
      !outlives(target, first.statement, target.operand))
    return run;
  for (const Stmt *each = next.lookup(first.statement); each; each = next.lookup(each)) {
    SyncRun longer = run; // a branch is taken whole or not at all
    if (!Follower(*this, first, target, longer).add(each))
      break;
    run = std::move(longer);
  }
  return run;
}

const Selectable *SyncRuns::awaitBehind(const Selectable &commit, SyncObject object) const {
  const Stmt *statement = behind.lookup(commit.statement);
  const Selectable *await = statement && onlySignalOf(commit.statement) ? onlySignalOf(statement) : nullptr;
  if (!await || await->construct->operation != SyncOperation::Await || !inSameBranch(commit.at, await->at))
    return nullptr;
  const SyncTarget &target = syncTarget(unit, *await);
  return target.object == object && !target.isNothing ? await : nullptr;
}

} // namespace kperf
