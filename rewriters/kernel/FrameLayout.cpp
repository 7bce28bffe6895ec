// Finds boundaries that can share a clock, and numbers the others.
#include "rewriters/kernel/FrameLayout.h"

#include "rewriters/construct/SyncConstruct.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <utility>

using namespace llvm;
using clang::CompoundStmt;
using clang::Stmt;

namespace kperf {

namespace {

/// Whether a statement takes no instruction: an annotation, a semicolon, what keeps CUTLASS's compiler from moving registers.
bool takesNothing(const Stmt *statement) {
  const auto *call = dyn_cast<clang::CallExpr>(statement);
  const auto *declaration = dyn_cast<clang::DeclStmt>(statement);
  return isa<clang::NullStmt>(statement) || (call && writtenName(call) == "warpgroup_fence_operand") ||
         (declaration && declaration->isSingleDecl() && isa<clang::StaticAssertDecl>(declaration->getSingleDecl()));
}

/// Whether nothing that takes an instruction stands in the block from in front of one of its statements, or from behind it, to in front
/// of, or behind, another.
bool isNothingBetween(const CompoundStmt *block, const Stmt *from, bool isBehindFrom, const Stmt *to, bool isBehindTo) {
  auto first = find(block->body(), from), last = find(block->body(), to);
  if (first == block->body_end() || last == block->body_end())
    return false;
  first += isBehindFrom;
  last += isBehindTo;
  return first <= last && std::all_of(first, last, takesNothing);
}

} // namespace

unsigned FrameLayout::assign(function_ref<void(const FrameBoundary &, unsigned, bool)> take) {
  const auto areOne = [](const FrameBoundary &left, const FrameBoundary &right) {
    return left.block && left.block == right.block && left.named != right.named && !left.hasObject &&
           isNothingBetween(left.block, left.anchor, left.isBehind, right.anchor, right.isBehind);
  };
  // Where a wait ends and so does what is around it, the wait is first.
  const auto place = [](const FrameBoundary &each) { return std::pair(each.offset, !(each.isEnd && each.named.isSync)); };
  stable_sort(boundaries, [&](const FrameBoundary &left, const FrameBoundary &right) { return place(left) < place(right); });
  unsigned next = 0, word = 0;
  for (std::size_t index = 0; index < boundaries.size(); ++index) {
    const FrameBoundary &own = boundaries[index];
    const bool isShared = index > 0 && areOne(boundaries[index - 1], own);
    if (!isShared)
      word = next++;
    take(own, word, isShared);
    next += own.hasObject;
  }
  return next;
}

unsigned wordsOfFrame(std::size_t used) {
  for (unsigned words : {4u, 8u, 16u, 32u})
    if (used + 2 <= words)
      return words;
  return 0;
}

} // namespace kperf
