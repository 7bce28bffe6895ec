// The sync rewriter: waits become regions that say what was waited for, and what they are for becomes an instant.
#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/kernel/ProbeNames.h"
#include "rewriters/region/RangePlan.h"
#include "rewriters/region/StatementPlan.h"
#include "rewriters/rewriter/Rewriter.h"
#include "rewriters/rewriter/SyncEvents.h"
#include "rewriters/sync/BarrierNumber.h"
#include "rewriters/sync/GroupIssues.h"
#include "rewriters/sync/SyncRun.h"
#include "rewriters/unit/StatementEdit.h"
#include "rewriters/unit/StatementShape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using clang::Stmt;
using kperf::format::RegionKind;
using kperf::format::SyncObject;
using kperf::format::SyncOperation;

namespace kperf {

namespace {

/// Whether the statement, once it runs, evaluates `part` of its own expressions.
bool alwaysEvaluates(const Stmt *statement, const Stmt *part) {
  if (statement == part)
    return true;
  if (const auto *choice = dyn_cast<clang::AbstractConditionalOperator>(statement))
    return alwaysEvaluates(choice->getCond(), part);
  if (const auto *both = dyn_cast<clang::BinaryOperator>(statement); both && both->isLogicalOp())
    return alwaysEvaluates(both->getLHS(), part);
  return any_of(statement->children(), [&](const Stmt *child) { return child && alwaysEvaluates(child, part); });
}

/// A barrier whose value is used where no block can stand around its statement: in what declares a variable, or in the head of a branch.
bool isValueOfBarrier(const Selectable &selectable) {
  if (!selectable.construct || selectable.construct->operation != SyncOperation::Barrier || selectable.construct->isPoll)
    return false;
  const auto *call = dyn_cast<clang::CallExpr>(selectable.at);
  const Stmt *statement = withoutAttributes(selectable.statement);
  const auto *branch = dyn_cast<clang::IfStmt>(statement);
  const bool isHead = (branch && !branch->isConstexpr()) || isa<clang::SwitchStmt>(statement);
  return call && !call->getType()->isVoidType() && (isHead || isa<clang::DeclStmt>(statement));
}

/// Of one function.
class SyncPlanner {
public:
  SyncPlanner(const RewriteContext &context, PlanAdditions &additions, const AnnotatedFunction &holder, KernelNeeds &needs)
      : unit(context.unit), streams(context.kernels.streams), additions(additions), holder(holder),
        parts(unit, holder, context.kernels, needs), function(functionName(holder.function)) {
    noteBranches(holder.body);
  }

  /// `obstacle`: why nothing can be recorded; empty: it can.
  void run(const std::vector<Selectable> &selectables, StringRef obstacle) {
    runs.emplace(unit, holder.body, selectables);
    // Of what is issued into a group the first has a record: one for each copy would cost more than it tells.
    const GroupIssues groupIssues(unit, holder.body, selectables);
    for (const Selectable &selectable : selectables) {
      const bool isPartOfGroup = selectable.construct && groupIssues.has(selectable);
      const Selectable *recorded = isPartOfGroup ? groupIssues.firstAt(selectable) : &selectable;
      if (recorded && recorded->construct && !covered.contains(recorded->at))
        obstacle.empty() ? plan(*recorded) : skip(*recorded, obstacle);
    }
    if (isPlanned)
      parts.keep();
  }

private:
  /// Of asynchronous work of the lanes' own.
  static bool isGroup(SyncObject object) {
    return object == SyncObject::CopyGroup || object == SyncObject::BulkGroup || object == SyncObject::MatrixGroup;
  }

  void skip(const Selectable &selectable, StringRef reason) {
    additions.skip(unit.skippedAt(selectable.at->getBeginLoc(), selectable.construct->name, function, reason, /*isTooSmall=*/false));
  }

  void plan(const Selectable &selectable) {
    if (isValueOfBarrier(selectable) && planValue(selectable))
      return;
    const bool isWait = selectable.construct->isWait();
    if (isWait && selectable.obstacle.empty() && !waits.insert(selectable.statement).second)
      return;
    Expected<StatementSpan> span = spanOfSync(unit, holder.body, selectable);
    if (!span)
      return skip(selectable, toString(span.takeError()));
    isWait ? planWait(selectable, *span) : planSignal(selectable, *span, !isa<clang::DeclStmt>(selectable.statement));
  }

  /// The region of a wait or signal. What tells the number of its barrier stands in the source once, whoever asks.
  Region regionOf(const Selectable &selectable, RegionKind kind, const SyncTarget &target) {
    if (const BarrierNumber *by = target.numberBy)
      additions.addEdit({unit.pathOf(by->place.file), by->place.offset, EditOrder::Behind, by->function});
    Region region = unit.regionAt(unit.expansionPlace(selectable.at->getBeginLoc()), kind, nameOfSync(selectable, target));
    region.function = function;
    region.operation = selectable.construct->operation;
    region.object = target.object;
    return region;
  }

