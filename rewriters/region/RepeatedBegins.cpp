// Compares how often a range is open at its begins and at the function's exits.
#include "rewriters/region/RepeatedBegins.h"

#include "rewriters/unit/StatementShape.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using clang::Stmt;

namespace kperf {

namespace {

/// Whether some exit is reached both with the range open more often and less often: no end that is added there fits all paths.
bool isUnbalanced(const RangeFlow &flow, unsigned range) {
  const auto differs = [&](const OpenCounts &counts) { return counts[range].least != counts[range].most; };
  return (flow.atEnd && differs(*flow.atEnd)) || any_of(flow.atReturn, [&](const auto &entry) { return differs(entry.second); });
}

/// Whether it is open at every exit, so that the end which is added there takes a begin in the middle of the function.
bool isLeftOpen(const RangeFlow &flow, unsigned range) {
  const auto isOpen = [&](const OpenCounts &counts) { return counts[range].least > 0; };
  return (!flow.atEnd || isOpen(*flow.atEnd)) && all_of(flow.atReturn, [&](const auto &entry) { return isOpen(entry.second); });
}

/// Whether a loop around the end, and not around the begin, may end more often than is written.
bool mayRepeat(const MarkerSite *end, const MarkerSite *begin) {
  return any_of(end->parents, [&](const Stmt *parent) { return isLoop(parent) && !is_contained(begin->parents, parent); });
}

/// The begin in front of this one in the same block.
const MarkerSite *precedingInBlock(const MarkerSite *begin, ArrayRef<const MarkerSite *> begins) {
  const MarkerSite *last = nullptr;
  for (const MarkerSite *other : begins) {
    if (other == begin)
      return last;
    if (other->parents == begin->parents)
      last = other;
  }
  return nullptr;
}

void report(const TranslationUnit &unit, const MarkerSite *begin, const MarkerSite *before, bool isError) {
  const Annotation &annotation = begin->annotation;
  const std::string message = textOf(annotation) + " begins a range that is already open on every path to it, and " +
                              (isError ? "only one KPERF_END ends it: end it before, or remove one of the two"
                                       : "not every begin has its end: end it before, or give this one a name of its own");
  if (isError && annotation.importedAs.empty())
    unit.reporter.error(annotation.token, message);
  else
    unit.reporter.warning(annotation.token, message);
  if (before)
    unit.reporter.note(before->annotation.token, "begun here before");
}

} // namespace

void reportRepeatedBegins(const TranslationUnit &unit, ArrayRef<const MarkerSite *> begins, ArrayRef<const MarkerSite *> ends,
                          const RangeFlow &flow, unsigned range) {
  if (flow.hasGoto || begins.size() < 2)
    return;
  for (const MarkerSite *begin : begins) {
    const auto open = flow.beforeStep.find(begin->statement);
    if (open == flow.beforeStep.end() || open->second.least == 0 ||
        any_of(ends, [&](const MarkerSite *end) { return mayRepeat(end, begin); }))
      continue;
    const MarkerSite *before = precedingInBlock(begin, begins);
    if ((before && (begins.size() > ends.size() || isLeftOpen(flow, range))) || isUnbalanced(flow, range))
      report(unit, begin, before, before && ends.size() == 1);
  }
}

} // namespace kperf
