// Finds the signals that one record stands for.
#include "SyncRun.h"

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
    const auto *variable =
        declaration->isSingleDecl() ? dyn_cast<clang::VarDecl>(declaration->getSingleDecl()) : nullptr;
    statement = variable ? variable->getInit() : nullptr;
  }
  const auto *expression = dyn_cast_or_null<Expr>(statement);
  return expression ? expression->IgnoreImplicit()->IgnoreParenCasts() : statement;
}

} // namespace

SyncRuns::SyncRuns(const TranslationUnit &unit, const Stmt *body, const std::vector<Selectable> &selectables)
    : unit(unit) {
  note(body);
  for (const Selectable &selectable : selectables)
    if (selectable.construct)
      constructs[selectable.statement].push_back(&selectable);
}

void SyncRuns::note(const Stmt *statement) {
  if (const auto *block = dyn_cast<clang::CompoundStmt>(statement))
    for (auto each = block->body_begin(); each != block->body_end() && each + 1 != block->body_end(); ++each)
      next[*each] = each[1];
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

/// What may stand behind a run's first signal.
class SyncRuns::Follower {
public:
  Follower(const SyncRuns &runs, const Selectable &first, const SyncTarget &target, SyncRun &run)
      : runs(runs), begin(runs.unit.editablePlace(first.at->getBeginLoc())), target(target), run(run) {}

  /// Adds to the run what the statement signals; false where it is or does anything else.
  bool add(const Stmt *statement) {
    if (const auto *branch = dyn_cast<clang::IfStmt>(statement))
      return run.operation != SyncOperation::Arrive && addBranch(branch);
    const Selectable *signal = runs.onlySignalOf(statement);
    if (!signal || signal->construct->operation != SyncOperation::Issue || !isInSameBranch(signal->at))
      return false;
    const SyncTarget its = syncTarget(runs.unit, *signal);
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

  bool isInSameBranch(const Stmt *at) const {
    const std::optional<Place> place = runs.unit.editablePlace(at->getBeginLoc());
    return begin && place && begin->file == place->file &&
           runs.unit.layoutOf(begin->file).inSameBranch(begin->offset, place->offset);
  }

  const SyncRuns &runs;
  std::optional<Place> begin;
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

} // namespace kperf