  /// The wait as a statement expression around the call alone, which has the call's value. In a stream, records have their places by
  /// statements.
  bool planValue(const Selectable &selectable) {
    const SyncTarget &target = syncTarget(unit, selectable);
    const std::optional<ExpressionSpan> span = spanOfExpression(unit, selectable.at);
    if (target.isNothing || streams.has(holder.function) || !span)
      return false;
    Region region = regionOf(selectable, RegionKind::Wait, target);
    region.endLine = std::max(region.line, unit.lineOf(Place{span->file, span->end - 1}));
    const RecordPart part = alwaysEvaluates(selectable.statement, selectable.at) ? parts.chooseForWait(selectable.at, selectable.statement)
                                                                                 : parts.chooseInMacro(selectable.statement);
    const ProbeNames names = probeNames(part);
    std::string object = formatv("__extension__ ({{ const ::kperf::{0} kperf_wait_{1}_{2}({3}{4}, ", names.wait, region.line, region.column,
                                 names.ownerArgument(), target.value);
    insert({span->file, {span->begin, "", ""}, span->end}, std::move(object), additions.addRegion(std::move(region)), "); ", "; })");
    return true;
  }

  void planWait(const Selectable &selectable, const StatementSpan &span) {
    const SyncTarget &target = syncTarget(unit, selectable);
    if (target.isNothing)
      return;
    Region region = regionOf(selectable, RegionKind::Wait, target);
    if (closesGroup.contains(selectable.at))
      region.operation = SyncOperation::CommitAwait;
    region.endLine = std::max(region.line, unit.lineOf(Place{span.file, span.end - 1}));
    const RecordPart part = selectable.statement->getBeginLoc().isMacroID() ? parts.chooseInMacro(selectable.statement)
                                                                            : parts.chooseForWait(selectable.at, selectable.statement);
    if (part == RecordPart::Frame)
      return insertInFrame(selectable, span, target, additions.addRegion(std::move(region)), /*isWait=*/true);
    const ProbeNames names = probeNames(part);
    std::string object = formatv("{{ const ::kperf::{0} kperf_wait_{1}_{2}({3}{4}, ", names.wait, region.line, region.column,
                                 names.ownerArgument(), target.value);
    const std::size_t index = additions.addRegion(std::move(region));
    parts.addToStream(additions, part, {selectable.at, true}, index);
    insert(span, std::move(object), index, "); ", " }");
  }

  /// At the places that the frame has for its clocks and its object.
  void insertInFrame(const Selectable &selectable, const StatementSpan &span, const SyncTarget &target, std::size_t region,
                     bool needsBraces) {
    const RecordName name{selectable.at, true};
    parts.addToStream(additions, RecordPart::Frame, name, region);
    const FrameWords words = *parts.wordsOf(name);
    const std::string object = words.object ? formatv("kperf_frame.put<{0}u>({1}); ", words.object, target.value).str() : "";
    std::string close = needsBraces ? " }" : "";
    if (words.end != words.begin)
      additions.addEdit({unit.pathOf(span.file), span.end, EditOrder::Close, formatv(" kperf_frame.at<{0}u>(", words.end), region,
                         ");" + std::exchange(close, "")});
    const std::string open = needsBraces ? "{ " : "";
    if (words.sharesBegin)
      insert(span, open + object, std::nullopt, "", close, region);
    else
      insert(span, open + formatv("kperf_frame.at<{0}u>(", words.begin).str(), region, "); " + object, close, region);
  }

  void planSignal(const Selectable &selectable, const StatementSpan &span, bool needsBraces) {
    const SyncTarget &target = syncTarget(unit, selectable);
    if (target.isNothing)
      return;
    if (planBeforeBranch(selectable, target) || isSaidByWaitBehind(selectable, target))
      return;
    const bool isInStream = parts.wordsOf({selectable.at, true}) || (streams.has(holder.function) && !streams.usesRow(holder.function));
    if (target.object == SyncObject::MatrixGroup && !isInStream && enclosingKernel(holder.function) != holder.function)
      return skip(selectable, "a record that goes through memory of the warp's would keep its matrix products from overlapping");
    const RecordPart part = selectable.statement->getBeginLoc().isMacroID() ? parts.chooseInMacro(selectable.statement)
                                                                            : parts.chooseForSignal(selectable.at, selectable.statement);
    const std::size_t index = addSignal(selectable, target);
    if (part == RecordPart::Frame)
      return insertInFrame(selectable, span, target, index, needsBraces);
    parts.addToStream(additions, part, {selectable.at, true}, index);
    if (part == RecordPart::Row && needsBraces)
      return insert(span, formatv("{{ const ::kperf::RowSignal kperf_signal_{0}({1}, ", span.open.offset, target.value).str(), index, "); ",
                    " }");
    insert(span, (needsBraces ? "{ " : "") + probeNames(part).call(&ProbeNames::signal) + target.value + ", ", index, "); ",
           needsBraces ? " }" : "");
  }

