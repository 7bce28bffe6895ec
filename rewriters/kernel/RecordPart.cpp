// Which part of its warp's slot a region of a kernel records into.
#include "rewriters/kernel/RecordPart.h"

#include "rewriters/kernel/KernelProbes.h"
#include "rewriters/kernel/RegionExtents.h"

#include <kperf/format.h>

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

RecordPartChooser::RecordPartChooser(const TranslationUnit &unit, const AnnotatedFunction &holder, const KernelProbes &kernels,
                                     KernelNeeds &needs)
    : sharesRecords(kernels.setting.sharesRecords), holder(holder), streams(kernels.streams), needs(needs),
      parts(needs.partsOf(enclosingKernel(holder.function))), otherLanes(maxWarpLanes(holder.function->getASTContext())) {
  if (!holder.function->hasAttr<clang::CUDAGlobalAttr>())
    return;
  once = &unit.analyses.get<RunsOnce>(holder.body);
  if (!streams.has(holder.function))
    uniformity = kernels.uniformity.of(holder.function);
  if (uniformity)
    narrowing.emplace(unit, holder.function, *uniformity, !kernels.setting.isHost && !kernels.setting.isThroughObjects);
}

void RecordPartChooser::addToStream(PlanAdditions &additions, RecordPart part, RecordName name, std::size_t region) {
  if (part == RecordPart::Stream || part == RecordPart::Frame)
    additions.setStream(region, streams.place(needs.streams, holder.function, name, region));
  if (part == RecordPart::Row)
    needs.streams.addToRow(holder.function, region);
}

RecordPart RecordPartChooser::partInFunction(RecordName name) const {
  if (streams.wordsOf(name))
    return RecordPart::Frame;
  if (streams.usesRow(holder.function))
    return RecordPart::Row;
  return streams.has(holder.function) ? RecordPart::Stream : RecordPart::Shared;
}

RecordPart RecordPartChooser::count(const Stmt *statement, RecordPart part, unsigned records) {
  const bool runsOnce = once && once->isOnce(statement);
  const auto add = [&](RecordBound &bound, unsigned most) { runsOnce ? bound.add(most) : bound.addUnbounded(); };
  if (part == RecordPart::Stream || part == RecordPart::Frame || part == RecordPart::Row) {
    (part == RecordPart::Row ? parts.usesRow : parts.usesStream) = true;
    add(parts.pieces, records); // a frame holds one at least
    return part;
  }
  if (part != RecordPart::Shared)
    add(part == RecordPart::Convergent ? parts.convergent : parts.divergent, records);
  if (part == RecordPart::Divergent || part == RecordPart::Shared)
    add(parts.shared, otherLanes * records); // each of them may come alone
  if (part == RecordPart::Convergent)
    parts.convergentRecords[statement] += records;
  parts.isCalled |= part == RecordPart::Shared;
  return part;
}

bool RecordPartChooser::leavesWhole(ArrayRef<const Stmt *> extent) const {
  return none_of(extent, [&](const Stmt *part) { return anyJump(part, [&](const Stmt *jump) { return !uniformity->isWhole(jump); }); });
}

/// Of those that come to the extent's beginning, none but at a departure.
bool RecordPartChooser::leavesTogether(ArrayRef<const Stmt *> extent) const {
  const auto isOfSome = [&](const Stmt *jump) { return !uniformity->isTogether(jump) && !uniformity->isDeparting(jump); };
  return none_of(extent, [&](const Stmt *part) { return anyJump(part, isOfSome); });
}

RecordPart RecordPartChooser::chooseForEvent(const Stmt *statement, unsigned records) {
  return count(statement, uniformity ? partAt(statement) : partInFunction({statement}), records);
}

RecordPart RecordPartChooser::partAt(const Stmt *statement, ArrayRef<const Stmt *> extent) {
  if (uniformity->isWhole(statement) && leavesWhole(extent))
    return RecordPart::Convergent;
  if (uniformity->isFirstLaneOnly(statement))
    return RecordPart::First;
  if (!narrowing->reaches(statement) || !leavesTogether(extent))
    return RecordPart::Divergent;
  narrowing->addPartings(statement, parts.partings);
  return RecordPart::Convergent;
}

