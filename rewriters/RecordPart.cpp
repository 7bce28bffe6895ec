// Which part of its warp's slot a region of a kernel records into.
#include "RecordPart.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

RecordPartChooser::RecordPartChooser(const AnnotatedFunction &holder, KernelParts &parts) : holder(holder), parts(parts) {
  if (holder.function->hasAttr<clang::CUDAGlobalAttr>())
    uniformity.emplace(holder.function);
}

void RecordPartChooser::count(const Stmt *statement, bool isOwn, unsigned records) {
  RecordBound &bound = isOwn ? parts.own : parts.shared;
  if (uniformity && uniformity->runsOnce(statement))
    bound.add(records);
  else
    bound.addUnbounded();
}

bool RecordPartChooser::leavesWhole(const Stmt *extent) const {
  if (!extent || isa<clang::LambdaExpr>(extent))
    return true;
  if (isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt>(extent) && !uniformity->isWhole(extent))
    return false;
  return all_of(extent->children(), [&](const Stmt *child) { return leavesWhole(child); });
}

bool RecordPartChooser::isOwn(const Stmt *statement, unsigned records) {
  const bool own = uniformity && uniformity->isWhole(statement);
  count(statement, own, records);
  return own;
}

bool RecordPartChooser::isShared(const Stmt *statement, unsigned records) {
  count(statement, false, records);
  return false;
}

bool RecordPartChooser::isOwnRegion(const Stmt *statement, const Stmt *extent) {
  const bool own = uniformity && uniformity->isWhole(statement) && leavesWhole(extent);
  count(statement, own, 1);
  return own;
}

bool RecordPartChooser::isOwnRange(ArrayRef<const Stmt *> events) {
  const bool own = uniformity && leavesWhole(holder.body) &&
                   all_of(events, [&](const Stmt *event) { return uniformity->isWhole(event); });
  for (const Stmt *event : events)
    count(event, own, 2); // its record, and one where a return closes the range
  return own;
}

} // namespace kperf