  /// Whether the record of a wait says that a group was closed in front of it.
  bool isSaidByWaitBehind(const Selectable &selectable, const SyncTarget &target) {
    if (selectable.construct->operation != SyncOperation::Commit || !isGroup(target.object))
      return false;
    const Selectable *await = runs->awaitBehind(selectable, target.object);
    if (!await || errorToBool(spanOfSync(unit, holder.body, *await).takeError()))
      return false;
    closesGroup.insert(await->at);
    return true;
  }

  /// The region of a signal, and of those that its record stands for.
  std::size_t addSignal(const Selectable &selectable, const SyncTarget &target) {
    const SyncRun run = runs->begunBy(selectable, target);
    Region region = regionOf(*run.named, RegionKind::Signal, target);
    region.operation = run.operation;
    covered.insert(run.covered.begin(), run.covered.end());
    return additions.addRegion(std::move(region));
  }

  /// Where lanes of a warp diverge at an `if` to signal first of all, the whole warp records who will: a record within the
  /// branch keeps the compiler from predicating the signal, and others wait for that.
  bool planBeforeBranch(const Selectable &selectable, const SyncTarget &target) {
    const clang::IfStmt *branch = branchTo.lookup(selectable.statement);
    if (!branch || branch->isConstexpr() || branch->hasInitStorage() || branch->hasVarStorage())
      return false;
    const clang::Expr *condition = branch->getCond();
    const std::optional<ExpressionSpan> span = spanOfExpression(unit, condition);
    if (!span || !outlives(target, condition, nullptr) ||
        !parts.chooseBeforeBranch(branch, selectable.statement, target.operand, target.isPlace))
      return false;
    const std::string path = unit.pathOf(span->file);
    const std::size_t region = addSignal(selectable, target);
    additions.addEdit({path, span->begin, EditOrder::Open, "kperf_kernel.signalIf(" + target.value + ", ", region, ", static_cast<bool>("});
    additions.addEdit({path, span->end, EditOrder::Close, "))", std::nullopt, {}, 0, region});
    parts.haveObjects();
    return isPlanned = true;
  }

  /// Remembers each `if` by the statement that its first branch begins with.
  void noteBranches(const Stmt *statement) {
    if (const auto *branch = dyn_cast<clang::IfStmt>(statement)) {
      const Stmt *first = branch->getThen();
      while (const auto *block = dyn_cast_or_null<clang::CompoundStmt>(first))
        first = block->body_front();
      if (first)
        branchTo[first] = branch;
    }
    for (const Stmt *child : statement->children())
      if (child && !isa<clang::Expr>(child))
        noteBranches(child);
  }

  void insert(const StatementSpan &span, std::string before, std::size_t region, const std::string &after, const std::string &close) {
    insert(span, std::move(before), region, after, close, region);
  }
  /// `region` is named between `before` and `after`, where one is; the edits are the owner's.
  void insert(const StatementSpan &span, std::string before, std::optional<std::size_t> region, const std::string &after,
              const std::string &close, std::size_t owner) {
    const std::string path = unit.pathOf(span.file);
    additions.addEdit({path, span.open.offset, EditOrder::Open, span.open.prefix + before, region, after + span.open.suffix, 0,
                       region ? std::nullopt : std::optional(owner)});
    if (!close.empty())
      additions.addEdit({path, span.end, EditOrder::Close, close, std::nullopt, {}, 0, owner});
    parts.haveObjects();
    isPlanned = true;
  }

  const TranslationUnit &unit;
  const FunctionStreams &streams;
  PlanAdditions &additions;
  const AnnotatedFunction &holder;
  RecordPartChooser parts;
  std::string function;
  DenseSet<const Stmt *> waits;
  std::optional<SyncRuns> runs;
  DenseSet<const Stmt *> covered;     ///< by another signal's record
  DenseSet<const Stmt *> closesGroup; ///< of the waits in front of which a group is closed
  DenseMap<const Stmt *, const clang::IfStmt *> branchTo;
  bool isPlanned = false;
};

} // namespace

RewriterResult planSync(const RewriteContext &context) {
  PlanAdditions additions(context.plan);
  KernelNeeds needs;
  for (const SyncEvents::Function &function : context.syncEvents.functions)
    SyncPlanner(context, additions, function.holder, needs).run(function.selectables, function.obstacle);
  return {std::move(additions), std::move(needs)};
}

} // namespace kperf