bool RecordPartChooser::chooseBeforeBranch(const clang::IfStmt *branch, const Stmt *event, const clang::Expr *object, bool isPlace) {
  if (!uniformity || !uniformity->isWhole(branch) || uniformity->isWhole(event) || uniformity->isFirstLaneOnly(event) ||
      (object && !uniformity->isUniform(object, isPlace)))
    return false;
  count(branch, RecordPart::Convergent, 1);
  return true;
}

RecordPart RecordPartChooser::chooseInMacro(const Stmt *statement, unsigned records) {
  return count(statement, RecordPart::Shared, records);
}

RecordPart RecordPartChooser::chooseForWait(const Stmt *at, const Stmt *statement) {
  return uniformity ? chooseForRegion(statement, {statement}) : count(statement, partInFunction({at, true}), 1);
}

RecordPart RecordPartChooser::chooseForSignal(const Stmt *at, const Stmt *statement) {
  return uniformity ? chooseForEvent(statement) : count(statement, partInFunction({at, true}), 1);
}

bool RecordPartChooser::crossesSum(unsigned begin, unsigned end) const {
  return any_of(parts.sums, [&](const SummedRegion &sum) {
    return (sum.begin < begin && begin < sum.end && sum.end < end) || (begin < sum.begin && sum.begin < end && end < sum.end);
  });
}

std::size_t RecordPartChooser::addSum(const SummedRegion &region) {
  for (std::size_t index = 0; index < parts.sums.size(); ++index)
    if (parts.sums[index].region == region.region) // planned for another inclusion
      return index;
  parts.sums.push_back(region);
  return parts.sums.size() - 1;
}

RecordPart RecordPartChooser::chooseForRegion(const Stmt *statement, ArrayRef<const Stmt *> extent, bool isToBeSummed) {
  if (!uniformity)
    return count(statement, partInFunction({statement}), 1);
  if (isToBeSummed && parts.sums.size() < format::kMaxSums && uniformity->isWhole(statement) && leavesWhole(extent))
    return RecordPart::Sum;
  return count(statement, partAt(statement, extent), 1);
}

/// Of pairs in one block each.
RecordPart RecordPartChooser::partOfGroup(ArrayRef<const Stmt *> begins, ArrayRef<const Stmt *> ends) {
  const auto isReached = [&](const Stmt *event) { return narrowing->reaches(event); };
  if (!all_of(begins, isReached) || !all_of(ends, isReached))
    return RecordPart::Divergent;
  for (const Stmt *begin : begins)
    narrowing->addPartings(begin, parts.partings);
  return RecordPart::Convergent;
}

void RecordPartChooser::shareRecord(const Stmt *statement) {
  --parts.convergentRecords[statement];
  parts.hasObjects = true;
}

RecordPart RecordPartChooser::chooseForBlockRange(ArrayRef<const Stmt *> begins, ArrayRef<const Stmt *> ends, bool isToBeSummed) {
  const auto areAll = [&](bool (WarpUniformity::*is)(const Stmt *) const) {
    const auto isOne = [&](const Stmt *event) { return ((*uniformity).*is)(event); };
    return all_of(begins, isOne) && all_of(ends, isOne);
  };
  RecordPart part = partInFunction({begins.front()});
  if (uniformity) {
    const bool isWhole = areAll(&WarpUniformity::isWhole);
    if (isWhole && isToBeSummed && parts.sums.size() < format::kMaxSums)
      return RecordPart::Sum;
    part = isWhole ? RecordPart::Convergent : areAll(&WarpUniformity::isFirstLaneOnly) ? RecordPart::First : partOfGroup(begins, ends);
  }
  for (const Stmt *begin : begins)
    count(begin, part, part == RecordPart::Shared || part == RecordPart::Row ? 2 : 1);
  return part;
}

RecordPart RecordPartChooser::chooseForRange(ArrayRef<const Stmt *> events) {
  RecordPart part = partInFunction({events.front()});
  if (uniformity) {
    const bool isWhole = leavesWhole({holder.body}) && all_of(events, [&](const Stmt *event) { return uniformity->isWhole(event); });
    const bool isFirst = all_of(events, [&](const Stmt *event) { return uniformity->isFirstLaneOnly(event); });
    part = isWhole ? RecordPart::Convergent : isFirst ? RecordPart::First : RecordPart::Divergent;
  }
  for (const Stmt *event : events) // its record, and one where a return closes the range
    count(event, part, 2);
  return part;
}

} // namespace kperf
