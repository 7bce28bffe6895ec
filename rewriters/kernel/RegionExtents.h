// Finds where each region of a function begins and ends, and the loop body or function body that it belongs to.
#ifndef KPERF_REWRITERS_REGIONEXTENTS_H
#define KPERF_REWRITERS_REGIONEXTENTS_H

#include "rewriters/unit/AnnotatedFunction.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace kperf {

/// The parents of a body's statements, but not of what lies in its expressions or lambdas. An analysis of the body.
class Parents {
public:
  explicit Parents(const clang::Stmt *body) : body(body) { walk(body); }

  const clang::Stmt *of(const clang::Stmt *statement) const { return parents.lookup(statement); }
  /// The body of the innermost loop around the statement, or all of the function's; null where that is no block.
  const clang::CompoundStmt *passOf(const clang::Stmt *statement) const;
  bool isInLoop(const clang::Stmt *statement) const;
  /// Whether each pass through `pass` that reaches its end comes to the statement, but for jumps.
  bool isAlwaysRun(const clang::Stmt *statement, const clang::CompoundStmt *pass) const;
  /// Whether all lanes that make a pass, of the whole function where it is null, come to the statement, or none of any warp's, but for
  /// jumps.
  bool isRunByAllLanes(const clang::Stmt *statement, const clang::CompoundStmt *pass) const;

private:
  /// Whether what stands around the statement, in the pass, is all blocks, or what `isIt` says yes to.
  bool areAllWithin(const clang::Stmt *statement, const clang::CompoundStmt *pass,
                    llvm::function_ref<bool(const clang::Stmt *)> isIt) const;
  void walk(const clang::Stmt *statement);

  const clang::Stmt *body;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> parents;
};

/// Whether a statement, or one in it, is one.
bool holds(const clang::Stmt *statement, llvm::function_ref<bool(const clang::Stmt *)> isOne);

/// Whether control may leave the statement's middle for elsewhere, or come there. What jumps within it, or in a lambda, does not count.
bool mayJump(const clang::Stmt *statement);
/// Whether one of those jumps, labels and cases is one.
bool anyJump(const clang::Stmt *statement, llvm::function_ref<bool(const clang::Stmt *)> isOne);

/// The statements of a block from one of them to another, both left out; null: to its end.
std::vector<const clang::Stmt *> statementsBetween(const clang::CompoundStmt *block, const clang::Stmt *first, const clang::Stmt *last);

/// A region: what names it, and what lies from its begin to its end.
struct RegionExtent {
  const clang::Stmt *name;                                    ///< its annotation's statement, or its first one
  unsigned begin, end;                                        ///< bytes of the file
  const clang::Stmt *beginMark = nullptr, *endMark = nullptr; ///< annotations of a range
  std::vector<const clang::Stmt *> content;
};

/// Those of the function whose begin and end are one each in one block, all of them; nothing where there are others, or marks.
/// An analysis of the function, whose annotations don't change any more.
const std::optional<std::vector<RegionExtent>> &extentsOf(const TranslationUnit &unit, const AnnotatedFunction &holder);

} // namespace kperf

#endif
