// Wraps the conditions of branches and loops, and says behind them that the other lanes are back.
#include "rewriters/kernel/Narrowing.h"

#include "rewriters/analysis/KernelFences.h"
#include "rewriters/analysis/Partings.h"
#include "rewriters/kernel/RegionExtents.h"
#include "rewriters/unit/StatementEdit.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <string>
#include <utility>

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

const clang::Expr *conditionAt(const Stmt *parting) {
  const auto *branch = dyn_cast<clang::IfStmt>(parting);
  return branch ? branch->getCond() : conditionOf(parting);
}

/// The condition's text, which may begin or end with a use of a macro; nothing where a macro writes more than that.
std::optional<ExpressionSpan> spanOfCondition(const TranslationUnit &unit, const Stmt *parting) {
  const clang::Expr *condition = conditionAt(parting);
  if (!isWhollyWritten(unit, {condition}))
    return std::nullopt;
  const std::optional<Place> spelledBegin = unit.editablePlace(condition->getBeginLoc()),
                             spelledEnd = unit.editablePlace(condition->getEndLoc());
  const Place begin = spelledBegin.value_or(unit.expansionPlace(condition->getBeginLoc()));
  const Place last = spelledEnd.value_or(unit.expansionEnd(condition->getEndLoc()));
  const TokenLayout &layout = unit.layoutOf(begin.file);
  if (begin.file != last.file || begin.offset > last.offset || unit.isInDirective(begin) || !layout.inSameBranch(begin.offset, last.offset))
    return std::nullopt;
  return ExpressionSpan{begin.file, begin.offset, last.offset + static_cast<unsigned>(layout.tokenText(last.offset).size())};
}

/// The parting with the attributes in front of it.
const Stmt *withAttributes(const TranslationUnit &unit, const clang::FunctionDecl *kernel, const Stmt *parting) {
  const Stmt *around = unit.analyses.get<Parents>(kernel->getBody()).of(parting);
  return isa_and_nonnull<clang::AttributedStmt>(around) ? around : parting;
}

bool isDeparture(const Stmt *parting) {
  const auto *branch = dyn_cast<clang::IfStmt>(parting);
  return branch && endsInReturn(branch->getThen());
}

/// A passage that nothing leaves but by its end, where the other lanes are.
bool canWrap(const TranslationUnit &unit, const clang::FunctionDecl *kernel, const Stmt *passage) {
  const Stmt *whole = withAttributes(unit, kernel, passage);
  Expected<StatementSpan> span = spanOf(unit, whole);
  if (!span)
    return consumeError(span.takeError()), false;
  return isWhollyWritten(unit, {whole}) && !exitWithin({whole});
}

} // namespace

Narrowing::Narrowing(const TranslationUnit &unit, const clang::FunctionDecl *kernel, const WarpUniformity &uniformity, bool isAllowed)
    : unit(unit), kernel(kernel), uniformity(uniformity) {
  // What is gathered for fences lies in all lanes.
  if (!isAllowed || unit.analyses.get<KernelFences>(kernel).areThere)
    return;
  copy_if(uniformity.departures(), std::back_inserter(departures),
          [&](const Stmt *each) { return uniformity.isTogether(each) && !uniformity.passageAround(each); });
  isPossible = all_of(departures, [&](const Stmt *each) { return spanOfCondition(unit, each).has_value(); });
}

bool Narrowing::reaches(const Stmt *statement) const {
  if (!isPossible || !uniformity.isTogether(statement))
    return false;
  for (const Stmt *passage = uniformity.passageAround(statement); passage; passage = uniformity.passageAround(passage))
    if (!spanOfCondition(unit, passage) || !canWrap(unit, kernel, passage))
      return false;
  return true;
}

void Narrowing::addPartings(const Stmt *statement, SetVector<const Stmt *> &partings) const {
  partings.insert(departures.begin(), departures.end());
  for (const Stmt *passage = uniformity.passageAround(statement); passage; passage = uniformity.passageAround(passage))
    partings.insert(passage);
}

void planNarrowing(const TranslationUnit &unit, PlanAdditions &additions, const clang::FunctionDecl *kernel,
                   ArrayRef<const Stmt *> partings, std::size_t region) {
  std::map<std::pair<std::string, unsigned>, unsigned> closings; // passages that end at a byte
  for (const Stmt *parting : partings) {
    const ExpressionSpan condition = *spanOfCondition(unit, parting);
    const std::string path = unit.pathOf(condition.file);
    const auto insert = [&](unsigned offset, EditOrder order, std::string text) {
      additions.addEdit({path, offset, order, std::move(text), std::nullopt, {}, 0, region});
    };
    const bool isForGood = isDeparture(parting);
    // Around all that other probes wrap.
    insert(condition.begin, EditOrder::Frame,
           isForGood ? "!kperf_kernel.stays(!static_cast<bool>(" : "kperf_kernel.stays(static_cast<bool>(");
    insert(condition.end, EditOrder::End, "))");
    if (isForGood)
      continue;
    const StatementSpan span = cantFail(spanOf(unit, withAttributes(unit, kernel, parting)));
    insert(span.open.offset, EditOrder::Open,
           span.open.prefix + "{ const ::kperf::Reconvergence kperf_reconvergence(kperf_kernel); " + span.open.suffix);
    ++closings[{path, span.end}];
  }
  for (const auto &[place, count] : closings)
    additions.addEdit({place.first, place.second, EditOrder::Close, " }", std::nullopt, {}, 0, region, count});
}

} // namespace kperf
