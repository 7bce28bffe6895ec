// Lays out a frame: which clocks one pass through a body reads, and at which word each is stored.
#ifndef KPERF_REWRITERS_FRAMELAYOUT_H
#define KPERF_REWRITERS_FRAMELAYOUT_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <compare>
#include <cstddef>
#include <set>
#include <vector>

namespace kperf {

/// What a record is of: the region that a statement names, or the wait or signal that it is.
struct RecordName {
  const clang::Stmt *statement;
  bool isSync = false;

  auto operator<=>(const RecordName &) const = default;
};

/// One clock of a region, a wait or a signal.
struct FrameBoundary {
  unsigned offset; ///< in the file
  bool isEnd;
  RecordName named;
  const clang::CompoundStmt *block; ///< that holds the next; null: no other clock can be this one
  const clang::Stmt *anchor;        ///< the annotation, or the statement that waits or signals
  bool isBehind;                    ///< the anchor
  bool hasObject = false;           ///< which takes a word behind this one
};

/// The boundaries of a pass.
struct FrameLayout {
  const clang::FunctionDecl *function = nullptr; ///< whose pass it is
  bool isRepeated = false;                       ///< of a loop or of a lambda, or all that is recorded of a function
  bool isInner = false;                          ///< of a loop or of a lambda
  std::vector<FrameBoundary> boundaries;
  std::set<RecordName> mayMiss;    ///< that a pass may end without
  std::set<RecordName> mayDiverge; ///< to which not all lanes of a pass may come together

  /// Gives each boundary its word, in the order of the text. Returns how many there are.
  unsigned assign(llvm::function_ref<void(const FrameBoundary &, unsigned word, bool isShared)> take);
};

/// Words of the smallest frame that holds that many clocks and objects; 0 where none does.
unsigned wordsOfFrame(std::size_t used);

} // namespace kperf

#endif
